#include "bridge/transfer.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstddef>
#include <fcntl.h>
#include <optional>
#include <sys/sendfile.h>
#include <termios.h>
#include <unistd.h>

#include "bridge/facts.hpp"
#include "bridge/hooks.hpp"
#include "bridge/outside.hpp"
#include "bridge/wait.hpp"
#include "weft/bridge.hpp"
#include "weft/extend/poll_event.hpp"

// read, write and sendfile of anything: sockets, pipes, terminals, files. What is no socket is
// asked by poll() first.
namespace weft::bridge {
namespace {

template <class Real>
ssize_t when_ready(const char* function, int descriptor, unsigned way, Real call_it) {
  const short events = way == Poll::readable ? POLLIN : POLLOUT;
  return once(function, descriptor, way, [&]() -> ssize_t {
    if (is_ready_now(descriptor, events)) return call_it();
    errno = EAGAIN;
    return -1;
  });
}

/// Whether a call of read() or write() is better made as it is.
bool goes_through(Facts::Kind kind) noexcept {
  return kind == Facts::Kind::regular || kind == Facts::Kind::unknown;
}

/// Whether a call for a socket has found another file: its number was closed and given out again
/// unseen. Then what is known of it is forgotten, and the call is to be made anew.
bool was_no_socket(ssize_t result, int descriptor) noexcept {
  if (result >= 0 || errno != ENOTSOCK) return false;
  number_changes(descriptor);
  return kind_of(descriptor) != Facts::Kind::socket;
}

/// How long a terminal without lines lets a read() wait for its first byte, if it need not find
/// one; nothing if the read() waits for as long as it takes.
std::optional<Duration> time_of_terminal(int descriptor) noexcept {
  termios settings{};
  if (::tcgetattr(descriptor, &settings) != 0) return std::nullopt;
  if ((settings.c_lflag & ICANON) != 0 || settings.c_cc[VMIN] != 0) return std::nullopt;
  return std::chrono::milliseconds{100} * settings.c_cc[VTIME];
}

/// A read() of a terminal, which `read_it` makes.
template <class Read>
ssize_t read_terminal(const char* function, int descriptor, Read read_it) {
  const ErrnoBefore before;
  const std::optional<Duration> time = time_of_terminal(descriptor);
  const Duration limit = timeout_of(descriptor, Poll::readable);
  if (time && *time == Duration::zero()) return before.after(read_it());
  if (!time || (limit != Duration::zero() && limit < *time)) {
    return before.after(when_ready(function, descriptor, Poll::readable, read_it));
  }
  Call call{function, descriptor, Poll::readable};
  if (!call.may_begin()) return -1;
  call.end_at(deadline_after(*time));
  const ssize_t got = until_done(call, [&]() -> ssize_t {
    if (is_ready_now(descriptor, POLLIN)) return read_it();
    errno = EAGAIN;
    return -1;
  });
  const bool is_over = got < 0 && errno == EAGAIN;
  return before.after(call.ended(is_over ? 0 : got));
}

ssize_t hooked_read(int descriptor, void* to, std::size_t size) {
  if (!may_suspend() || size == 0) return real.read(descriptor, to, size);
  const Facts::Kind kind = kind_of(descriptor);
  if (goes_through(kind)) return real.read(descriptor, to, size);
  if (kind == Facts::Kind::socket) {
    const ssize_t got = once("read", descriptor, Poll::readable,
                             [&] { return real.recv(descriptor, to, size, MSG_DONTWAIT); });
    return was_no_socket(got, descriptor) ? hooked_read(descriptor, to, size) : got;
  }
  if (is_non_blocking(descriptor)) return at_once(real.read(descriptor, to, size));
  const auto read_it = [&] { return real.read(descriptor, to, size); };
  if (kind == Facts::Kind::terminal) return read_terminal("read", descriptor, read_it);
  return when_ready("read", descriptor, Poll::readable, read_it);
}

ssize_t hooked_read_chk(int descriptor, void* to, std::size_t size, std::size_t room) {
  if (size > room) return real.read_chk(descriptor, to, size, room);  // ends the program
  return hooked_read(descriptor, to, size);
}

/// The system refuses other numbers of parts, each call with an error of its own.
bool is_number_of_parts(int count) noexcept { return count > 0 && count <= IOV_MAX; }

ssize_t hooked_readv(int descriptor, const iovec* parts, int count) {
  if (!may_suspend() || !is_number_of_parts(count)) return real.readv(descriptor, parts, count);
  const Facts::Kind kind = kind_of(descriptor);
  if (goes_through(kind) || size_of(parts, static_cast<std::size_t>(count)) == 0) {
    return real.readv(descriptor, parts, count);
  }
  if (is_non_blocking(descriptor)) return at_once(real.readv(descriptor, parts, count));
  if (kind == Facts::Kind::socket) {
    const ssize_t got = once("readv", descriptor, Poll::readable, [&] {
      msghdr message{};
      message.msg_iov = const_cast<iovec*>(parts);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
      message.msg_iovlen = static_cast<std::size_t>(count);
      return real.recvmsg(descriptor, &message, MSG_DONTWAIT);
    });
    return was_no_socket(got, descriptor) ? hooked_readv(descriptor, parts, count) : got;
  }
  const auto read_it = [&] { return real.readv(descriptor, parts, count); };
  if (kind == Facts::Kind::terminal) return read_terminal("readv", descriptor, read_it);
  return when_ready("readv", descriptor, Poll::readable, read_it);
}

/// A pipe that can be written takes this much without waiting.
constexpr std::size_t pipe_piece = PIPE_BUF;

/// Output of the program is written as it is: a coroutine that is suspended in the middle of it
/// would let the others write in between.
bool is_output(int descriptor) noexcept { return descriptor >= 0 && descriptor <= 2; }

/// Makes a call that has no flag for it not wait: changes the mode of `descriptor` for the moment.
template <class CallIt>
ssize_t without_waiting(int descriptor, CallIt call_it) noexcept {
  const int flags = real.fcntl(descriptor, F_GETFL);
  if (flags < 0) return -1;
  real.fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
  const ssize_t done = call_it();
  const int error = errno;
  real.fcntl(descriptor, F_SETFL, flags);
  errno = error;
  return done;
}

/// write() to a pipe or a terminal. Of a terminal poll() does not say how much it takes.
ssize_t write_pieces(const char* function, int descriptor, Facts::Kind kind, const void* from,
                     std::size_t size) {
  Call call{function, descriptor, Poll::writable};
  if (!call.may_begin()) return -1;
  const ssize_t done = all_of(call, size, [&](std::size_t offset) -> ssize_t {
    if (kind == Facts::Kind::terminal) {
      return without_waiting(
          descriptor, [&] { return real.write(descriptor, at(from, offset), size - offset); });
    }
    if (is_ready_now(descriptor, POLLOUT)) {
      return real.write(descriptor, at(from, offset), std::min(size - offset, pipe_piece));
    }
    errno = EAGAIN;
    return -1;
  });
  return call.ended(done);
}

bool writes_pieces(Facts::Kind kind) noexcept {
  return kind == Facts::Kind::pipe || kind == Facts::Kind::terminal;
}

ssize_t hooked_write(int descriptor, const void* from, std::size_t size) {
  if (!may_suspend() || is_output(descriptor)) return real.write(descriptor, from, size);
  const Facts::Kind kind = kind_of(descriptor);
  if (goes_through(kind) || is_non_blocking(descriptor)) {
    return real.write(descriptor, from, size);
  }
  if (kind == Facts::Kind::socket) {
    const ssize_t sent = transmit("write", descriptor, from, size, 0, nullptr, 0);
    return was_no_socket(sent, descriptor) ? hooked_write(descriptor, from, size) : sent;
  }
  if (size == 0) return real.write(descriptor, from, 0);  // never waits
  if (writes_pieces(kind)) return write_pieces("write", descriptor, kind, from, size);
  return when_ready("write", descriptor, Poll::writable,
                    [&] { return real.write(descriptor, from, size); });
}

ssize_t hooked_writev(int descriptor, const iovec* parts, int count) {
  if (!may_suspend() || is_output(descriptor) || !is_number_of_parts(count)) {
    return real.writev(descriptor, parts, count);
  }
  const Facts::Kind kind = kind_of(descriptor);
  if (goes_through(kind) || is_non_blocking(descriptor)) {
    return real.writev(descriptor, parts, count);
  }
  const auto many = static_cast<std::size_t>(count);
  if (kind == Facts::Kind::socket) {
    msghdr message{};
    message.msg_iov = const_cast<iovec*>(parts);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
    message.msg_iovlen = many;
    const ssize_t sent = transmit_message("writev", descriptor, &message, 0);
    return was_no_socket(sent, descriptor) ? hooked_writev(descriptor, parts, count) : sent;
  }
  if (size_of(parts, many) == 0) return real.writev(descriptor, parts, count);
  const bool is_one_piece = kind == Facts::Kind::pipe && size_of(parts, many) <= pipe_piece;
  if (!writes_pieces(kind) || is_one_piece) {
    return when_ready("writev", descriptor, Poll::writable,
                      [&] { return real.writev(descriptor, parts, count); });
  }
  const ErrnoBefore before;
  std::size_t done = 0;
  for (std::size_t i = 0; i < many; ++i) {
    if (parts[i].iov_len == 0) continue;
    const ssize_t n = write_pieces("writev", descriptor, kind, parts[i].iov_base, parts[i].iov_len);
    if (n < 0 && done == 0) return -1;
    if (n < 0) break;
    done += static_cast<std::size_t>(n);
    if (static_cast<std::size_t>(n) < parts[i].iov_len) break;
  }
  return before.after(static_cast<ssize_t>(done));
}

ssize_t hooked_sendfile(int to, int from, off_t* offset, std::size_t size) {
  if (!may_suspend() || is_output(to)) return real.sendfile(to, from, offset, size);
  const Facts::Kind kind = kind_of(to);
  if (kind != Facts::Kind::socket || is_non_blocking(to)) {
    return real.sendfile(to, from, offset, size);
  }
  Call call{"sendfile", to, Poll::writable};
  if (!call.may_begin()) return -1;
  call.takes_errors();
  const ssize_t sent = all_of(call, size, [&](std::size_t done) {
    return without_waiting(to, [&] { return real.sendfile(to, from, offset, size - done); });
  });
  return call.ended(sent);
}

}  // namespace

void add_transfer(Hooks& hooks) {
  hooks.push_back(hook("read", outside<&hooked_read, &Real::read>, real.read, transfer));
  hooks.push_back(hook("__read", outside<&hooked_read, &Real::read>, real.read, transfer));
  hooks.push_back(hook("__read_chk", &hooked_read_chk, real.read_chk, transfer));
  hooks.push_back(hook("readv", outside<&hooked_readv, &Real::readv>, real.readv, transfer));
  hooks.push_back(hook("write", outside<&hooked_write, &Real::write>, real.write, transfer));
  hooks.push_back(hook("__write", outside<&hooked_write, &Real::write>, real.write, transfer));
  hooks.push_back(hook("writev", outside<&hooked_writev, &Real::writev>, real.writev, transfer));
  hooks.push_back(
      hook("sendfile", outside<&hooked_sendfile, &Real::sendfile>, real.sendfile, transfer));
  hooks.push_back(
      hook("sendfile64", outside<&hooked_sendfile, &Real::sendfile>, real.sendfile, transfer));
}

}  // namespace weft::bridge
