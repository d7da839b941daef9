#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <new>
#include <optional>
#include <sys/sendfile.h>
#include <termios.h>
#include <vector>

#include "base/system_calls.hpp"
#include "bridge/facts.hpp"
#include "bridge/hooks.hpp"
#include "bridge/timespec.hpp"
#include "bridge/wait.hpp"
#include "weft/bridge.hpp"
#include "weft/extend/poll_event.hpp"

// read, write, recv, send and their relatives: tried without waiting first. A socket takes
// MSG_DONTWAIT for that; what is none is asked by poll().
namespace weft::bridge {
namespace {

/// Calls that never wait, or of which the caller does not want it.
bool never_waits(int flags) noexcept {
  return (flags & (MSG_DONTWAIT | MSG_ERRQUEUE | MSG_OOB)) != 0;
}

/// Tries until the try does not find the descriptor unready. A call that has a part leaves an error
/// of the socket to the next one, as the system does.
template <class Try>
ssize_t until_done(Call& call, Try attempt) {
  while (true) {
    if (call.would_take_error()) return -1;
    const ssize_t done = attempt();
    if (done >= 0 || errno != EAGAIN) return done;
    if (!call.wait()) return -1;
  }
}

template <class Try>
ssize_t once(const char* function, int descriptor, unsigned way, Try attempt) {
  Call call{function, descriptor, way};
  if (!call.may_begin()) return -1;
  const ssize_t done = until_done(call, attempt);
  return call.ended(done);
}

bool is_stream_socket(int descriptor) noexcept { return type_of(descriptor) == SOCK_STREAM; }

/// Transfers all of `size`, with `part(offset)` for what is left, as a blocking call does. What was
/// done before an error counts.
template <class Part>
ssize_t all_of(Call& call, std::size_t size, Part part) {
  std::size_t done = 0;
  while (true) {
    const ssize_t n = until_done(call, [&] { return part(done); });
    if (n < 0) return done > 0 ? static_cast<ssize_t>(done) : -1;
    done += static_cast<std::size_t>(n);
    if (n == 0 || done >= size) return static_cast<ssize_t>(done);
    call.has_begun();
  }
}

char* at(void* start, std::size_t offset) noexcept { return static_cast<char*>(start) + offset; }
const char* at(const void* start, std::size_t offset) noexcept {
  return static_cast<const char*>(start) + offset;
}

std::size_t size_of(const iovec* parts, std::size_t count) noexcept {
  std::size_t size = 0;
  for (std::size_t i = 0; i < count; ++i) size += parts[i].iov_len;
  return size;
}

std::size_t size_of(const msghdr& message) noexcept {
  return size_of(message.msg_iov, message.msg_iovlen);
}

/// What is left of `parts` after `done` bytes. Throws std::bad_alloc.
std::vector<iovec> rest_of(const iovec* parts, std::size_t count, std::size_t done) {
  std::vector<iovec> rest;
  rest.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t skip = std::min(done, parts[i].iov_len);
    done -= skip;
    if (skip < parts[i].iov_len) {
      rest.push_back({at(parts[i].iov_base, skip), parts[i].iov_len - skip});
    }
  }
  return rest;
}

/// Calls `part` with a message of what is left of `parts` after `done` bytes.
template <class Part>
ssize_t with_rest(const iovec* parts, std::size_t count, std::size_t done, Part part) {
  try {
    std::vector<iovec> rest = rest_of(parts, count, done);
    msghdr message{};
    message.msg_iov = rest.data();
    message.msg_iovlen = rest.size();
    return part(message);
  } catch (const std::bad_alloc&) {
    errno = ENOMEM;
    return -1;
  }
}

// Receiving.

/// Reads until `size` bytes are there: a peek begins anew each time, so it waits in between.
template <class Peek>
ssize_t peek_all(const char* function, int descriptor, std::size_t size, Peek peek) {
  const Duration limit = timeout_of(descriptor, Poll::readable);
  const TimePoint deadline = limit == Duration::zero() ? never : deadline_after(limit);
  GrowingDelay delay{function, deadline, deadline == never ? Restart::if_wanted : Restart::never};
  ssize_t seen = peek();
  ssize_t before = -1;
  while (seen > 0 && static_cast<std::size_t>(seen) < size) {
    if (seen == before && real.recv(descriptor, nullptr, 0, MSG_DONTWAIT | MSG_PEEK) == 0) {
      pollfd query{descriptor, POLLRDHUP, 0};
      if (real.poll(&query, 1, 0) > 0) break;  // no more will come
    }
    before = seen;
    if (delay.wait() != Ended::ready) break;
    seen = peek();
  }
  return seen;
}

/// recvfrom() in a coroutine; recv() is that without an address.
ssize_t receive(const char* function, int descriptor, void* to, std::size_t size, int flags,
                sockaddr* from, socklen_t* from_size) {
  Call call{function, descriptor, Poll::readable};
  if (!call.may_begin()) return -1;
  const auto attempt = [&](std::size_t done) {
    return real.recvfrom(descriptor, at(to, done), size - done, flags | MSG_DONTWAIT, from,
                         from_size);
  };
  ssize_t got = until_done(call, [&] { return attempt(0); });
  if ((flags & MSG_WAITALL) != 0 && got > 0 && static_cast<std::size_t>(got) < size &&
      is_stream_socket(descriptor) && !is_non_blocking(descriptor)) {
    if ((flags & MSG_PEEK) != 0) {
      if (!is_tcp(descriptor)) return call.ended(got);  // others do not wait for more
      return call.ended(peek_all(function, descriptor, size, [&] { return attempt(0); }));
    }
    const auto first = static_cast<std::size_t>(got);
    call.has_begun();
    const ssize_t more =
        all_of(call, size - first, [&](std::size_t done) { return attempt(first + done); });
    if (more > 0) got += more;
  }
  return call.ended(got);
}

ssize_t hooked_recv(int descriptor, void* to, std::size_t size, int flags) {
  if (!may_suspend() || never_waits(flags)) return real.recv(descriptor, to, size, flags);
  if ((flags & MSG_WAITALL) != 0) {
    return receive("recv", descriptor, to, size, flags, nullptr, nullptr);
  }
  return once("recv", descriptor, Poll::readable,
              [&] { return real.recv(descriptor, to, size, flags | MSG_DONTWAIT); });
}

ssize_t hooked_recv_chk(int descriptor, void* to, std::size_t size, std::size_t room, int flags) {
  if (size > room) return real.recv_chk(descriptor, to, size, room, flags);  // ends the program
  return hooked_recv(descriptor, to, size, flags);
}

ssize_t hooked_recvfrom(int descriptor, void* to, std::size_t size, int flags, sockaddr* from,
                        socklen_t* from_size) {
  if (!may_suspend() || never_waits(flags)) {
    return real.recvfrom(descriptor, to, size, flags, from, from_size);
  }
  return receive("recvfrom", descriptor, to, size, flags, from, from_size);
}

ssize_t hooked_recvfrom_chk(int descriptor, void* to, std::size_t size, std::size_t room, int flags,
                            sockaddr* from, socklen_t* from_size) {
  if (size > room) {
    return real.recvfrom_chk(descriptor, to, size, room, flags, from, from_size);
  }
  return hooked_recvfrom(descriptor, to, size, flags, from, from_size);
}

ssize_t hooked_recvmsg(int descriptor, msghdr* message, int flags) {
  if (!may_suspend() || never_waits(flags) || message == nullptr) {
    return real.recvmsg(descriptor, message, flags);
  }
  Call call{"recvmsg", descriptor, Poll::readable};
  if (!call.may_begin()) return -1;
  const std::size_t size = size_of(message->msg_iov, message->msg_iovlen);
  ssize_t got =
      until_done(call, [&] { return real.recvmsg(descriptor, message, flags | MSG_DONTWAIT); });
  if ((flags & MSG_WAITALL) != 0 && (flags & MSG_PEEK) == 0 && got > 0 &&
      static_cast<std::size_t>(got) < size && message->msg_controllen == 0 &&
      is_stream_socket(descriptor) && !is_non_blocking(descriptor)) {
    const auto first = static_cast<std::size_t>(got);
    call.has_begun();
    const ssize_t more = all_of(call, size - first, [&](std::size_t done) -> ssize_t {
      return with_rest(message->msg_iov, message->msg_iovlen, first + done, [&](msghdr& rest) {
        return real.recvmsg(descriptor, &rest, flags | MSG_DONTWAIT);
      });
    });
    if (more > 0) got += more;
  }
  return call.ended(got);
}

// Sending.

/// The flags of a try that does not wait. A call that has sent a part raises no SIGPIPE.
int flags_at(std::size_t offset, int flags) noexcept {
  return flags | MSG_DONTWAIT | (offset > 0 ? MSG_NOSIGNAL : 0);
}

/// After a try to connect and send at once: the connection is under way, and nothing was sent. The
/// call waits until it can send, as for room. From then on `flags` are those of a plain send.
bool has_begun_to_connect(ssize_t sent, int& flags) noexcept {
  if (sent >= 0 || errno != EINPROGRESS || (flags & MSG_FASTOPEN) == 0) return false;
  flags &= ~MSG_FASTOPEN;
  errno = EAGAIN;
  return true;
}

/// sendto() in a coroutine; send() is that without an address.
ssize_t transmit(const char* function, int descriptor, const void* from, std::size_t size,
                 int flags, const sockaddr* to, socklen_t to_size) {
  Call call{function, descriptor, Poll::writable};
  if (!call.may_begin()) return -1;
  const ssize_t done = all_of(call, size, [&](std::size_t offset) {
    const ssize_t sent = real.sendto(descriptor, at(from, offset), size - offset,
                                     flags_at(offset, flags), to, to_size);
    if (has_begun_to_connect(sent, flags)) {
      to = nullptr;
      to_size = 0;
    }
    return sent;
  });
  return call.ended(done);
}

ssize_t hooked_send(int descriptor, const void* from, std::size_t size, int flags) {
  if (!may_suspend() || (flags & MSG_DONTWAIT) != 0 || is_non_blocking(descriptor)) {
    return real.send(descriptor, from, size, flags);
  }
  return transmit("send", descriptor, from, size, flags, nullptr, 0);
}

ssize_t hooked_sendto(int descriptor, const void* from, std::size_t size, int flags,
                      const sockaddr* to, socklen_t to_size) {
  if (!may_suspend() || (flags & MSG_DONTWAIT) != 0 || is_non_blocking(descriptor)) {
    return real.sendto(descriptor, from, size, flags, to, to_size);
  }
  return transmit("sendto", descriptor, from, size, flags, to, to_size);
}

/// The first part goes with the control data, the rest without.
ssize_t transmit_message(const char* function, int descriptor, const msghdr* message, int flags) {
  Call call{function, descriptor, Poll::writable};
  if (!call.may_begin()) return -1;
  const std::size_t size = size_of(message->msg_iov, message->msg_iovlen);
  msghdr first = *message;
  const ssize_t sent = all_of(call, size, [&](std::size_t done) -> ssize_t {
    if (done == 0) {
      const ssize_t n = real.sendmsg(descriptor, &first, flags_at(0, flags));
      if (has_begun_to_connect(n, flags)) {
        first.msg_name = nullptr;
        first.msg_namelen = 0;
      }
      return n;
    }
    return with_rest(message->msg_iov, message->msg_iovlen, done, [&](const msghdr& rest) {
      return real.sendmsg(descriptor, &rest, flags_at(done, flags));
    });
  });
  return call.ended(sent);
}

ssize_t hooked_sendmsg(int descriptor, const msghdr* message, int flags) {
  if (!may_suspend() || (flags & MSG_DONTWAIT) != 0 || message == nullptr ||
      is_non_blocking(descriptor)) {
    return real.sendmsg(descriptor, message, flags);
  }
  return transmit_message("sendmsg", descriptor, message, flags);
}

/// Whether a call of `events` would not wait, as poll() says. Another thread may take what is there
/// before the call does.
bool is_ready_now(int descriptor, short events) noexcept {
  pollfd query{descriptor, events, 0};
  return real.poll(&query, 1, 0) != 0;
}

// Several messages. The first error counts only if it comes before all of them.

/// As the system does, it looks at `timeout` only when a message has come.
int hooked_recvmmsg(int descriptor, mmsghdr* messages, unsigned count, int flags,
                    timespec* timeout) {
  const bool is_refused = timeout != nullptr && !is_valid(*timeout);
  if (!may_suspend() || never_waits(flags) || count == 0 || is_refused ||
      is_non_blocking(descriptor)) {
    return real.recvmmsg(descriptor, messages, count, flags, timeout);
  }
  Call call{"recvmmsg", descriptor, Poll::readable};
  if (!call.may_begin()) return -1;
  const bool one_is_enough = (flags & MSG_WAITFORONE) != 0;
  TimePoint deadline = never;
  if (timeout != nullptr) deadline = deadline_after(duration_of(*timeout));
  unsigned done = 0;
  while (done < count) {
    const unsigned at_once = timeout != nullptr ? 1 : count - done;
    const ssize_t got = until_done(call, [&]() -> ssize_t {
      return real.recvmmsg(descriptor, messages + done, at_once,
                           (flags & ~MSG_WAITFORONE) | MSG_DONTWAIT, nullptr);
    });
    if (got < 0 && done == 0) return -1;
    if (got <= 0) break;
    done += static_cast<unsigned>(got);
    call.has_begun();
    if (one_is_enough && timeout == nullptr) break;
    if (deadline != never && clock_now() >= deadline) break;
    if (one_is_enough && !is_ready_now(descriptor, POLLIN)) break;
  }
  if (timeout != nullptr) *timeout = time_of(time_until(deadline, clock_now()));
  return call.ended(static_cast<int>(done));
}

int hooked_sendmmsg(int descriptor, mmsghdr* messages, unsigned count, int flags) {
  if (!may_suspend() || (flags & MSG_DONTWAIT) != 0 || is_non_blocking(descriptor)) {
    return real.sendmmsg(descriptor, messages, count, flags);
  }
  const ErrnoBefore before;
  unsigned done = 0;
  for (; done < count; ++done) {
    const ssize_t sent = transmit_message("sendmmsg", descriptor, &messages[done].msg_hdr, flags);
    if (sent < 0 && done == 0) return -1;
    if (sent < 0) break;
    messages[done].msg_len = static_cast<unsigned>(sent);
    if (static_cast<std::size_t>(sent) < size_of(messages[done].msg_hdr)) {
      ++done;
      break;
    }
  }
  return before.after(static_cast<int>(done));
}

// Anything: sockets, pipes, terminals, files.

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
  if (is_non_blocking(descriptor)) return real.read(descriptor, to, size);
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
  if (goes_through(kind) || is_non_blocking(descriptor) ||
      size_of(parts, static_cast<std::size_t>(count)) == 0) {
    return real.readv(descriptor, parts, count);
  }
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
  hooks.push_back(hook("recv", &hooked_recv, real.recv, transfer));
  hooks.push_back(hook("__recv", &hooked_recv, real.recv, transfer));
  hooks.push_back(hook("__recv_chk", &hooked_recv_chk, real.recv_chk, transfer));
  hooks.push_back(hook("recvfrom", &hooked_recvfrom, real.recvfrom, transfer));
  hooks.push_back(hook("__recvfrom_chk", &hooked_recvfrom_chk, real.recvfrom_chk, transfer));
  hooks.push_back(hook("recvmsg", &hooked_recvmsg, real.recvmsg, transfer));
  hooks.push_back(hook("recvmmsg", &hooked_recvmmsg, real.recvmmsg, transfer));
  hooks.push_back(hook("sendmmsg", &hooked_sendmmsg, real.sendmmsg, transfer));
  hooks.push_back(hook("__sendmmsg", &hooked_sendmmsg, real.sendmmsg, transfer));
  hooks.push_back(hook("send", &hooked_send, real.send, transfer));
  hooks.push_back(hook("__send", &hooked_send, real.send, transfer));
  hooks.push_back(hook("sendto", &hooked_sendto, real.sendto, transfer));
  hooks.push_back(hook("sendmsg", &hooked_sendmsg, real.sendmsg, transfer));
  hooks.push_back(hook("read", &hooked_read, real.read, transfer));
  hooks.push_back(hook("__read", &hooked_read, real.read, transfer));
  hooks.push_back(hook("__read_chk", &hooked_read_chk, real.read_chk, transfer));
  hooks.push_back(hook("readv", &hooked_readv, real.readv, transfer));
  hooks.push_back(hook("write", &hooked_write, real.write, transfer));
  hooks.push_back(hook("__write", &hooked_write, real.write, transfer));
  hooks.push_back(hook("writev", &hooked_writev, real.writev, transfer));
  hooks.push_back(hook("sendfile", &hooked_sendfile, real.sendfile, transfer));
  hooks.push_back(hook("sendfile64", &hooked_sendfile, real.sendfile, transfer));
}

}  // namespace weft::bridge
