#include <cerrno>
#include <fcntl.h>
#include <sys/socket.h>

#include "bridge/facts.hpp"
#include "bridge/hooks.hpp"
#include "bridge/outside.hpp"
#include "bridge/wait.hpp"
#include "weft/bridge.hpp"
#include "weft/extend/poll_event.hpp"

namespace weft::bridge {
namespace {

/// There is no flag for one call, so the mode is changed for the moment of the call: the caller
/// never sees it.
int connect_without_waiting(int descriptor, const sockaddr* address, socklen_t size) noexcept {
  const int flags = real.fcntl(descriptor, F_GETFL);
  if (flags < 0) return -1;
  real.fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
  const int result = real.connect(descriptor, address, size);
  const int error = errno;
  real.fcntl(descriptor, F_SETFL, flags);
  errno = error;
  return result;
}

int hooked_connect(int descriptor, const sockaddr* address, socklen_t size) {
  if (!may_suspend() || type_of(descriptor) < 0 || is_non_blocking(descriptor)) {
    return real.connect(descriptor, address, size);
  }
  Call call{"connect", descriptor, Poll::writable};
  if (!call.may_begin()) return -1;
  const Duration timeout = timeout_of(descriptor, Poll::writable);
  const TimePoint deadline = timeout == Duration::zero() ? never : deadline_after(timeout);
  // As in the system, a handler ends a call that has a deadline in any case.
  const Restart restart = deadline == never ? Restart::if_wanted : Restart::never;
  // A unix socket does not say when there is room for a connection.
  GrowingDelay delay{"connect", descriptor, deadline, restart};
  int result = connect_without_waiting(descriptor, address, size);
  while (result != 0 && errno == EAGAIN) {
    if (const Ended ended = delay.wait(); ended != Ended::ready) {
      errno = errno_of(ended, EAGAIN);
      return -1;
    }
    result = connect_without_waiting(descriptor, address, size);
  }
  const Interest interest{descriptor, Poll::writable};
  while (result != 0 && (errno == EINPROGRESS || errno == EALREADY)) {
    const Ended ended = wait_for("connect", {&interest, 1}, deadline, restart);
    if (ended != Ended::ready) {
      errno = errno_of(ended, EINPROGRESS);
      return -1;
    }
    result = connect_without_waiting(descriptor, address, size);  // tells how it ended
    if (result != 0 && errno == EISCONN) result = 0;              // another call was told already
  }
  return call.ended(result);
}

bool is_listening(int descriptor) noexcept {
  int value = 0;
  socklen_t size = sizeof value;
  return ::getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &value, &size) == 0 && value != 0;
}

/// There is no flag for one call here either, and the mode of a socket that other processes accept
/// from as well must not be changed: poll() says whether a connection waits. Another process may
/// take it; then the thread waits.
template <class Accept>
int accept_when_ready(const char* function, int descriptor, Accept accept) {
  Call call{function, descriptor, Poll::readable};
  if (!call.may_begin()) return -1;
  while (true) {
    if (is_ready_now(descriptor, POLLIN) || !is_listening(descriptor)) return call.ended(accept());
    if (!call.wait()) return -1;
  }
}

int hooked_accept(int descriptor, sockaddr* peer, socklen_t* size) {
  const auto accept = [&] { return next_generation(real.accept(descriptor, peer, size)); };
  if (!may_suspend() || type_of(descriptor) < 0) return accept();
  if (is_non_blocking(descriptor)) return at_once(accept());
  return accept_when_ready("accept", descriptor, accept);
}

int hooked_accept4(int descriptor, sockaddr* peer, socklen_t* size, int flags) {
  const auto accept = [&] { return next_generation(real.accept4(descriptor, peer, size, flags)); };
  const bool is_refused = (flags & ~(SOCK_NONBLOCK | SOCK_CLOEXEC)) != 0;
  if (!may_suspend() || is_refused || type_of(descriptor) < 0) return accept();
  if (is_non_blocking(descriptor)) return at_once(accept());
  return accept_when_ready("accept4", descriptor, accept);
}

}  // namespace

void add_connecting(Hooks& hooks) {
  hooks.push_back(
      hook("connect", outside<&hooked_connect, &Real::connect>, real.connect, connecting));
  hooks.push_back(
      hook("__connect", outside<&hooked_connect, &Real::connect>, real.connect, connecting));
  hooks.push_back(hook("accept", &hooked_accept, real.accept, connecting));
  hooks.push_back(hook("accept4", &hooked_accept4, real.accept4, connecting));
}

}  // namespace weft::bridge
