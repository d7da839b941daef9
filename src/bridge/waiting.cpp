#include "bridge/waiting.hpp"

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <poll.h>
#include <sys/epoll.h>

#include "bridge/hooks.hpp"
#include "bridge/outside.hpp"
#include "bridge/wait.hpp"
#include "weft/bridge.hpp"

// poll, ppoll, epoll_wait and relatives.
namespace weft::bridge {
namespace {

int hooked_poll(pollfd* descriptors, nfds_t count, int timeout) {
  if (!may_suspend()) return real.poll(descriptors, count, timeout);
  const auto poll_now = [&] { return real.poll(descriptors, count, 0); };
  if (timeout == 0) return at_once(poll_now());
  return poll_or_wait(poll_now, [&] {
    return wait_until("poll", descriptors, count, deadline_of(timeout), false, poll_now);
  });
}

int hooked_poll_chk(pollfd* descriptors, nfds_t count, int timeout, std::size_t room) {
  if (room / sizeof(pollfd) < count) return real.poll_chk(descriptors, count, timeout, room);
  return hooked_poll(descriptors, count, timeout);
}

int hooked_ppoll(pollfd* descriptors, nfds_t count, const timespec* timeout,
                 const sigset_t* signals) {
  if (!may_suspend()) return real.ppoll(descriptors, count, timeout, signals);
  if (!waits(timeout)) return at_once(real.ppoll(descriptors, count, timeout, signals));
  const timespec none{};
  const auto poll_now = [&] { return real.ppoll(descriptors, count, &none, signals); };
  return poll_or_wait(poll_now, [&] {
    return wait_until("ppoll", descriptors, count, deadline_of(timeout), signals != nullptr,
                      poll_now);
  });
}

int hooked_ppoll_chk(pollfd* descriptors, nfds_t count, const timespec* timeout,
                     const sigset_t* signals, std::size_t room) {
  if (room / sizeof(pollfd) < count) {
    return real.ppoll_chk(descriptors, count, timeout, signals, room);
  }
  return hooked_ppoll(descriptors, count, timeout, signals);
}

/// Waits until the epoll descriptor is readable, which means that it has events; `take()` is the
/// real call without a timeout. Such a call delivers no signal, so a ppoll() delivers those that
/// `signals` admits.
template <class Timeout, class Take>
int epoll_until(const char* function, int epoll, Timeout timeout, const sigset_t* signals,
                Take take) {
  const pollfd itself{epoll, POLLIN, 0};
  const auto poll_now = [&] {
    const int found = take();
    if (found != 0 || signals == nullptr) return found;
    const timespec none{};
    return std::min(real.ppoll(nullptr, 0, &none, signals), 0);
  };
  return poll_or_wait(poll_now, [&] {
    return wait_until(function, &itself, 1, deadline_of(timeout), signals != nullptr, poll_now);
  });
}

int hooked_epoll_wait(int epoll, epoll_event* events, int count, int timeout) {
  if (!may_suspend()) return real.epoll_wait(epoll, events, count, timeout);
  const auto take = [&] { return real.epoll_wait(epoll, events, count, 0); };
  if (timeout == 0) return at_once(take());
  return epoll_until("epoll_wait", epoll, timeout, nullptr, take);
}

int hooked_epoll_pwait(int epoll, epoll_event* events, int count, int timeout,
                       const sigset_t* signals) {
  if (!may_suspend()) return real.epoll_pwait(epoll, events, count, timeout, signals);
  const auto take = [&] { return real.epoll_pwait(epoll, events, count, 0, signals); };
  if (timeout == 0) return at_once(take());
  return epoll_until("epoll_pwait", epoll, timeout, signals, take);
}

int hooked_epoll_pwait2(int epoll, epoll_event* events, int count, const timespec* timeout,
                        const sigset_t* signals) {
  if (!may_suspend()) return real.epoll_pwait2(epoll, events, count, timeout, signals);
  if (!waits(timeout)) return at_once(real.epoll_pwait2(epoll, events, count, timeout, signals));
  return epoll_until("epoll_pwait2", epoll, timeout, signals, [&] {
    const timespec none{};
    return real.epoll_pwait2(epoll, events, count, &none, signals);
  });
}

}  // namespace

void add_waiting(Hooks& hooks) {
  hooks.push_back(hook("poll", outside<&hooked_poll, &Real::poll>, real.poll, waiting));
  hooks.push_back(hook("__poll", outside<&hooked_poll, &Real::poll>, real.poll, waiting));
  hooks.push_back(hook("__poll_chk", &hooked_poll_chk, real.poll_chk, waiting));
  hooks.push_back(hook("ppoll", outside<&hooked_ppoll, &Real::ppoll>, real.ppoll, waiting));
  hooks.push_back(hook("__ppoll_chk", &hooked_ppoll_chk, real.ppoll_chk, waiting));
  hooks.push_back(
      hook("epoll_wait", outside<&hooked_epoll_wait, &Real::epoll_wait>, real.epoll_wait, waiting));
  hooks.push_back(hook("epoll_pwait", outside<&hooked_epoll_pwait, &Real::epoll_pwait>,
                       real.epoll_pwait, waiting));
  hooks.push_back(hook("epoll_pwait2", outside<&hooked_epoll_pwait2, &Real::epoll_pwait2>,
                       real.epoll_pwait2, waiting));
}

}  // namespace weft::bridge
