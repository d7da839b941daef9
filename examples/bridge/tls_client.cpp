// Ten TLS connections at the same time, with SSL_connect(), SSL_write() and SSL_read() on blocking
// sockets.
//
// WEFT_HTTPS_PORT and WEFT_CERTIFICATE say where the server is and what to trust; `tools/services
// up` starts one.
//
// Prints:
//   10 answers: hello from nginx

#include <arpa/inet.h>
#include <array>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <stdexcept>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

#include <weft/bridge.hpp>
#include <weft/weft.hpp>

namespace {

using Context = std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)>;
using Connection = std::unique_ptr<SSL, decltype(&SSL_free)>;

std::string fetch(SSL_CTX* context) {
  sockaddr_in server{};
  server.sin_family = AF_INET;
  server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  server.sin_port = htons(static_cast<std::uint16_t>(std::atoi(std::getenv("WEFT_HTTPS_PORT"))));
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (::connect(socket, reinterpret_cast<sockaddr*>(&server), sizeof server) != 0) {
    throw std::runtime_error{"no connection"};
  }
  const Connection tls{SSL_new(context), &SSL_free};
  SSL_set_fd(tls.get(), socket);
  if (SSL_connect(tls.get()) != 1) throw std::runtime_error{"no handshake"};
  const std::string request = "GET /hello.txt HTTP/1.0\r\n\r\n";
  SSL_write(tls.get(), request.data(), static_cast<int>(request.size()));
  std::string answer;
  std::array<char, 256> part{};
  for (int n = 0; (n = SSL_read(tls.get(), part.data(), part.size())) > 0;) {
    answer.append(part.data(), static_cast<std::size_t>(n));
  }
  ::close(socket);
  return answer.substr(answer.find("\r\n\r\n") + 4);
}

}  // namespace

int main() {
  weft::bridge::install();
  const Context context{SSL_CTX_new(TLS_client_method()), &SSL_CTX_free};
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
  SSL_CTX_load_verify_locations(context.get(), std::getenv("WEFT_CERTIFICATE"), nullptr);
  weft::run([&] {
    int answers = 0;
    std::string text;
    weft::with_scope([&](weft::Scope& scope) {
      for (int i = 0; i < 10; ++i) {
        scope.spawn([&] {
          text = fetch(context.get());
          ++answers;
        });
      }
    });
    std::cout << answers << " answers: " << text;
  });
}
