#pragma once

#include "weft/detail/abi.hpp"
#include "weft/detail/needs_boost.hpp"
#include "weft/detail/needs_openssl.hpp"

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/write.hpp>

#include "weft/byte_stream.hpp"
#include "weft/bytes.hpp"
#include "weft/detail/tls_core.hpp"
#include "weft/error.hpp"
#include "weft/place.hpp"
#include "weft/ref.hpp"
#include "weft/tcp.hpp"
#include "weft/tls_context.hpp"
#include "weft/token.hpp"

// TLS through OpenSSL and asio::ssl; weft.hpp does not include it. Link OpenSSL.
namespace weft {

/// An encrypted TCP connection: a ByteStream, as TcpStream is. Errors are std::system_error and
/// name the peer, or why its certificate was refused. A write that ends early, by a timeout or a
/// cancellation, closes the connection: part of a record may have been sent, and the peer could not
/// decode what follows. Bytes that arrived before a read ended early can still be read.
class TlsStream {
 public:
  using Native = detail::TlsCore::Native;

  /// Suspends until the connection is made and the server has proved to be `host`. Throws what
  /// TcpStream::connect() throws, and std::system_error if the certificate is refused. `context`
  /// must outlive the stream.
  [[nodiscard]] static TlsStream connect(const std::string& host, unsigned short port,
                                         TlsContext& context, Token token = {},
                                         Place place = Place::here()) {
    TlsStream stream{TcpStream::connect(host, port, token, place), context};
    stream.core().expect(host);
    stream.core().do_handshake(detail::TlsCore::Side::client, token, place);
    return stream;
  }
  /// Suspends until the TLS handshake with the client at the other end of `connection` is done.
  [[nodiscard]] static TlsStream accept(TcpStream connection, TlsContext& context, Token token = {},
                                        Place place = Place::here()) {
    TlsStream stream{std::move(connection), context};
    stream.core().do_handshake(detail::TlsCore::Side::server, token, place);
    return stream;
  }

  /// No stream: every operation throws MisuseError.
  TlsStream() noexcept = default;
  TlsStream(TlsStream&& other) noexcept = default;
  TlsStream& operator=(TlsStream&& other) noexcept {
    if (this == &other) return *this;
    close();
    core_ = std::move(other.core_);
    return *this;
  }
  ~TlsStream() { close(); }

  /// Suspends until there is something to read; 0 at the end.
  std::size_t read_some(Bytes to, Token token = {}, Place place = Place::here()) {
    return core().read(token, place,
                       [&](auto& reader, auto& source) { return reader.read_some(to, source); });
  }
  /// Suspends until `to` is full. Throws if the end comes before.
  void read_exactly(Bytes to, Token token = {}, Place place = Place::here()) {
    core().read(token, place, [&](auto& reader, auto& source) { reader.read_exactly(to, source); });
  }
  /// Suspends until a whole line has arrived; returns it without its "\n" or "\r\n", nothing at the
  /// end. A last line without a line end counts. Throws if a line is longer than the limit.
  std::optional<std::string> read_line(Token token = {}, Place place = Place::here()) {
    return core().read(token, place,
                       [](auto& reader, auto& source) { return reader.read_line(source); });
  }
  /// Suspends until the end of the stream; returns all bytes.
  std::string read_all(Token token = {}, Place place = Place::here()) {
    return core().read(token, place,
                       [](auto& reader, auto& source) { return reader.read_all(source); });
  }
  /// The longest line that read_line() accepts; 1 MiB unless set.
  void set_line_limit(std::size_t bytes) { core().reader().set_line_limit(bytes); }
  /// Suspends until some bytes are written; returns how many.
  std::size_t write_some(ConstBytes from, Token token = {}, Place place = Place::here()) {
    return core().write(token, place, [&](Native& native, boost::system::error_code& error) {
      return native.write_some(boost::asio::const_buffer{from.data(), from.size()}, error);
    });
  }
  /// Suspends until all is written.
  void write_all(ConstBytes from, Token token = {}, Place place = Place::here()) {
    core().write(token, place, [&](Native& native, boost::system::error_code& error) {
      return boost::asio::write(native, boost::asio::const_buffer{from.data(), from.size()}, error);
    });
  }
  /// Suspends until all parts are written in order. Small parts share a TLS record.
  void write_gathered(std::span<const ConstBytes> parts, Token token = {},
                      Place place = Place::here()) {
    std::vector<boost::asio::const_buffer> buffers;
    buffers.reserve(parts.size());
    for (const ConstBytes& part : parts) buffers.emplace_back(part.data(), part.size());
    core().write(token, place, [&](Native& native, boost::system::error_code& error) {
      return boost::asio::write(native, buffers, error);
    });
  }
  void write_gathered(std::initializer_list<ConstBytes> parts, Token token = {},
                      Place place = Place::here()) {
    write_gathered(std::span{parts.begin(), parts.size()}, token, place);
  }
  /// Suspends until close_notify, the end of the data of this side, is sent: the peer reads the
  /// end, and this side can still read.
  void shutdown_write(Token token = {}, Place place = Place::here()) {
    core().shutdown_write(token, place);
  }
  /// Suspends until both sides have sent close_notify. Data that arrives until then and is not read
  /// is lost, except for a read that was under way. Where another coroutine is to read on until the
  /// end, call shutdown_write() instead.
  void shutdown(Token token = {}, Place place = Place::here()) { core().shutdown(token, place); }
  /// Closes the connection and wakes all waiters of this stream. Never suspends. A second call does
  /// nothing.
  void close() noexcept {
    if (core_) core_->close();
  }
  /// Whether its connection is open.
  [[nodiscard]] bool is_open() const noexcept { return core_ && core_->connection().is_open(); }

  /// The connection underneath.
  [[nodiscard]] TcpStream& connection() { return core().connection(); }
  /// The stream for Beast and Asio. It bypasses what read_line() has read ahead and the locks that
  /// keep the operations of several coroutines apart.
  [[nodiscard]] Native& native() { return core().native(); }

 private:
  TlsStream(TcpStream connection, TlsContext& context)
      : core_{make_ref<detail::TlsCore>(std::move(connection), context)} {}
  [[nodiscard]] detail::TlsCore& core() const {
    if (!core_) throw MisuseError{"This stream was moved away, or never opened"};
    return *core_;
  }

  Ref<detail::TlsCore> core_;
};

static_assert(ByteStream<TlsStream>);

}  // namespace weft
