#include <algorithm>
#include <cstdlib>
#include <vector>

#include "base/probe.hpp"
#include "base/warning.hpp"
#include "scheduler/error_chain.hpp"
#include "scheduler/park.hpp"
#include "weft/error.hpp"

// How a program ends. Coroutines use what lies in the frames of others, most of all in main's, so
// the end comes in stages: first every coroutine but main and the clean-up coroutines is cancelled,
// the youngest first. Clean-up coroutines and main follow when nothing moves any more or half of
// the deadline is over, main also when it is the only one left. At the deadline the rest is left
// behind.
namespace weft {

/// Something failed that nobody handled: the program ends with it, gracefully.
void Scheduler::fail(std::exception_ptr error) noexcept {
  if (!is_shutting_down()) return shutdown({}, std::move(error));
  if (error == exit_error_) return;
  // The second failure: cancel again, run what is queued, and leave. Those that wait once more
  // are cancelled by insist(), so a third one has nothing to add.
  WEFT_PROBE("failure during shutdown");
  chain_to_exit_error(std::move(error));
  if (!std::exchange(final_, true)) cancel_others();
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

void Scheduler::shutdown(std::string reason, std::exception_ptr failure) noexcept {
  if (is_shutting_down()) return;
  shutdown_text_ = std::move(reason);
  exit_error_ = std::move(failure);
  begin_ending(CancelReason::shutdown);
}

void Scheduler::shutdown_with(std::exception_ptr cause) noexcept {
  if (is_shutting_down()) return;
  shutdown_cause_ = as_cancellation(std::move(cause));
  begin_ending(CancelReason::shutdown);
}

void Scheduler::begin_ending(CancelReason reason) noexcept {
  ending_ = Ending::others;
  ending_reason_ = reason;
  const TimePoint now = driver_.now();
  const Duration deadline = saturated(options_.shutdown_deadline);
  shutdown_limit_ = after(now, deadline / 2);
  final_limit_ = after(now, deadline);
  cancel_others();
  call_attention();
}

/// All but main and the clean-up coroutines, the youngest first: who was spawned later may use what
/// lies in the frame of an older one.
void Scheduler::cancel_others() noexcept {
  static constinit Probe probe{"cancelled with all others"};
  probe.hit(registry_.size());
  if (!main_done_) main_->cancelled_ = true;
  const auto cancel_one = [this](CoroutineBase& coroutine) {
    if (&coroutine != main_.get()) cancel(coroutine, ending_reason_, {});
  };
  std::vector<CoroutineBase*> all;
  try {
    all.reserve(registry_.size());
  } catch (const std::bad_alloc&) {  // then in any order
    for (CoroutineBase* c = registry_.first(); c != nullptr; c = next_registered(*c)) {
      cancel_one(*c);
    }
    return;
  }
  for (CoroutineBase* c = registry_.first(); c != nullptr; c = next_registered(*c)) {
    all.push_back(c);
  }
  std::sort(all.begin(), all.end(),
            [](const CoroutineBase* a, const CoroutineBase* b) { return a->id_ > b->id_; });
  for (CoroutineBase* coroutine : all) cancel_one(*coroutine);
}

/// Main and the clean-up coroutines.
void Scheduler::cancel_rest() noexcept {
  ending_ = Ending::all;
  shutdown_limit_ = final_limit_;
  for (CoroutineBase* c = registry_.first(); c != nullptr; c = next_registered(*c)) {
    if (c != main_.get() && !c->exempt_ && !c->cleanup_) continue;
    c->exempt_ = c->cleanup_ = false;
    cancel(*c, ending_reason_, {});
  }
}

/// Nothing is ready, and nothing that is armed can change that.
void Scheduler::resolve_stall() noexcept {
  if (ending_ == Ending::others) {
    cancel_rest();
  } else {
    resolve_deadlock();
  }
}

void Scheduler::check_shutdown_limit() noexcept {
  if (abandoning_ || registry_.empty()) return;
  if (ending_ == Ending::others) return cancel_rest();
  give_up("the deadline of the shutdown has passed");
}

/// The final shutdown waits for nothing: whoever parks once more is cancelled once more.
void Scheduler::insist() noexcept {
  if (++insisted_ > patience) return abandon_others("the final shutdown was refused");
  cancel_others();
  if (insisted_ > 1) cancel_rest();
}

}  // namespace weft
