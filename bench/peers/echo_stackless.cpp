// Peer: an echo server on C++20 coroutines with the scheduler of peers/stackless/ over epoll, one
// thread; one coroutine per connection. Each socket is registered once, edge-triggered; after a
// read that did not fill the buffer, the next one waits for a report without a try. Prints "port
// <number>" and serves 127.0.0.1 until it is killed.
#include <array>
#include <cerrno>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

#include "stackless/scheduler.hpp"

namespace {

using stackless::Task;

int epoll = -1;

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

/// A descriptor, and the task that waits for it.
class Socket {
 public:
  explicit Socket(int descriptor) : descriptor_{descriptor} {
    epoll_event event{};
    event.events = EPOLLIN | EPOLLOUT | EPOLLET;
    event.data.ptr = this;
    if (::epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor_, &event) != 0) fail("epoll_ctl");
  }
  ~Socket() { ::close(descriptor_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  void on_events(std::uint32_t events) noexcept {
    happened_ |= events;
    if (waiter_ != nullptr && (happened_ & wanted_) != 0) {
      stackless::run_queue.push(*std::exchange(waiter_, nullptr));
    }
  }

  struct Wait {
    [[nodiscard]] bool await_ready() const noexcept { return (socket.happened_ & wanted) != 0; }
    std::coroutine_handle<> await_suspend(
        std::coroutine_handle<Task::promise_type> waiting) const noexcept {
      socket.wanted_ = wanted;
      socket.waiter_ = &waiting.promise();
      return stackless::run_queue.next();
    }
    void await_resume() const noexcept { socket.happened_ &= ~wanted; }
    Socket& socket;
    std::uint32_t wanted;
  };
  /// Waits until the kernel has reported the socket since the last wait.
  Wait readable() noexcept { return {*this, EPOLLIN | EPOLLHUP | EPOLLERR}; }
  Wait writable() noexcept { return {*this, EPOLLOUT | EPOLLHUP | EPOLLERR}; }

 private:
  int descriptor_;
  std::uint32_t happened_ = 0;
  std::uint32_t wanted_ = 0;
  stackless::Ready* waiter_ = nullptr;
};

Task echo(int descriptor) {
  Socket socket{descriptor};
  std::array<char, std::size_t{16} * 1024> buffer;
  for (bool is_drained = true;;) {
    if (is_drained) co_await socket.readable();
    const ssize_t got = ::recv(descriptor, buffer.data(), buffer.size(), 0);
    is_drained = got < static_cast<ssize_t>(buffer.size());
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (got <= 0) co_return;
    for (ssize_t done = 0; done < got;) {
      const ssize_t sent = ::send(descriptor, buffer.data() + done,
                                  static_cast<std::size_t>(got - done), MSG_NOSIGNAL);
      if (sent >= 0) {
        done += sent;
      } else if (errno == EAGAIN) {
        co_await socket.writable();
      } else if (errno != EINTR) {
        co_return;
      }
    }
  }
}

Task accept_all(int listener) {
  Socket socket{listener};
  for (;;) {
    const int descriptor = ::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor >= 0) {
      const int on = 1;
      ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      stackless::spawn(echo(descriptor)).detach();
    } else if (errno == EAGAIN) {
      co_await socket.readable();
    } else if (errno != EINTR && errno != ECONNABORTED) {
      fail("accept4");
    }
  }
}

int listen_on_loopback() {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(listener, reinterpret_cast<const sockaddr*>(&address), size) != 0) fail("bind");
  if (::listen(listener, 1024) != 0) fail("listen");
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  std::printf("port %d\n", ntohs(address.sin_port));
  std::fflush(stdout);
  return listener;
}

}  // namespace

int main() {
  epoll = ::epoll_create1(EPOLL_CLOEXEC);
  const Task acceptor = stackless::spawn(accept_all(listen_on_loopback()));
  std::array<epoll_event, 1024> events{};
  for (;;) {
    stackless::run();
    const int count = ::epoll_wait(epoll, events.data(), static_cast<int>(events.size()), -1);
    if (count < 0 && errno != EINTR) fail("epoll_wait");
    for (int i = 0; i < count; ++i) {
      const epoll_event& event = events[static_cast<std::size_t>(i)];
      static_cast<Socket*>(event.data.ptr)->on_events(event.events);
    }
  }
}
