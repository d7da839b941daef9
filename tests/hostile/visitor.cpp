#include "visitor.hpp"

#include <arpa/inet.h>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <netinet/in.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/time.h>
#include <thread>
#include <unistd.h>

namespace weft_hostile {
namespace {

using namespace std::chrono_literals;

constexpr time_t seconds_for_an_answer = 1;
constexpr auto time_to_open = 5s;
constexpr auto time_to_end = 3s;

sockaddr_in local(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

/// A connected socket, or -1.
int connect_to(std::uint16_t port) {
  const int connection = ::socket(AF_INET, SOCK_STREAM, 0);
  const timeval limit{seconds_for_an_answer, 0};
  ::setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  const sockaddr_in address = local(port);
  if (::connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    return connection;
  }
  ::close(connection);
  return -1;
}

bool is_open(std::uint16_t port) {
  const auto end = std::chrono::steady_clock::now() + time_to_open;
  while (std::chrono::steady_clock::now() < end) {
    if (const int connection = connect_to(port); connection >= 0) {
      ::close(connection);
      return true;
    }
    std::this_thread::sleep_for(1ms);
  }
  return false;
}

/// Sends a request and reads until the server closes the connection or a time limit ends. A missing
/// answer is no finding: the server may be under attack.
void request(std::uint16_t port, std::string_view path) {
  const int connection = connect_to(port);
  if (connection < 0) return;
  const std::string text =
      "GET " + std::string{path} + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  ::send(connection, text.data(), text.size(), MSG_NOSIGNAL);
  char buffer[4096];
  while (::recv(connection, buffer, sizeof buffer, 0) > 0) {
  }
  ::close(connection);
}

}  // namespace

std::uint16_t free_port() {
  const int probe = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = local(0);
  socklen_t size = sizeof address;
  const bool found = ::bind(probe, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                     ::getsockname(probe, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  ::close(probe);
  return found ? ntohs(address.sin_port) : std::uint16_t{0};
}

void expect_visitor() noexcept {
  // Not SIG_IGN, which children of the program would inherit.
  for (const int number : {SIGTERM, SIGINT}) std::signal(number, [](int) {});
}

pid_t send_visitor(std::uint16_t port, pid_t program) {
  const pid_t visitor = ::fork();
  if (visitor != 0) return visitor;
  if (is_open(port)) {
    for (const char* path : {"/", "/delay/5", "/fetch?n=3", "/file", "/exec", "/nothing"}) {
      request(port, path);
    }
  }
  ::kill(program, SIGTERM);
  std::this_thread::sleep_for(time_to_end);
  ::kill(program, SIGINT);
  ::pause();  // until the harness kills this process
  std::_Exit(0);
}

}  // namespace weft_hostile
