#pragma once

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>

#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/stream.hpp>

#include "weft/address.hpp"
#include "weft/asio.hpp"
#include "weft/bytes.hpp"
#include "weft/detail/buffered_reader.hpp"
#include "weft/detail/held_bytes.hpp"
#include "weft/detail/stream_lock.hpp"
#include "weft/place.hpp"
#include "weft/ref.hpp"
#include "weft/tcp.hpp"
#include "weft/tls_context.hpp"
#include "weft/token.hpp"

namespace weft::detail {

/// The connection below a TlsStream. Counted: an operation that waits keeps it, so the stream may
/// be moved or destroyed meanwhile.
class TlsCore : public Counted<TlsCore> {
 public:
  using Layer = AsioStream<TcpStream>;
  using Native = boost::asio::ssl::stream<Layer>;
  using Side = boost::asio::ssl::stream_base::handshake_type;

  TlsCore(TcpStream connection, TlsContext& context)
      : carrier_{connection.io().name()}, native_{std::move(connection), context.native()} {}

  [[nodiscard]] Native& native() noexcept { return native_; }
  [[nodiscard]] TcpStream& connection() noexcept { return layer().next_layer(); }
  [[nodiscard]] BufferedReader& reader() noexcept { return reader_; }
  [[nodiscard]] std::string name() const { return "TLS over " + carrier_; }

  /// Verifies that the server is `host`, and sends that name (SNI) unless it is an address, which
  /// the protocol does not allow.
  void expect(const std::string& host) {
    SSL* const ssl = native_.native_handle();
    bool done = false;
    if (Address::try_parse(host, 0)) {
      done = ::X509_VERIFY_PARAM_set1_ip_asc(::SSL_get0_param(ssl), host.c_str()) == 1;
    } else {
      // SSL_set_tlsext_host_name() without the casts of that macro; the name is copied.
      std::string name = host;
      done = ::SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                        name.data()) == 1 &&
             ::X509_VERIFY_PARAM_set1_host(::SSL_get0_param(ssl), host.data(), host.size()) == 1;
    }
    if (done) return;
    fail({static_cast<int>(::ERR_get_error()), boost::asio::error::get_ssl_category()},
         "expect " + host + " at the other end of");
  }

  /// Suspends until the handshake is done.
  void do_handshake(Side side, Token token, Place place) {
    const Reading reading{*this, token, place};
    const Writing writing{*this, token, place};
    boost::system::error_code error;
    native_.handshake(side, error);
    if (error) fail(error, "shake hands over", refusal());
  }

  /// Suspends until `read(reader, source)` has read.
  template <class F>
  auto read(Token token, Place place, F read) {
    const Ref<TlsCore> keep{this};
    Reading source{*this, token, place};
    return read(reader_, source);
  }

  /// Suspends until `write(native, error)` has written. Closes the connection if it throws:
  /// part of a record may have been sent, and the peer could not decode what follows.
  template <class F>
  std::size_t write(Token token, Place place, F write) {
    const Ref<TlsCore> keep{this};
    const Writing writing{*this, token, place};
    try {
      boost::system::error_code error;
      const std::size_t size = write(native_, error);
      if (error) fail(error, "write to");
      return size;
    } catch (...) {
      close();
      throw;
    }
  }

  /// Suspends until this side has sent that it will send no more. Another coroutine may read
  /// meanwhile.
  void shutdown_write(Token token, Place place) {
    const Ref<TlsCore> keep{this};
    const boost::system::error_code error = send_end(token, place);
    if (error != boost::asio::error::would_block) check_end(error);
  }

  /// Suspends until both sides have. A read that is under way ends before; then what arrives is
  /// dropped.
  void shutdown(Token token, Place place) {
    const Ref<TlsCore> keep{this};
    boost::system::error_code error = send_end(token, place);
    if (error == boost::asio::error::would_block) {
      Reading source{*this, token, place};
      error = read_away();
    }
    check_end(error);
  }

  void close() noexcept {
    if (!connection().is_open()) return;
    reading_.refuse_all();
    writing_.refuse_all();
    connection().close();
  }

 private:
  /// The stream during one read, which owns the lock of reads: the ByteSource of the reader.
  class Reading {
   public:
    Reading(TlsCore& core, Token token, Place place)
        : core_{core}, guard_{core.reading_, token, place}, has_token_{static_cast<bool>(token)} {
      // OpenSSL would go on with what it has decrypted already.
      if (!core_.connection().is_open()) core_.fail(closed(), "read from");
      core_.layer().set_read_place(place);
      if (has_token_) core_.layer().set_read_token(token);
    }
    ~Reading() {
      if (has_token_) core_.layer().set_read_token(Token{});
    }
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;

