#include <cstdlib>

#include "base/probe.hpp"
#include "base/warning.hpp"
#include "scheduler/error_chain.hpp"
#include "scheduler/scheduler_inline.hpp"
#include "weft/error.hpp"

namespace weft {

/// Something failed that nobody handled: the program ends with it, gracefully.
void Scheduler::fail(std::exception_ptr error) noexcept {
  if (shutting_down_) {
    // The second failure: cancel again, run what is queued, and leave. Those that wait once more
    // are cancelled by insist(), so a third one has nothing to add.
    WEFT_PROBE("failure during shutdown");
    chain_to_exit_error(std::move(error));
    if (!std::exchange(final_, true)) cancel_all(CancelReason::shutdown);
    return;
  }
  shutdown({}, std::move(error));
}

/// The first cause is kept. A chain that grows with every failure would cost more with every
/// failure, and have no reader: the rest is counted.
void Scheduler::chain_to_exit_error(std::exception_ptr error) noexcept {
  if (exit_error_ == nullptr) {
    exit_error_ = std::move(error);
  } else if (++chained_ <= most_chained) {
    link_errors(exit_error_, std::move(error), true);
  }
}

void Scheduler::shutdown(std::string reason, std::exception_ptr cause) noexcept {
  if (shutting_down_) return;
  shutting_down_ = true;
  shutdown_text_ = std::move(reason);
  exit_error_ = std::move(cause);
  shutdown_limit_ = after(driver_.now(), saturated(options_.shutdown_deadline));
  cancel_all(CancelReason::shutdown);
}

void Scheduler::check_shutdown_limit() noexcept {
  if (abandoning_ || registry_.empty()) return;
  give_up("the deadline of the shutdown has passed");
}

/// What still runs will not end: say so, then abort, or leave it behind if the user prefers that.
void Scheduler::give_up(const char* why) noexcept {
  try {
    warn(std::string{"shutdown: "} + why + "; still there:\n" + dump());
  } catch (...) {
    warn(why);
  }
  if (!options_.abandon_at_deadline || !main_done_) std::abort();
  WEFT_PROBE("coroutines abandoned at shutdown");
  leave_behind();
}

/// The final shutdown waits for nothing: whoever parks once more is cancelled once more.
void Scheduler::insist() noexcept {
  if (++insisted_ <= patience) {
    cancel_all(CancelReason::shutdown);
  } else if (main_done_) {
    leave_behind();
  }  // else only the deadline ends it: main's stack cannot be left behind
}

void Scheduler::leave_behind() noexcept {
  abandoning_ = true;
  while (!ready_.empty()) ready_.pop_front();
}

}  // namespace weft
