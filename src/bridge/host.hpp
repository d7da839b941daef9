#pragma once

#include <cerrno>

#include "bridge/thread_state.hpp"
#include "weft/extend/bridge_host.hpp"

namespace weft::bridge {

/// Suspends the current coroutine with `park(place)`, which returns how the wait ended. The host of
/// the thread is called before and after, and gives the place. Every suspension of the bridge is a
/// call of this function.
template <class Park>
[[nodiscard]] Ended leave_stack(ThreadState& state, const char* function, Park park) noexcept {
  if (!state.mutexes.empty()) [[unlikely]]
    warn_of_held_mutexes(state.mutexes, function);
  Host* const host = state.host;
  if (host == nullptr) [[likely]]
    return park(Place{});
  if (!host->before_wait(function)) return Ended::cancelled;
  const Ended ended = park(host->place());
  const int error = errno;
  host->after_wait(ended);
  errno = error;
  return ended;
}

}  // namespace weft::bridge
