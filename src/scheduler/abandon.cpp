#include <cstdlib>

#include "base/probe.hpp"
#include "base/warning.hpp"
#include "scheduler/error_chain.hpp"
#include "scheduler/scheduler.hpp"
#include "weft/error.hpp"

// Coroutines that a shutdown cannot end are left behind. Their stacks are not unwound and stay
// mapped for good, because objects on them may still be linked elsewhere. Main cannot be left
// behind, because run() returns through it: its waits fail instead.
namespace weft {

/// Warns of the coroutines that do not end, then leaves them behind, or aborts
/// (Options::abort_at_deadline).
void Ending::give_up(const char* why) noexcept {
  try {
    warn(std::string{"shutdown: "} + why + "; still there:\n" + scheduler_.dump());
  } catch (...) {
    warn(why);
  }
  if (scheduler_.options_.abort_at_deadline) std::abort();
  abandon_others(why);
}

/// Empties the run queue. The scheduler coroutine does the rest, because the current stack may
/// belong to a coroutine that is left behind.
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

/// Names the coroutines that are left behind: the first few, if there are many.
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

void Ending::release_abandoned() noexcept {
  if (scheduler_.registry_.size() == (scheduler_.main_done_ ? 0 : 1)) return;
  abandoned_ += close_all_but(scheduler_.main_done_ ? nullptr : scheduler_.main_.get(),
                              std::make_exception_ptr(Cancelled::with_literal(
                                  "Left behind by the shutdown", abandon_error_)));
}

void Ending::leave_all_but(const CoroutineBase& kept) noexcept {
  scheduler_.queue_.clear();
  close_all_but(&kept, std::make_exception_ptr(
                           Cancelled::with_literal("Left to the parent by fork()", nullptr)));
}

/// Closes the coroutines that are left behind, so that nothing wakes them any more. The objects are
/// not freed, because frames on their stacks may be linked with them. Returns how many there were.
std::size_t Ending::close_all_but(const CoroutineBase* kept,
                                  const std::exception_ptr& outcome) noexcept {
  std::size_t closed = 0;
  const auto is_kept = [kept](const CoroutineBase* c) { return c == kept; };
  // Scopes that become empty here run no handlers any more.
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
    ++closed;
    scheduler_.registry_.remove(*c, owner);
    if (owner.watches()) owner.left(*c);  // a scope that outlives the runtime is empty then
    c = next;
  }
  if (closed > 0) scheduler_.stacks_.keep_mapped();
  scheduler_.over_ = was_over;
  return closed;
}

/// Main has nothing left to wait for: all its waits, also in clean-up, end with the error.
void Ending::fail_main() noexcept {
  Waker& waker = scheduler_.main_->waker_;
  if (waker.is_waiting()) {
    waker.merge_error(abandon_error_);
    waker.interrupt();
  } else if (waker.status_ == Waker::Status::queued) {
    scheduler_.queue_.add(*scheduler_.main_);  // abandon_others() has emptied the queue it was in
  }
}

}  // namespace weft