    std::size_t fetch(Bytes to) {
      boost::system::error_code error;
      const std::size_t size = core_.read_some(to, error);
      if (error == boost::asio::error::eof) return 0;
      if (error) core_.fail(error, "read from");
      return size;
    }
    std::size_t fetch_more(HeldBytes& held, std::size_t /*size*/) {
      std::array<char, piece> memory;  // `held` may be appended to while this waits
      held.reserve(piece);
      const std::size_t n = fetch(memory);
      held.append({memory.data(), n});
      return n;
    }
    [[nodiscard]] std::string name() const { return core_.name(); }

   private:
    static boost::system::error_code closed() noexcept {
      return {EBADF, boost::system::system_category()};
    }

    TlsCore& core_;
    StreamLockGuard guard_;
    bool has_token_;
  };

  /// The stream during one write, which owns the lock of writes.
  class Writing {
   public:
    Writing(TlsCore& core, Token token, Place place)
        : core_{core}, guard_{core.writing_, token, place}, has_token_{static_cast<bool>(token)} {
      core_.layer().set_write_place(place);
      if (has_token_) core_.layer().set_write_token(token);
    }
    ~Writing() {
      if (has_token_) core_.layer().set_write_token(Token{});
    }
    Writing(const Writing&) = delete;
    Writing& operator=(const Writing&) = delete;

   private:
    TlsCore& core_;
    StreamLockGuard guard_;
    bool has_token_;
  };

  /// While it lives, reads take only what has arrived already.
  class WithoutReading {
   public:
    explicit WithoutReading(Layer& layer) noexcept : layer_{layer} { layer_.refuse_reads(true); }
    ~WithoutReading() { layer_.refuse_reads(false); }
    WithoutReading(const WithoutReading&) = delete;
    WithoutReading& operator=(const WithoutReading&) = delete;

   private:
    Layer& layer_;
  };

  friend class Counted<TlsCore>;
  ~TlsCore() = default;

  [[nodiscard]] Layer& layer() noexcept { return native_.next_layer(); }
  std::size_t read_some(Bytes to, boost::system::error_code& error) {
    return native_.read_some(boost::asio::mutable_buffer{to.data(), to.size()}, error);
  }
  /// Sends close_notify. Returns would_block if the peer has not sent its own. While waiting for
  /// that, OpenSSL treats data as an error, so data that has arrived is buffered first.
  boost::system::error_code send_end(Token token, Place place) {
    const Writing writing{*this, token, place};
    const WithoutReading without{layer()};
    boost::system::error_code error;
    while (!error) {
      reader_.held().append_read(piece, [&](Bytes to) { return read_some(to, error); });
    }
    native_.shutdown(error);
    return error;
  }
  /// Reads and drops what arrives, until the end; returns the error that ended it.
  boost::system::error_code read_away() {
    reader_.held().clear();
    std::array<std::byte, piece> forgotten;
    boost::system::error_code error;
    while (!error) read_some(forgotten, error);
    return error;
  }
  /// Throws unless `error` is one of the ways in which a connection usually ends.
  void check_end(const boost::system::error_code& error) const {
    const bool usual = !error || error == boost::asio::error::eof ||
                       error == boost::asio::ssl::error::stream_truncated;
    if (!usual) fail(error, "end");
  }
  /// Why the certificate of the other side was refused, if it was.
  [[nodiscard]] std::string refusal() {
    const long result = ::SSL_get_verify_result(native_.native_handle());
    if (result == X509_V_OK) return {};
    return std::string{": "} + ::X509_verify_cert_error_string(result);
  }
  [[noreturn]] void fail(const boost::system::error_code& error, const std::string& what,
                         const std::string& why = {}) const {
    if (error == boost::asio::error::operation_aborted) {  // the layer below ended the wait
      throw std::system_error{std::error_code{error}, "Stream was closed"};
    }
    throw std::system_error{std::error_code{error}, what + " " + name() + why};
  }

  static constexpr std::size_t piece = 4096;

  std::string carrier_;
  BufferedReader reader_;
  StreamLock reading_;
  StreamLock writing_;
  Native native_;  // OpenSSL has its address, so it cannot move
};

}  // namespace weft::detail
