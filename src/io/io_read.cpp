#include <cerrno>
#include <new>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "base/system_calls.hpp"
#include "io/io_attempt.hpp"
#include "io/io_error.hpp"
#include "io/io_wait.hpp"
#include "reactor/accept_errors.hpp"
#include "reactor/descriptor.hpp"
#include "weft/extend/io.hpp"

namespace weft {

/// Waits, unless something is known to be there: a try that fails costs as much as one that does
/// not.
void Io::await_data(Token token, Place place) {
  if (!watched_ || !watched_->is_ready(Poll::readable)) {
    wait(Poll::readable, token, place);
  } else {
    be_fair(token, place);
  }
}

/// Reads what there is. Less than 0: nothing was there after all.
std::int64_t Io::try_fetch(Bytes to) {
  const std::int64_t n = read_now(to.data(), to.size());
  if (n > 0 || (n == 0 && type_ == Type::udp)) {
    // Of a TCP stream less than asked for is all there was; others may give one message or line.
    if (type_ == Type::tcp && static_cast<std::size_t>(n) < to.size()) watched_->found_drained();
    return n;
  }
  const bool hung_up = n < 0 && errno == EIO && type_ == Type::tty;  // a pseudo terminal's end
  if (n == 0 || hung_up) {
    state_ |= end_of_file;
    return 0;
  }
  if (errno == EINTR) return -1;
  if (errno != EAGAIN && errno != EWOULDBLOCK) fail(errno, "read from");
  watched_->found_unready(Poll::readable);
  return -1;
}

/// Reads into `to` what there is. The turn is ours.
std::size_t Io::fetch(Bytes to, detail::Turn& turn, Token token, Place place) {
  if (type_ == Type::file) return read_file(to, turn, token, place);
  for (;;) {
    if (is_at_end()) return 0;
    await_data(token, place);
    if (const std::int64_t n = try_fetch(to); n >= 0) return static_cast<std::size_t>(n);
  }
}

/// For the next reader. A file can be read again from where it was, if there is no memory.
void Io::hold(std::string_view data) noexcept {
  try {
    held_.append(data);
  } catch (const std::bad_alloc&) {
    ::lseek(native_, -static_cast<off_t>(data.size()), SEEK_CUR);
  }
}

/// A file is written where its next read would begin, not behind what was read ahead.
void Io::unread() noexcept {
  if (buffered() == 0 || (state_ & append) != 0) return;
  if (::lseek(native_, -static_cast<off_t>(buffered()), SEEK_CUR) < 0) return;  // a device
  held_.clear();
}

/// Appends at most `size` bytes to what is held; returns how many. Whoever else looks at what is
/// held while we wait finds it as it was.
std::size_t Io::fetch_into_held(std::size_t size, detail::Turn& turn, Token token, Place place) {
  if (type_ == Type::file) return read_file_into_held(size, turn, token, place);
  for (;;) {
    if (is_at_end()) return 0;
    await_data(token, place);
    const std::int64_t n = held_.append_read(size, [&](Bytes to) { return try_fetch(to); });
    if (n >= 0) return static_cast<std::size_t>(n);
  }
}

std::size_t Io::read_some(Bytes to, Token token, Place place) {
  return attempt("read from", [&]() -> std::size_t {
    check(readable, "read from");
    if (to.size() == 0) return 0;
    if (is_at_end() && type_ != Type::file && buffered() == 0) return 0;
    detail::Turn turn{reading(), token, place};
    if (buffered() > 0) return held_.take(to);
    return fetch(to, turn, token, place);
  });
}

void Io::read_exactly(Bytes to, Token token, Place place) {
  attempt("read from", [&] {
    check(readable, "read from");
    detail::Turn turn{reading(), token, place};
    std::size_t got = held_.take(to);
    const struct Done {
      std::size_t& part;
      ~Done() { part = 0; }
    } done{read_in_part_};
    try {
      while (got < to.size()) {
        read_in_part_ = got;
        const std::size_t n = fetch(to.from(got), turn, token, place);
        if (n == 0) {
          throw_io_error(ENODATA, "read from " + name() + ": it ended after " +
                                      std::to_string(got) + " of " + std::to_string(to.size()) +
                                      " bytes");
        }
        got += n;
      }
    } catch (...) {
      if (got > 0) held_.put_back({reinterpret_cast<const char*>(to.data()), got});
      throw;
    }
  });
}

std::optional<std::string> Io::read_line(Token token, Place place) {
  return attempt("read a line from", [&]() -> std::optional<std::string> {
    check(readable, "read from");
    detail::Turn turn{reading(), token, place};
    std::size_t searched = 0;
    for (;;) {
      if (auto line = held_.take_line(searched, line_limit_)) return line;
      searched = buffered();
      if (searched > line_limit_) {
        throw_io_error(EMSGSIZE, "read a line from " + name() + ": it is longer than " +
                                     std::to_string(line_limit_) + " bytes");
      }
      if (fetch_into_held(chunk, turn, token, place) > 0) continue;
      if (buffered() == 0) return std::nullopt;
      return held_.take_all();
    }
  });
}

std::string Io::read_all(Token token, Place place) {
  return attempt("read from", [&]() -> std::string {
    check(readable, "read from");
    detail::Turn turn{reading(), token, place};
    // Grows with what comes, so that much data needs few system calls.
    std::size_t size = chunk;
    while (fetch_into_held(size, turn, token, place) > 0) {
      if (size < 16 * chunk && buffered() > 4 * size) size *= 2;
    }
    return held_.take_all();
  });
}

/// Waits until `call(raw, size)`, a system call that also tells whom it heard of, gives something.
template <class Call>
auto Io::hear(const char* what, Address& from, Token token, Place place, Call call) {
  return attempt(what, [&] {
    check(readable, what);
    const detail::Turn turn{reading_, token, place};
    for (;;) {
      await_data(token, place);
      sockaddr_storage storage{};
      socklen_t size = sizeof storage;
      auto* const raw = reinterpret_cast<sockaddr*>(&storage);
      if (const auto heard = call(raw, &size); heard >= 0) {
        from = size <= sizeof(sa_family_t) ? Address{} : Address::from_native(raw, size);
        return heard;
      }
      if (errno == EAGAIN || errno == EWOULDBLOCK) {
        watched_->found_unready(Poll::readable);
      } else if (errno != EINTR) {
        fail(errno, what);
      }
    }
  });
}

std::size_t Io::receive_from(Bytes to, Address& from, Token token, Place place) {
  const ssize_t n = hear("receive from", from, token, place, [&](sockaddr* raw, socklen_t* size) {
    return ::recvfrom(native_, to.data(), to.size(), 0, raw, size);
  });
  return static_cast<std::size_t>(n);
}

int Io::accept(Address& peer, Token token, Place place) {
  // Without descriptors or memory it throws: the connection stays in the kernel's line.
  return hear("accept from", peer, token, place, [&](sockaddr* raw, socklen_t* size) {
    const int accepted = accept_connection(native_, raw, size);
    if (accepted < 0 && is_gone_again(native_, errno)) errno = EINTR;
    return accepted;
  });
}

}  // namespace weft
