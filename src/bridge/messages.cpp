#include <cerrno>
#include <cstddef>
#include <ctime>
#include <sys/socket.h>

#include "bridge/facts.hpp"
#include "bridge/hooks.hpp"
#include "bridge/outside.hpp"
#include "bridge/timespec.hpp"
#include "bridge/transfer.hpp"
#include "bridge/wait.hpp"
#include "weft/bridge.hpp"
#include "weft/extend/poll_event.hpp"

// recvmmsg and sendmmsg: several messages in one call. The first error counts only if it comes
// before all of them.
namespace weft::bridge {
namespace {

/// As the system does, it looks at `timeout` only when a message has come.
int receive_messages(int descriptor, mmsghdr* messages, unsigned count, int flags,
                     timespec* timeout) {
  const bool is_refused = timeout != nullptr && !is_valid(*timeout);
  if (!may_suspend() || count == 0 || is_refused) {
    return real.recvmmsg(descriptor, messages, count, flags, timeout);
  }
  if (never_waits(flags) || is_non_blocking(descriptor)) {
    return at_once(real.recvmmsg(descriptor, messages, count, flags, timeout));
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

int hooked_recvmmsg(int descriptor, mmsghdr* messages, unsigned count, int flags,
                    timespec* timeout) {
  const int got = receive_messages(descriptor, messages, count, flags, timeout);
  for (int i = 0; i < got; ++i) note_descriptors(messages[i].msg_hdr);
  return got;
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

}  // namespace

void add_messages(Hooks& hooks) {
  hooks.push_back(hook("recvmmsg", &hooked_recvmmsg, real.recvmmsg, transfer));
  hooks.push_back(
      hook("sendmmsg", outside<&hooked_sendmmsg, &Real::sendmmsg>, real.sendmmsg, transfer));
  hooks.push_back(
      hook("__sendmmsg", outside<&hooked_sendmmsg, &Real::sendmmsg>, real.sendmmsg, transfer));
}

}  // namespace weft::bridge
