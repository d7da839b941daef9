#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <span>
#include <sys/socket.h>
#include <sys/uio.h>

#include "base/real_calls.hpp"
#include "io/io_attempt.hpp"
#include "io/io_error.hpp"
#include "io/io_wait.hpp"
#include "wait/await_as.hpp"
#include "weft/detail/unwritten_parts.hpp"
#include "weft/extend/io.hpp"
#include "weft/timer.hpp"

namespace weft {

/// Suspends until `attempt()`, a try to write, succeeds; the first try is made at once, because
/// most succeed. The caller owns the lock of writes.
template <class Try>
std::size_t Io::when_writable(Token token, Place place, Try attempt) {
  yield_after_fair_share(token, place);
  for (;;) {
    if (const std::int64_t n = attempt(); n >= 0) return static_cast<std::size_t>(n);
    wait(Poll::writable, token, place);
  }
}

/// Writes as much as the kernel takes. Less than 0: the kernel takes nothing now.
std::int64_t Io::try_write(ConstBytes from) {
  const std::int64_t n = write_now(from.data(), std::min(from.size(), max_write));
  if (n >= 0) return n;
  return is_interrupted(Poll::writable, "write to") ? try_write(from) : -1;
}

/// Writes as much of `parts` as the kernel takes, and removes what was written from `parts`.
std::int64_t Io::try_write(detail::UnwrittenParts& parts) {
  if (parts.count() == 1) {
    const std::int64_t n = try_write(parts[0]);
    if (n > 0) parts.skip(static_cast<std::size_t>(n));
    return n;
  }
  constexpr std::size_t at_once = 64;
  iovec pieces[at_once];
  const std::size_t count = std::min(parts.count(), at_once);
  std::size_t room = max_write;
  for (std::size_t i = 0; i < count; ++i) {
    const ConstBytes part = parts[i];
    pieces[i].iov_base = const_cast<std::byte*>(part.data());
    pieces[i].iov_len = std::min(part.size(), room);
    room -= pieces[i].iov_len;
  }
  const std::int64_t n = write_now(pieces, count);
  if (n < 0) return is_interrupted(Poll::writable, "write to") ? try_write(parts) : -1;
  parts.skip(static_cast<std::size_t>(n));
  return n;
}

std::size_t Io::write_some(ConstBytes from, Token token, Place place) {
  return attempt("write to", "Stream::write_some()", [&]() -> std::size_t {
    check(writable, "write to");
    if (from.size() == 0) return 0;
    if (type_ == Type::file) return write_file(from, token, place);  // which locks the stream
    const detail::StreamLockGuard guard{writing_, token, place};
    return when_writable(token, place, [&] { return try_write(from); });
  });
}

void Io::write_all(ConstBytes from, Token token, Place place) {
  attempt("write to", "Stream::write_all()", [&] {
    check(writable, "write to");
    if (type_ == Type::file) {
      for (std::size_t done = 0; done < from.size();) {
        done += write_file(from.from(done), token, place);
      }
      return;
    }
    const detail::StreamLockGuard guard{writing_, token, place};
    for (std::size_t done = 0; done < from.size();) {
      done += when_writable(token, place, [&] { return try_write(from.from(done)); });
    }
  });
}

void Io::write_gathered(std::span<const ConstBytes> parts, Token token, Place place) {
  attempt("write to", "Stream::write_gathered()", [&] {
    check(writable, "write to");
    if (type_ == Type::file) return write_file(parts, token, place);
    const detail::StreamLockGuard guard{writing_, token, place};
    detail::UnwrittenParts rest{parts};
    while (!rest.is_empty()) when_writable(token, place, [&] { return try_write(rest); });
  });
}

void Io::send_to(ConstBytes data, const Address& to, Token token, Place place) {
  const Ref<Io> keep{this};
  const auto receiver = [&] {
    const bool is_unix = to.family() == Address::Family::unix_path;
    return (is_unix ? "send to unix socket " : "send to UDP ") + to.to_string();
  };
  const auto send = [&] {
    check(writable, "write to");
    const detail::StreamLockGuard guard{writing_, token, place};
    yield_after_fair_share(token, place);
    Duration pause = std::chrono::milliseconds{1};
    for (;;) {
      const ssize_t n = real_calls.sendto(native_, data.data(), data.size(), MSG_NOSIGNAL,
                                          static_cast<const sockaddr*>(to.native()),
                                          static_cast<socklen_t>(to.native_size()));
      if (n >= 0) return;
      if (was_interrupted(receiver)) continue;
      // The receiver of a unix datagram may be full, and the kernel does not report when that
      // changes. The socket itself is writable then, so it is not stored as unready.
      pollfd query{native_, POLLOUT, 0};
      if (real_calls.poll(&query, 1, 0) <= 0) {
        wait_for_room(token, place);
        continue;
      }
      Timer timer{pause};
      await_as("UdpSocket::send_to()", timer, token, place);
      end_wait_if_closed();
      pause = std::min<Duration>(pause * 2, std::chrono::milliseconds{50});
    }
  };
  naming_refusals("UdpSocket::send_to()", [&] { naming_timeouts(receiver, send); });
}

void Io::finish_connect(const Address& to, Token token, Place place) {
  const bool is_tcp = type_ == Type::tcp;
  attempt("connect to", is_tcp ? "TcpStream::connect()" : "UnixStream::connect()", [&] {
    const detail::StreamLockGuard guard{writing_, token, place};
    for (;;) {
      wait_for_room(token, place);
      const int error = option(SOL_SOCKET, SO_ERROR);
      if (error != 0) throw_io_error(error, "connect to " + name());
      sockaddr_storage storage{};
      socklen_t size = sizeof storage;
      if (::getpeername(native_, reinterpret_cast<sockaddr*>(&storage), &size) == 0) break;
      if (errno != ENOTCONN) throw_io_error(errno, "connect to " + to.to_string());
    }
    set_peer(to);
  });
}

}  // namespace weft
