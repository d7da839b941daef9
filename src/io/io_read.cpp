#include <cerrno>
#include <new>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>

#include "base/real_calls.hpp"
#include "io/accept.hpp"
#include "io/io_attempt.hpp"
#include "io/io_reading.hpp"
#include "io/io_wait.hpp"
#include "reactor/descriptor.hpp"
#include "weft/extend/io.hpp"

namespace weft {

/// Suspends unless the descriptor was reported as readable: a system call that fails costs as much
/// as one that succeeds.
[[gnu::always_inline]] inline void Io::await_data(Token token, Place place) {
  if (!watched_ || !watched_->is_ready(Poll::readable)) {
    wait(Poll::readable, token, place);
  } else {
    yield_after_fair_share(token, place);
  }
}

/// Suspends until `attempt()`, a try to read, succeeds. The caller owns the lock of reads.
template <class Try>
auto Io::when_readable(Token token, Place place, Try attempt) {
  for (;;) {
    await_data(token, place);
    if (const auto result = attempt(); result >= 0) return result;
  }
}

/// Reads the bytes that have arrived. Less than 0: none have.
std::int64_t Io::try_read(Bytes to) {
  const std::int64_t n = read_now(to.data(), to.size());
  if (n > 0 || (n == 0 && type_ == Type::udp)) {
    // A short read of a TCP stream has emptied the kernel's buffer; other kinds may return one
    // message or line.
    if (type_ == Type::tcp && static_cast<std::size_t>(n) < to.size()) watched_->found_drained();
    return n;
  }
  const bool hung_up =
      n < 0 && errno == EIO && type_ == Type::tty;  // the other end of a pseudo terminal was closed
  if (n == 0 || hung_up) {
    state_ |= end_of_file;
    return 0;
  }
  return is_interrupted(Poll::readable, "read from") ? try_read(to) : -1;
}

std::size_t Io::Reading::fetch(Bytes to) {
  if (io_.type_ == Type::file) return fetch_from_file(to);
  if (io_.is_at_end()) return 0;
  return static_cast<std::size_t>(
      io_.when_readable(token_, place_, [&] { return io_.try_read(to); }));
}

std::size_t Io::Reading::fetch_more(detail::HeldBytes& held, std::size_t size) {
  if (io_.type_ == Type::file) return fetch_more_from_file(held, size);
  if (io_.is_at_end()) return 0;
  return static_cast<std::size_t>(io_.when_readable(token_, place_, [&] {
    return held.append_read(size, [&](Bytes to) { return io_.try_read(to); });
  }));
}

/// Keeps `data`, which a worker read from a file, for the next read. If there is no memory, moves
/// the position of the file back instead.
void Io::hold(std::string_view data) noexcept {
  try {
    reader_.held().append(data);
  } catch (const std::bad_alloc&) {
    ::lseek(native_, -static_cast<off_t>(data.size()), SEEK_CUR);
  }
}

/// Drops the bytes read ahead of a file and moves its position back: a write begins where the next
/// read would have begun.
void Io::unread() noexcept {
  if (buffered() == 0 || (state_ & append) != 0) return;
  if (::lseek(native_, -static_cast<off_t>(buffered()), SEEK_CUR) < 0) return;  // a device
  reader_.held().clear();
}

std::size_t Io::read_some(Bytes to, Token token, Place place) {
  return attempt("read from", "Stream::read_some()", [&]() -> std::size_t {
    check(readable, "read from");
    if (to.size() == 0) return 0;
    if (is_at_end() && type_ != Type::file && buffered() == 0) return 0;
    Reading source{*this, token, place};
    return reader_.read_some(to, source);
  });
}

void Io::read_exactly(Bytes to, Token token, Place place) {
  attempt("read from", "Stream::read_exactly()", [&] {
    check(readable, "read from");
    Reading source{*this, token, place};
    reader_.read_exactly(to, source);
  });
}

std::optional<std::string> Io::read_line(Token token, Place place) {
  return attempt("read a line from", "Stream::read_line()", [&] {
    check(readable, "read from");
    Reading source{*this, token, place};
    return reader_.read_line(source);
  });
}

std::string Io::read_all(Token token, Place place) {
  return attempt("read from", "Stream::read_all()", [&] {
    check(readable, "read from");
    Reading source{*this, token, place};
    return reader_.read_all(source);
  });
}

/// Suspends until `call()`, a system call that returns less than 0 when it fails, succeeds.
template <class Call>
auto Io::call_when_readable(const char* what, const char* function, Token token, Place place,
                            Call call) {
  return attempt(what, function, [&] {
    check(readable, what);
    const detail::StreamLockGuard guard{reading_, token, place};
    return when_readable(token, place, [&] {
      auto result = call();
      while (result < 0 && is_interrupted(Poll::readable, what)) result = call();
      return result;
    });
  });
}

std::size_t Io::receive_from(Bytes to, Address& from, Token token, Place place) {
  const ssize_t n =
      call_when_readable("receive from", "UdpSocket::receive_from()", token, place, [&] {
        sockaddr_storage storage{};
        socklen_t size = sizeof storage;
        auto* const raw = reinterpret_cast<sockaddr*>(&storage);
        const ssize_t got = real_calls.recvfrom(native_, to.data(), to.size(), 0, raw, &size);
        if (got >= 0) from = peer_address(raw, size);
        return got;
      });
  return static_cast<std::size_t>(n);
}

int Io::accept(Address& peer, Token token, Place place) {
  // Throws without descriptors or memory: the connection stays in the backlog of the kernel.
  return call_when_readable("accept from", "Listener::accept()", token, place,
                            [&] { return try_accept(native_, peer); });
}

}  // namespace weft
