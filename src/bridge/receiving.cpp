#include <cerrno>
#include <cstddef>
#include <cstring>
#include <sys/socket.h>

#include "base/system_calls.hpp"
#include "bridge/facts.hpp"
#include "bridge/hooks.hpp"
#include "bridge/outside.hpp"
#include "bridge/transfer.hpp"
#include "bridge/wait.hpp"
#include "weft/bridge.hpp"
#include "weft/extend/poll_event.hpp"

// recv, recvfrom, recvmsg: a socket takes MSG_DONTWAIT for a try that does not wait.
namespace weft::bridge {
namespace {

bool is_stream_socket(int descriptor) noexcept { return type_of(descriptor) == SOCK_STREAM; }

/// Reads until `size` bytes are there: a peek begins anew each time, so it waits in between.
template <class Peek>
ssize_t peek_all(const char* function, int descriptor, std::size_t size, Peek peek) {
  const Duration limit = timeout_of(descriptor, Poll::readable);
  const TimePoint deadline = limit == Duration::zero() ? never : deadline_after(limit);
  const Restart restart = deadline == never ? Restart::if_wanted : Restart::never;
  GrowingDelay delay{function, descriptor, deadline, restart};
  ssize_t seen = peek();
  ssize_t before = -1;
  while (seen > 0 && static_cast<std::size_t>(seen) < size) {
    if (seen == before && real.recv(descriptor, nullptr, 0, MSG_DONTWAIT | MSG_PEEK) == 0) {
      if (is_ready_now(descriptor, POLLRDHUP)) break;  // no more will come
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
  if (!may_suspend()) return real.recv(descriptor, to, size, flags);
  if (never_waits(flags)) return at_once(real.recv(descriptor, to, size, flags));
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
  if (!may_suspend()) return real.recvfrom(descriptor, to, size, flags, from, from_size);
  if (never_waits(flags)) {
    return at_once(real.recvfrom(descriptor, to, size, flags, from, from_size));
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

/// Whether a message has ended a recvmsg() that wants more: one with descriptors does.
bool has_control(const msghdr& message) noexcept {
  return message.msg_controllen != 0 || (message.msg_flags & MSG_CTRUNC) != 0;
}

ssize_t receive_message(int descriptor, msghdr* message, int flags) {
  Call call{"recvmsg", descriptor, Poll::readable};
  if (!call.may_begin()) return -1;
  const std::size_t size = size_of(message->msg_iov, message->msg_iovlen);
  const std::size_t room = message->msg_controllen;
  ssize_t got =
      until_done(call, [&] { return real.recvmsg(descriptor, message, flags | MSG_DONTWAIT); });
  if ((flags & MSG_WAITALL) == 0 || (flags & MSG_PEEK) != 0 || got <= 0 ||
      !is_stream_socket(descriptor) || is_non_blocking(descriptor)) {
    return call.ended(got);
  }
  const auto receive_more = [&](msghdr& rest) {
    rest.msg_control = message->msg_control;
    rest.msg_controllen = room;
    const ssize_t more = real.recvmsg(descriptor, &rest, flags | MSG_DONTWAIT);
    if (more < 0) return more;
    message->msg_controllen = rest.msg_controllen;
    message->msg_flags |= rest.msg_flags;
    return more;
  };
  while (static_cast<std::size_t>(got) < size && !has_control(*message)) {
    call.has_begun();
    const ssize_t more = until_done(call, [&] {
      return with_rest(message->msg_iov, message->msg_iovlen, static_cast<std::size_t>(got),
                       receive_more);
    });
    if (more <= 0) break;
    got += more;
  }
  return call.ended(got);
}

}  // namespace

void note_descriptors(const msghdr& message) noexcept {
  if (message.msg_controllen == 0) return;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): looks only
  auto* const all = const_cast<msghdr*>(&message);
  for (cmsghdr* one = CMSG_FIRSTHDR(all); one != nullptr; one = CMSG_NXTHDR(all, one)) {
    if (one->cmsg_level != SOL_SOCKET || one->cmsg_type != SCM_RIGHTS) continue;
    for (std::size_t at = CMSG_LEN(0); at + sizeof(int) <= one->cmsg_len; at += sizeof(int)) {
      int number = -1;
      std::memcpy(&number, reinterpret_cast<const char*>(one) + at, sizeof number);
      next_generation(number);
    }
  }
}

namespace {

ssize_t hooked_recvmsg(int descriptor, msghdr* message, int flags) {
  const bool is_direct = !may_suspend() || never_waits(flags) || message == nullptr;
  const ssize_t got = is_direct ? real.recvmsg(descriptor, message, flags)
                                : receive_message(descriptor, message, flags);
  if (got >= 0) note_descriptors(*message);
  return is_direct && may_suspend() ? at_once(got) : got;
}

}  // namespace

void add_receiving(Hooks& hooks) {
  hooks.push_back(hook("recv", outside<&hooked_recv, &Real::recv>, real.recv, transfer));
  hooks.push_back(hook("__recv", outside<&hooked_recv, &Real::recv>, real.recv, transfer));
  hooks.push_back(hook("__recv_chk", &hooked_recv_chk, real.recv_chk, transfer));
  hooks.push_back(
      hook("recvfrom", outside<&hooked_recvfrom, &Real::recvfrom>, real.recvfrom, transfer));
  hooks.push_back(hook("__recvfrom_chk", &hooked_recvfrom_chk, real.recvfrom_chk, transfer));
  hooks.push_back(hook("recvmsg", &hooked_recvmsg, real.recvmsg, transfer));
}

}  // namespace weft::bridge
