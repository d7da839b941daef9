#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>

#include "weft/address.hpp"
#include "weft/asio.hpp"
#include "weft/buffered_reader.hpp"
#include "weft/bytes.hpp"
#include "weft/place.hpp"
#include "weft/tcp.hpp"
#include "weft/token.hpp"

// TLS through OpenSSL and asio::ssl, for those who use Boost: include it besides weft.hpp, and link
// OpenSSL.
namespace weft {

/// What a TLS connection is made with: certificates, keys, whom to trust. TLS 1.2 and newer.
class TlsContext {
 public:
  /// For clients. Trusts the authorities of the system; a server must show a certificate of theirs
  /// for the name that was asked for.
  [[nodiscard]] static TlsContext client() {
    TlsContext context{boost::asio::ssl::context::tls_client};
    context.native_->set_default_verify_paths();
    context.native_->set_verify_mode(boost::asio::ssl::verify_peer);
    return context;
  }
  /// The same, but trusts only the authorities in `file` (PEM).
  [[nodiscard]] static TlsContext client_trusting(const std::string& file) {
    TlsContext context{boost::asio::ssl::context::tls_client};
    boost::system::error_code error;
    context.native_->load_verify_file(file, error);
    check(error, "trust", file);
    context.native_->set_verify_mode(boost::asio::ssl::verify_peer);
    return context;
  }
  /// For servers: the certificate with those that lead to its authority, and its key (PEM files).
  [[nodiscard]] static TlsContext server(const std::string& certificates, const std::string& key) {
    TlsContext context{boost::asio::ssl::context::tls_server};
    boost::system::error_code error;
    context.native_->use_certificate_chain_file(certificates, error);
    check(error, "use the certificates in", certificates);
    context.native_->use_private_key_file(key, boost::asio::ssl::context::pem, error);
    check(error, "use the key in", key);
    return context;
  }

  /// For what is not offered here.
  [[nodiscard]] boost::asio::ssl::context& native() noexcept { return *native_; }

 private:
  explicit TlsContext(boost::asio::ssl::context::method method)
      : native_{std::make_unique<boost::asio::ssl::context>(method)} {
    native_->set_options(boost::asio::ssl::context::default_workarounds |
                         boost::asio::ssl::context::no_sslv2 | boost::asio::ssl::context::no_sslv3 |
                         boost::asio::ssl::context::no_tlsv1 |
                         boost::asio::ssl::context::no_tlsv1_1);
  }
  static void check(const boost::system::error_code& error, const char* what,
                    const std::string& file) {
    if (error) throw std::system_error{std::error_code{error}, std::string{what} + " " + file};
  }
  std::unique_ptr<boost::asio::ssl::context> native_;
};

/// A TCP connection that nobody else can read. One coroutine may read while another writes. Errors
/// are std::system_error and name the peer; a certificate that is refused says why. A write
/// that ends early, by a timeout or a cancellation, closes the connection: half a record may have
/// gone, and nothing after it could be understood. What a read that ends early had got stays to be
/// read.
class TlsStream {
 public:
  using Native = boost::asio::ssl::stream<AsioStream<TcpStream>>;

  /// Suspends until the connection is made and the server has proved to be `host`. Throws what
  /// TcpStream::connect() does, and if the certificate is not in order. `context` must stay.
  [[nodiscard]] static TlsStream connect(const std::string& host, unsigned short port,
                                         TlsContext& context, Token token = {},
                                         Place place = Place::here()) {
    TlsStream stream{TcpStream::connect(host, port, token, place), context};
    stream.expect(host);
    stream.shake_hands(boost::asio::ssl::stream_base::client, token);
    return stream;
  }
  /// Suspends until a client that has connected has made the connection safe.
  [[nodiscard]] static TlsStream accept(TcpStream connection, TlsContext& context,
                                        Token token = {}) {
    TlsStream stream{std::move(connection), context};
    stream.shake_hands(boost::asio::ssl::stream_base::server, token);
    return stream;
  }

  /// Suspends until there is something to read; 0 at the end.
  std::size_t read_some(Bytes to, Token token = {}) {
    Reading source{*this, token};
    return reader_.read_some(to, source);
  }
  /// Suspends until `to` is full. Throws if the end comes before.
  void read_exactly(Bytes to, Token token = {}) {
    Reading source{*this, token};
    reader_.read_exactly(to, source);
  }
  /// Suspends until a whole line has come, and returns it without its "\n" or "\r\n"; nothing at
  /// the end. A last line without end counts. Lines longer than the limit are an error.
  std::optional<std::string> read_line(Token token = {}) {
    Reading source{*this, token};
    return reader_.read_line(source);
  }
  /// Suspends until the end, and returns all that came.
  std::string read_all(Token token = {}) {
    Reading source{*this, token};
    return reader_.read_all(source);
  }
  /// The longest line that read_line() accepts; 1 MiB unless set.
  void set_line_limit(std::size_t bytes) noexcept { reader_.set_line_limit(bytes); }
  /// Suspends until something is written.
  std::size_t write_some(ConstBytes from, Token token = {}) {
    const Using use{*this, {}, token};
    return or_close([&](boost::system::error_code& error) {
      return native_->write_some(boost::asio::const_buffer{from.data(), from.size()}, error);
    });
  }
  /// Suspends until all is written.
  void write_all(ConstBytes from, Token token = {}) {
    const Using use{*this, {}, token};
    or_close([&](boost::system::error_code& error) {
      return boost::asio::write(*native_, boost::asio::const_buffer{from.data(), from.size()},
                                error);
    });
  }
  /// Suspends until both sides have said that nothing more comes. What the other side has sent
  /// until then, and nobody has read, is lost.
  void shutdown(Token token = {}) {
    reader_.held().clear();
    const Using use{*this, token, token};
    // Once OpenSSL has begun to look for the end it takes data for an error: first what is here
    // already is read, then our end is sent, and only then we wait for the other one.
    boost::system::error_code error;
    {
      const WithoutReading without{native_->next_layer()};
      read_away();
      native_->shutdown(error);
    }
    if (error == boost::asio::error::would_block) error = read_away();
    const bool usual = !error || error == boost::asio::error::eof ||
                       error == boost::asio::ssl::error::stream_truncated;
    if (!usual) fail(error, "end");
  }
  /// Never suspends. Wakes who waits for this stream. A second time it does nothing.
  void close() noexcept { connection().close(); }
  [[nodiscard]] bool is_open() const noexcept {
    return native_->next_layer().next_layer().is_open();
  }

