#include "base/current.hpp"
#include "base/probe.hpp"
#include "reactor/reactor.hpp"
#include "scheduler/scheduler.hpp"
#include "testing/choices.hpp"
#include "weft/await.hpp"
#include "weft/error.hpp"
#include "weft/suspend.hpp"
#include "weft/testing.hpp"
#include "weft/timer.hpp"

namespace weft::testing {

void advance(Duration duration) {
  Scheduler::here("testing::advance()");
  Clock& clock = current_thread.reactor->clock();
  if (!clock.is_virtual()) {
    throw MisuseError{"testing::advance() needs the virtual clock of weft::testing::run()"};
  }
  clock.jump_to(after(clock.now(), duration));
}

void settle() {
  while (stats().queued > 0) {
    if (!current_thread.scheduler->is_explored()) {
      suspend();
      continue;
    }
    // Parks instead of yielding, so that no schedule chooses this coroutine while others are ready.
    Timer now{Duration::zero()};
    await(now);
  }
}

bool fail(std::string_view text) noexcept {
  if (current_thread.explored == nullptr) return false;
  current_thread.explored->note(text);
  return true;
}

std::uint64_t probe_count(std::string_view name) noexcept { return Probe::count(name); }

}  // namespace weft::testing
