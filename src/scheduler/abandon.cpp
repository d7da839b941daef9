#include <cstdlib>

#include "base/probe.hpp"
#include "base/warning.hpp"
#include "scheduler/error_chain.hpp"
#include "scheduler/scheduler.hpp"
#include "weft/error.hpp"

// What becomes of coroutines that a shutdown cannot end: they are left behind. Their stacks are not
// unwound and stay mapped for good, because what lies in them may still be linked elsewhere. Main
// cannot be left behind, run() has to return through it: its waits fail instead.
namespace weft {

/// What still runs will not end: says so, then leaves it behind, or aborts if the user prefers
/// that.
void Ending::give_up(const char* why) noexcept {
  try {
    warn(std::string{"shutdown: "} + why + "; still there:\n" + scheduler_.dump());
  } catch (...) {
    warn(why);
  }
  if (scheduler_.options_.abort_at_deadline) std::abort();
  abandon_others(why);
}

/// Takes every coroutine out of the run queue. The scheduler coroutine does the rest: the stack we
/// are on may belong to one that is left behind.
void Ending::abandon_others(const char* why) noexcept {
  WEFT_PROBE("coroutines abandoned at shutdown");
  abandoning_ = true;
  scheduler_.queue_.clear();
  try {
    abandon_error_ = std::make_exception_ptr(ShutdownError{std::string{why} + remaining()});
  } catch (...) {
    abandon_error_ = std::current_exception();
  }
  chain_to_error(abandon_error_);
}

/// Names those that are left behind; the first few, if they are many.
std::string Ending::remaining() const {
  constexpr unsigned shown = 16;
  std::string text;
  unsigned count = 0;
  for (CoroutineBase* c = scheduler_.registry_.first(); c != nullptr;
       c = Scheduler::next_registered(*c)) {
    if (c == scheduler_.main_.get()) continue;
    if (count++ < shown) text += "\n  " + c->info();
  }
  if (count == 0) return "; main still waits";
  if (count > shown) text += "\n  and " + std::to_string(count - shown) + " more";
  return "; left behind:" + text;
}

/// Nothing may wake the coroutines that are left behind any more: to all others they have ended.
/// The objects are not freed: frames on their stacks may be linked with them.
void Ending::bury_abandoned() noexcept {
  if (scheduler_.registry_.size() == (scheduler_.main_done_ ? 0 : 1)) return;
  const auto is_kept = [this](const CoroutineBase* c) {
    return c == scheduler_.main_.get() && !scheduler_.main_done_;
  };
  const std::exception_ptr outcome = std::make_exception_ptr(
      Cancelled::with_literal("Left behind by the shutdown", abandon_error_));
  // Scopes that are left empty by this run no handlers any more.
  const bool was_over = std::exchange(scheduler_.over_, true);
  for (CoroutineBase* c = scheduler_.registry_.first(); c != nullptr;
       c = Scheduler::next_registered(*c)) {
    if (is_kept(c)) continue;
    c->waker_.abandon();
    c->registered_ = false;
    c->waker_.status_ = Waker::Status::none;
    c->cancelled_ = true;
    c->waker_.error_ = outcome;
    c->set(Event::closed_flag);
  }
  for (CoroutineBase* c = scheduler_.registry_.first(); c != nullptr;) {
    if (is_kept(c)) {
      c = Scheduler::next_registered(*c);
      continue;
    }
    Owner& owner = *std::exchange(c->owner_, nullptr);
    CoroutineBase* const next = Registry::next(*c, owner);
    ++abandoned_;
    scheduler_.registry_.remove(*c, owner);
    if (owner.watches()) owner.left(*c);  // a scope that is held longer is empty then
    c = next;
  }
  if (abandoned_ > 0) scheduler_.stacks_.keep_mapped();
  scheduler_.over_ = was_over;
}

/// Main has nothing left to wait for. Each of its waits ends with the error, clean-up included.
void Ending::fail_main() noexcept {
  Waker& waker = scheduler_.main_->waker_;
  if (waker.is_waiting()) {
    waker.merge_error(abandon_error_);
    waker.interrupt();
  } else if (waker.status_ == Waker::Status::queued) {
    scheduler_.queue_.add(*scheduler_.main_);  // it was in the queue that was emptied
  }
}

}  // namespace weft
