#pragma once

#include "weft/detail/abi.hpp"
#include "weft/detail/needs_boost.hpp"
#include "weft/detail/needs_openssl.hpp"

#include <memory>
#include <string>
#include <system_error>

#include <boost/asio/ssl/context.hpp>

namespace weft {

/// The settings of TLS connections: certificates, keys, trusted authorities. TLS 1.2 and newer.
class TlsContext {
 public:
  /// For clients. Trusts the authorities of the system; a server must present a certificate of
  /// one of them for the requested name.
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
  /// For servers: the certificate chain and the private key (PEM files).
  [[nodiscard]] static TlsContext server(const std::string& certificates, const std::string& key) {
    TlsContext context{boost::asio::ssl::context::tls_server};
    boost::system::error_code error;
    context.native_->use_certificate_chain_file(certificates, error);
    check(error, "use the certificates in", certificates);
    context.native_->use_private_key_file(key, boost::asio::ssl::context::pem, error);
    check(error, "use the key in", key);
    return context;
  }

  /// The context of Asio, for settings that are not offered here.
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

}  // namespace weft
