// An echo server that speaks TLS, a client that trusts it, and one that does not.
//
// The certificate is made on the spot. Clients always verify: the certificate must lead to an
// authority they trust, and must be for the name they asked for. Needs Boost and OpenSSL.

#include <array>
#include <chrono>
#include <csignal>
#include <iostream>
#include <memory>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "temporary_directory.hpp"
#include <weft/tls.hpp>
#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

struct Files {
  std::string certificate;
  std::string key;
};

/// A certificate for "localhost" that its own key has signed.
void make_certificate(const Files& files) {
  const auto owned = [](auto* object, auto free) {
    return std::unique_ptr<std::remove_pointer_t<decltype(object)>, decltype(free)>{object, free};
  };
  const auto key = owned(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"), EVP_PKEY_free);
  const auto made = owned(X509_new(), X509_free);
  X509* const certificate = made.get();
  X509_gmtime_adj(X509_getm_notBefore(certificate), -60);
  X509_gmtime_adj(X509_getm_notAfter(certificate), 3'600);
  X509_set_pubkey(certificate, key.get());
  const unsigned char name[] = "localhost";
  X509_NAME* const subject = X509_get_subject_name(certificate);
  X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, name, -1, -1, 0);
  X509_set_issuer_name(certificate, subject);
  X509_sign(certificate, key.get(), nullptr);
  const auto open = [&](const std::string& path) {
    auto file = owned(BIO_new_file(path.c_str(), "w"), BIO_free);
    if (file == nullptr) throw std::runtime_error{"cannot write " + path};
    return file;
  };
  PEM_write_bio_X509(open(files.certificate).get(), certificate);
  PEM_write_bio_PrivateKey(open(files.key).get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
}

/// Over TCP or a unix socket just as well.
void echo(weft::ByteStream auto& stream) {
  std::array<std::byte, 4096> buffer;
  while (std::size_t n = stream.read_some(buffer)) stream.write_all(std::span{buffer}.first(n));
}

void greet(std::uint16_t port, weft::TlsContext trusted) {
  try {
    weft::TlsStream stream =
        weft::TlsStream::connect("localhost", port, trusted, weft::timeout(10s));
    stream.write_all("hello");
    std::array<char, 5> buffer;
    const std::size_t size = stream.read_some(buffer, weft::timeout(10s));
    std::cout << "the server says " << std::string_view{buffer.data(), size} << "\n";
    stream.shutdown(weft::timeout(10s));
  } catch (const std::system_error& error) {
    std::cout << "no connection: " << error.code().message() << "\n";
  }
}

void serve_and_greet(const Files& files) {
  weft::TlsContext context = weft::TlsContext::server(files.certificate, files.key);
  weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);
  auto clients = weft::spawn([&] {
    greet(listener.port(), weft::TlsContext::client_trusting(files.certificate));
    greet(listener.port(), weft::TlsContext::client());  // only the authorities of the system
  });
  weft::ServeCounts counts;
  const auto handler = [&](weft::TcpStream connection) {
    auto stream = weft::TlsStream::accept(std::move(connection), context, weft::timeout(10s));
    echo(stream);
    stream.shutdown();
  };
  weft::serve(listener, handler, {.stop = clients, .on_error = [](auto) {}, .counts = &counts});
  weft::await(clients);
  std::cout << "of " << counts.accepted << " connections " << counts.failed << " failed\n";
}

}  // namespace

int main() {
  const TemporaryDirectory directory;
  const Files files{directory.path() + "/certificate.pem", directory.path() + "/key.pem"};
  make_certificate(files);
  weft::run([&] { serve_and_greet(files); }, {.shutdown_signals = {SIGINT, SIGTERM}});
}

// Prints:
//   the server says hello
//   no connection: certificate verify failed (SSL routines)
//   of 2 connections 1 failed
