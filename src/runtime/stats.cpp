#include "weft/stats.hpp"

#include "base/current.hpp"
#include "reactor/reactor.hpp"
#include "scheduler/scheduler.hpp"
#include "weft/runtime.hpp"

namespace weft {

Stats stats() noexcept {
  if (current_thread.scheduler == nullptr) return current_thread.last;
  Stats stats;
  current_thread.scheduler->fill(stats);
  const Reactor& reactor = *current_thread.reactor;
  stats.active_events = current_thread.scheduler->driver().active_events();
  stats.hidden_events = reactor.hidden_events();
  stats.armed_timers = current_thread.reactor->timers().size();
  stats.reactor_ticks = reactor.ticks();
  stats.reactor_waits = reactor.waits();
  return stats;
}

}  // namespace weft
