#include <cerrno>
#include <cstddef>
#include <sys/socket.h>

#include "bridge/facts.hpp"
#include "bridge/hooks.hpp"
#include "bridge/outside.hpp"
#include "bridge/transfer.hpp"
#include "bridge/wait.hpp"
#include "weft/bridge.hpp"
#include "weft/extend/poll_event.hpp"

// send, sendto, sendmsg.
namespace weft::bridge {
namespace {

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

}  // namespace

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

namespace {

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

ssize_t hooked_sendmsg(int descriptor, const msghdr* message, int flags) {
  if (!may_suspend() || (flags & MSG_DONTWAIT) != 0 || message == nullptr ||
      is_non_blocking(descriptor)) {
    return real.sendmsg(descriptor, message, flags);
  }
  return transmit_message("sendmsg", descriptor, message, flags);
}

}  // namespace

void add_sending(Hooks& hooks) {
  hooks.push_back(hook("send", outside<&hooked_send, &Real::send>, real.send, transfer));
  hooks.push_back(hook("__send", outside<&hooked_send, &Real::send>, real.send, transfer));
  hooks.push_back(hook("sendto", outside<&hooked_sendto, &Real::sendto>, real.sendto, transfer));
  hooks.push_back(
      hook("sendmsg", outside<&hooked_sendmsg, &Real::sendmsg>, real.sendmsg, transfer));
}

}  // namespace weft::bridge
