// Peer: an echo server on bare epoll, written for this comparison: one thread, level-triggered,
// read and write directly, no allocation per message. The least that such a server can cost.
// Prints "port <number>" and serves 127.0.0.1 until it is killed.
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

struct Connection {
  int socket = -1;
  std::string rest;  // read, but could not be written at once
};

std::array<char, 64 * 1024> shared_buffer;
int epoll = -1;

void watch(Connection& connection, int operation, std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = &connection;
  if (::epoll_ctl(epoll, operation, connection.socket, &event) != 0) fail("epoll_ctl");
}

void accept_all(int listener) {
  for (;;) {
    const int socket = ::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0) {
      if (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED) return;
      fail("accept4");
    }
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    auto connection = std::make_unique<Connection>();
    connection->socket = socket;
    watch(*connection.release(), EPOLL_CTL_ADD, EPOLLIN);
  }
}

void close_connection(Connection* connection) {
  ::close(connection->socket);
  delete connection;
}

/// Returns how many bytes were written; -1 if the connection is over.
ssize_t write_some(const Connection& connection, const char* bytes, std::size_t size) {
  for (;;) {
    const ssize_t written = ::send(connection.socket, bytes, size, MSG_NOSIGNAL);
    if (written >= 0) return written;
    if (errno == EAGAIN) return 0;
    if (errno != EINTR) return -1;
  }
}

/// Returns false if the connection is over.
bool write_rest(Connection& connection) {
  const ssize_t written = write_some(connection, connection.rest.data(), connection.rest.size());
  if (written < 0) return false;
  connection.rest.erase(0, static_cast<std::size_t>(written));
  if (connection.rest.empty()) watch(connection, EPOLL_CTL_MOD, EPOLLIN);
  return true;
}

/// One read for each report: a second one would only find that there is no more data.
bool echo(Connection& connection) {
  const ssize_t got = ::recv(connection.socket, shared_buffer.data(), shared_buffer.size(), 0);
  if (got < 0) return errno == EAGAIN || errno == EINTR;
  if (got == 0) return false;
  const ssize_t written =
      write_some(connection, shared_buffer.data(), static_cast<std::size_t>(got));
  if (written < 0) return false;
  if (written < got) {
    connection.rest.assign(shared_buffer.data() + written, static_cast<std::size_t>(got - written));
    watch(connection, EPOLL_CTL_MOD, EPOLLOUT);
  }
  return true;
}

}  // namespace

int main() {
  epoll = ::epoll_create1(EPOLL_CLOEXEC);
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(listener, reinterpret_cast<const sockaddr*>(&address), size) != 0) fail("bind");
  if (::listen(listener, 1024) != 0) fail("listen");
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  epoll_event event{};
  event.events = EPOLLIN;
  if (::epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event) != 0) fail("epoll_ctl");
  std::printf("port %d\n", ntohs(address.sin_port));
  std::fflush(stdout);

  std::array<epoll_event, 1024> events{};
  for (;;) {
    const int count = ::epoll_wait(epoll, events.data(), static_cast<int>(events.size()), -1);
    if (count < 0 && errno != EINTR) fail("epoll_wait");
    for (int i = 0; i < count; ++i) {
      auto* connection = static_cast<Connection*>(events[static_cast<std::size_t>(i)].data.ptr);
      if (connection == nullptr) {
        accept_all(listener);
      } else if (!(connection->rest.empty() ? echo(*connection) : write_rest(*connection))) {
        close_connection(connection);
      }
    }
  }
}
