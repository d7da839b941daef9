#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <sys/socket.h>

#include "io/io_error.hpp"
#include "io/io_wait.hpp"
#include "weft/io.hpp"
#include "weft/timer.hpp"

namespace weft {

/// Writes what fits; tried at once, because most often all of it does. The turn is ours.
std::size_t Io::push(ConstBytes from, Token token, Place place) {
  be_fair(token, place);
  for (;;) {
    const std::int64_t n = write_now(from.data(), std::min(from.size(), max_write));
    if (n >= 0) return static_cast<std::size_t>(n);
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) fail(errno, "write to");
    wait_for_room(token, place);
  }
}

std::size_t Io::write_some(ConstBytes from, Token token, Place place) {
  const Ref<Io> keep{this};
  check(writable, "write to");
  if (from.size() == 0) return 0;
  if (type_ == Type::file) return write_file(from, token, place);  // takes its turn by itself
  const Turn turn{writing_, token, place};
  return push(from, token, place);
}

void Io::write_all(ConstBytes from, Token token, Place place) {
  const Ref<Io> keep{this};
  check(writable, "write to");
  if (type_ == Type::file) {
    for (std::size_t done = 0; done < from.size();) {
      done += write_file(from.from(done), token, place);
    }
    return;
  }
  const Turn turn{writing_, token, place};
  for (std::size_t done = 0; done < from.size();) done += push(from.from(done), token, place);
}

void Io::send_to(ConstBytes data, const Address& to, Token token, Place place) {
  const Ref<Io> keep{this};
  check(writable, "write to");
  const Turn turn{writing_, token, place};
  be_fair(token, place);
  Duration pause = std::chrono::milliseconds{1};
  for (;;) {
    const ssize_t n = ::sendto(native_, data.data(), data.size(), MSG_NOSIGNAL,
                               static_cast<const sockaddr*>(to.native()),
                               static_cast<socklen_t>(to.native_size()));
    if (n >= 0) return;
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) {
      throw_io_error(errno, "send to UDP " + to.to_string());
    }
    // The receiver of a unix datagram is full, not we, and nobody tells when that changes.
    pollfd look{native_, POLLOUT, 0};
    if (::poll(&look, 1, 0) <= 0) {
      wait_for_room(token, place);
      continue;
    }
    Timer timer{pause};
    await_io(timer, token, place);
    end_wait_if_closed();
    pause = std::min<Duration>(pause * 2, std::chrono::milliseconds{50});
  }
}

void Io::finish_connect(const Address& to, Token token, Place place) {
  const Ref<Io> keep{this};
  const Turn turn{writing_, token, place};
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
}

}  // namespace weft
