#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "context/sanitizer.hpp"
#include "valgrind.hpp"

// Raw descriptors, for tests that check what the kernel sees.
namespace weft_test {

inline bool is_open(int descriptor) { return ::fcntl(descriptor, F_GETFD) >= 0; }

inline bool is_readable(int descriptor, int wait_ms) {
  pollfd waiting{descriptor, POLLIN, 0};
  return ::poll(&waiting, 1, wait_ms) == 1;
}

/// Whether a test may use up all descriptors. Under valgrind not, which closes descriptors above
/// the limit itself; nor under sanitizers, which need a pipe to check whether memory is readable.
inline bool descriptors_can_run_out() { return !WEFT_ASAN && !is_under_valgrind(); }

/// Owns a raw descriptor and closes it.
class OwnDescriptor {
 public:
  explicit OwnDescriptor(int number = -1) noexcept : number_{number} {}
  OwnDescriptor(OwnDescriptor&& other) noexcept : number_{other.release()} {}
  OwnDescriptor& operator=(OwnDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~OwnDescriptor() { reset(); }
  [[nodiscard]] int get() const noexcept { return number_; }
  int release() noexcept { return std::exchange(number_, -1); }
  void reset() noexcept {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_;
};

/// Two connected descriptors.
struct Ends {
  OwnDescriptor here;
  OwnDescriptor there;

  static Ends sockets(int type = SOCK_STREAM) {
    int both[2] = {-1, -1};
    if (::socketpair(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, both) != 0) {
      throw std::system_error{errno, std::generic_category(), "socketpair"};
    }
    return {OwnDescriptor{both[0]}, OwnDescriptor{both[1]}};
  }
  /// The ends of a TCP connection; `here` is the client.
  static Ends tcp() {
    const OwnDescriptor listener{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const raw = reinterpret_cast<sockaddr*>(&address);
    OwnDescriptor here{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    if (::bind(listener.get(), raw, size) != 0 || ::listen(listener.get(), 1) != 0 ||
        ::getsockname(listener.get(), raw, &size) != 0 || ::connect(here.get(), raw, size) != 0 ||
        ::fcntl(here.get(), F_SETFL, O_NONBLOCK) != 0) {
      throw std::system_error{errno, std::generic_category(), "connect"};
    }
    constexpr int flags = SOCK_CLOEXEC | SOCK_NONBLOCK;
    return {std::move(here), OwnDescriptor{::accept4(listener.get(), nullptr, nullptr, flags)}};
  }
  /// The ends of a pipe; `here` is the reading end.
  static Ends pipe() {
    int both[2] = {-1, -1};
    if (::pipe2(both, O_CLOEXEC | O_NONBLOCK) != 0) {
      throw std::system_error{errno, std::generic_category(), "pipe2"};
    }
    return {OwnDescriptor{both[0]}, OwnDescriptor{both[1]}};
  }
};

/// Closes a connection with a reset instead of an orderly end.
inline void reset(OwnDescriptor& socket) {
  const linger now{1, 0};
  ::setsockopt(socket.get(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
  socket.reset();
}

/// Writes as much of `text` as fits; returns how much.
inline std::size_t put(int descriptor, std::string_view text) {
  const ssize_t n = ::write(descriptor, text.data(), text.size());
  return n < 0 ? 0 : static_cast<std::size_t>(n);
}
/// Writes until the descriptor would block; returns how many bytes were written.
inline std::size_t fill(int descriptor) {
  const std::string block(4096, 'x');
  std::size_t all = 0;
  while (const std::size_t n = put(descriptor, block)) all += n;
  while (put(descriptor, "x") == 1) ++all;
  return all;
}
/// Reads the bytes that have arrived.
inline std::string take(int descriptor, std::size_t most = 1U << 20U) {
  std::string text(most, '\0');
  const ssize_t n = ::read(descriptor, text.data(), text.size());
  text.resize(n < 0 ? 0 : static_cast<std::size_t>(n));
  return text;
}
inline std::size_t drain(int descriptor) {
  std::size_t all = 0;
  for (;;) {
    const std::size_t n = take(descriptor).size();
    if (n == 0) return all;
    all += n;
  }
}

}  // namespace weft_test