  [[nodiscard]] TcpStream& connection() noexcept { return native_->next_layer().next_layer(); }
  /// What Beast and Asio take. It knows nothing of what read_line() has read ahead.
  [[nodiscard]] Native& native() noexcept { return *native_; }

 private:
  /// The tokens of the operation under way.
  class Using {
   public:
    Using(TlsStream& stream, Token read, Token write) noexcept
        : layer_{stream.native_->next_layer()},
          reads_{static_cast<bool>(read)},
          writes_{static_cast<bool>(write)} {
      if (read) layer_.set_read_token(read);
      if (write) layer_.set_write_token(write);
    }
    ~Using() {
      if (reads_) layer_.set_read_token({});
      if (writes_) layer_.set_write_token({});
    }
    Using(const Using&) = delete;
    Using& operator=(const Using&) = delete;

   private:
    AsioStream<TcpStream>& layer_;
    bool reads_;
    bool writes_;
  };

  /// The stream during one read: the ByteSource of its reader.
  class Reading {
   public:
    Reading(TlsStream& stream, Token token) noexcept : stream_{stream}, use_{stream, token, {}} {}
    std::size_t fetch(Bytes to) {
      boost::system::error_code error;
      const std::size_t size =
          stream_.native_->read_some(boost::asio::mutable_buffer{to.data(), to.size()}, error);
      if (error == boost::asio::error::eof) return 0;
      if (error) stream_.fail(error, "read from");
      return size;
    }
    std::size_t fetch_more(HeldBytes& held, std::size_t /*size*/) {
      constexpr std::size_t record = std::size_t{16} * 1024;
      return held.append_read(record, [&](Bytes to) { return fetch(to); });
    }
    [[nodiscard]] std::string name() const { return stream_.name(); }

   private:
    TlsStream& stream_;
    Using use_;
  };

  /// While it lives, only what has come already is read.
  class WithoutReading {
   public:
    explicit WithoutReading(AsioStream<TcpStream>& layer) noexcept : layer_{layer} {
      layer_.refuse_reads(true);
    }
    ~WithoutReading() { layer_.refuse_reads(false); }
    WithoutReading(const WithoutReading&) = delete;
    WithoutReading& operator=(const WithoutReading&) = delete;

   private:
    AsioStream<TcpStream>& layer_;
  };

  TlsStream(TcpStream connection, TlsContext& context)
      : carrier_{connection.io().name()},
        native_{std::make_unique<Native>(std::move(connection), context.native())} {}
  /// The server is to prove that it is `host`. It is told whom we want, unless that is an address,
  /// which no server has for its name.
  void expect(const std::string& host) {
    SSL* const ssl = native_->native_handle();
    bool done = false;
    if (Address::try_parse(host, 0)) {
      done = ::X509_VERIFY_PARAM_set1_ip_asc(::SSL_get0_param(ssl), host.c_str()) == 1;
    } else {
      // What the macro SSL_set_tlsext_host_name does, without its casts; the name is copied.
      std::string name = host;
      done = ::SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                        name.data()) == 1 &&
             ::X509_VERIFY_PARAM_set1_host(::SSL_get0_param(ssl), host.data(), host.size()) == 1;
    }
    if (done) return;
    fail({static_cast<int>(::ERR_get_error()), boost::asio::error::get_ssl_category()},
         "expect " + host + " at the other end of");
  }
  template <class F>
  std::size_t or_close(F write) {
    try {
      boost::system::error_code error;
      const std::size_t size = write(error);
      if (error) fail(error, "write to");
      return size;
    } catch (...) {
      close();
      throw;
    }
  }
  /// Reads on and forgets what comes; returns why that ended.
  boost::system::error_code read_away() {
    std::array<std::byte, 4096> forgotten;
    boost::system::error_code error;
    do {
      native_->read_some(boost::asio::mutable_buffer{forgotten.data(), forgotten.size()}, error);
    } while (!error);
    return error;
  }
  /// Why the certificate of the other side was refused, if that is so.
  [[nodiscard]] std::string refusal() const {
    const long result = ::SSL_get_verify_result(native_->native_handle());
    if (result == X509_V_OK) return {};
    return std::string{": "} + ::X509_verify_cert_error_string(result);
  }
  void shake_hands(boost::asio::ssl::stream_base::handshake_type side, Token token) {
    const Using use{*this, token, token};
    boost::system::error_code error;
    native_->handshake(side, error);
    if (error) fail(error, "shake hands over", refusal());
  }
  [[noreturn]] void fail(const boost::system::error_code& error, const std::string& what,
                         const std::string& why = {}) {
    throw std::system_error{std::error_code{error}, what + " " + name() + why};
  }
  [[nodiscard]] std::string name() const { return "TLS over " + carrier_; }

  std::string carrier_;
  BufferedReader reader_;
  std::unique_ptr<Native> native_;  // its address is known to OpenSSL
};

}  // namespace weft
