#include <algorithm>
#include <cstdlib>
#include <vector>

#include "base/probe.hpp"
#include "base/warning.hpp"
#include "scheduler/error_chain.hpp"
#include "scheduler/scheduler.hpp"
#include "weft/error.hpp"

// How a program ends. Coroutines use objects in the frames of others, most of all in main's, so the
// end comes in stages. First every coroutine but main and the clean-up coroutines is cancelled, the
// youngest first. Clean-up coroutines and main follow when no coroutine makes progress or half of
// the deadline is over, main also when it is the only one left. At the deadline the rest is left
// behind.
namespace weft {

void Ending::fail(std::exception_ptr error) noexcept {
  if (!has_begun()) return shutdown({}, std::move(error));
  if (error == error_) return;
  // The second failure: cancel again, run what is queued, and leave. cancel_again() cancels
  // coroutines that wait once more, so a third failure changes nothing.
  WEFT_PROBE("failure during shutdown");
  chain_to_error(std::move(error));
  if (!std::exchange(final_, true)) cancel_others();
}

/// The first cause is kept. The chain has a limit, because every failure would make it longer and
/// slower to walk; failures beyond it are counted.
void Ending::chain_to_error(std::exception_ptr error) noexcept {
  if (error_ == nullptr) {
    error_ = std::move(error);
  } else if (++chained_ <= most_chained) {
    link_errors(error_, std::move(error), true);
  }
}

void Ending::shutdown(std::string reason, std::exception_ptr failure) noexcept {
  if (has_begun()) return;
  text_ = std::move(reason);
  error_ = std::move(failure);
  begin(CancelReason::shutdown);
}

void Ending::shutdown_with(std::exception_ptr cause) noexcept {
  if (has_begun()) return;
  cause_ = as_cancellation(std::move(cause));
  begin(CancelReason::shutdown);
}

void Ending::begin(CancelReason reason) noexcept {
  stage_ = Stage::others;
  reason_ = reason;
  const TimePoint now = scheduler_.driver_.now();
  const Duration deadline = saturated(scheduler_.options_.shutdown_deadline);
  limit_ = after(now, deadline / 2);
  final_limit_ = after(now, deadline);
  cancel_others();
  scheduler_.request_due_work();
}

/// Cancels all but main and the clean-up coroutines, the youngest first: a coroutine may use
/// objects in the frame of an older one.
void Ending::cancel_others() noexcept {
  static constinit Probe probe{"cancelled with all others"};
  probe.hit(scheduler_.registry_.size());
  if (!scheduler_.main_done_) scheduler_.main_->cancelled_ = true;
  const auto cancel_one = [this](CoroutineBase& coroutine) {
    if (&coroutine != scheduler_.main_.get()) scheduler_.cancel(coroutine, reason_, {});
  };
  std::vector<CoroutineBase*> all;
  try {
    all.reserve(scheduler_.registry_.size());
  } catch (const std::bad_alloc&) {  // then in any order
    for (CoroutineBase* c = scheduler_.registry_.first(); c != nullptr;
         c = Scheduler::next_registered(*c)) {
      cancel_one(*c);
    }
    return;
  }
  for (CoroutineBase* c = scheduler_.registry_.first(); c != nullptr;
       c = Scheduler::next_registered(*c)) {
    all.push_back(c);
  }
  std::sort(all.begin(), all.end(),
            [](const CoroutineBase* a, const CoroutineBase* b) { return a->id_ > b->id_; });
  for (CoroutineBase* coroutine : all) cancel_one(*coroutine);
}

/// Cancels main and the clean-up coroutines.
void Ending::cancel_rest() noexcept {
  stage_ = Stage::all;
  limit_ = final_limit_;
  for (CoroutineBase* c = scheduler_.registry_.first(); c != nullptr;
       c = Scheduler::next_registered(*c)) {
    if (c != scheduler_.main_.get() && !c->exempt_ && !c->cleanup_) continue;
    c->exempt_ = c->cleanup_ = false;
    scheduler_.cancel(*c, reason_, {});
  }
}

void Ending::spare_main_for_good() noexcept {
  if (!has_begun()) return;
  stage_ = Stage::all;
  limit_ = final_limit_ = never;
}

void Ending::resolve_stall() noexcept {
  if (stage_ == Stage::others) {
    cancel_rest();
  } else {
    resolve_deadlock();
  }
}

void Ending::check_limit() noexcept {
  if (abandoning_ || scheduler_.registry_.empty()) return;
  if (stage_ == Stage::others) return cancel_rest();
  give_up("the deadline of the shutdown has passed");
}

/// The final shutdown waits for nothing: cancels coroutines that have parked once more.
void Ending::cancel_again() noexcept {
  if (++cancel_rounds_ > patience) return abandon_others("the final shutdown was refused");
  cancel_others();
  if (cancel_rounds_ > 1) cancel_rest();
}

bool Ending::is_main_alone() const noexcept {
  return spares_main() && !scheduler_.main_done_ && scheduler_.registry_.size() == 1;
}

std::exception_ptr Ending::take_error() noexcept { return std::exchange(error_, nullptr); }

void Ending::propose_error(std::exception_ptr error) noexcept {
  if (error_ == nullptr) error_ = std::move(error);
}

void Ending::warn_of_the_rest() const noexcept {
  if (chained_ > most_chained) {
    warn(std::to_string(chained_ - most_chained) +
         " more errors of the shutdown are not in the chain of the one that is thrown");
  }
  if (abandoned_ > 0) {
    warn(std::to_string(abandoned_) + " deferred coroutines were not executed");
  }
}

}  // namespace weft
