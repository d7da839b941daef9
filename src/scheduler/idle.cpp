#include "base/probe.hpp"
#include "base/warning.hpp"
#include "scheduler/error_chain.hpp"
#include "scheduler/extras.hpp"
#include "scheduler/park.hpp"
#include "weft/suspend.hpp"

// The scheduler coroutine: what happens when nobody is ready.
namespace weft {

void Scheduler::begin_idle() {
  Scheduler& scheduler = *current_thread.scheduler;
  scheduler.idle_->context_->begin();
  scheduler.idle_loop();
}

bool Scheduler::nothing_left() const noexcept {
  return abandoning_ || (registry_.empty() && (driver_.active_events() == 0 || is_shutting_down()));
}

void Scheduler::idle_loop() {
  for (;;) {
    phase_ = 1;
    check_canary(*idle_->context_);
    if (abandoning_) bury_abandoned();
    const bool leaving = abandoning_ && main_done_;
    if (!leaving) {
      if (heartbeat_) heartbeat_.beat();
      run_microtasks();
      handle_pending();
    }
    if (CoroutineBase* to = next()) {
      leave_phase();
      switch_to(*idle_, *to);
      continue;
    }
    if (!leaving && (!microtasks_.empty() || pending_ != nullptr || !unread_.empty())) continue;
    if (main_done_ && nothing_left()) {
      leave_phase();
      switch_to(*idle_, *main_);  // run() returns
      continue;
    }
    if (abandoning_) {
      fail_main();
      continue;
    }
    if (is_main_alone()) {
      cancel_rest();
      continue;
    }
    if (final_ && !registry_.empty()) {
      insist();
      if (abandoning_ || !queue_.empty()) continue;
    }
    stacks_.trim(driver_.now());
    queue_.shrink(registry_.size() + reserved_ + 2);
    const bool alive = driver_.poll(Wait::yes, shutdown_limit_);
    last_look_ = driver_.now();
    handle_pending();
    if (last_look_ >= shutdown_limit_) check_shutdown_limit();
    if (alive || !queue_.empty() || !microtasks_.empty() || registry_.empty()) continue;
    // Everybody waits and nothing is armed. One more look, in case the last one came too early.
    if (rescues_.try_all()) continue;
    driver_.poll(Wait::no, never);
    handle_pending();
    if (queue_.empty() && microtasks_.empty()) resolve_stall();
  }
}

void Scheduler::finish_main(std::exception_ptr error) {
  WEFT_ASSERT(current_ == main_.get(), "main ends on its own stack");
  ++phase_;
  main_done_ = true;
  finish(*main_, std::move(error));
  leave_phase();
  // The thread's stack is never handed over: it parks here until nothing is left.
  main_->context_ = &thread_context_;
  ++phase_;
  current_ = nullptr;
  pass();
  CoroutineBase& to = next_or_idle();
  leave_phase();
  switch_to(*main_, to);
  main_->context_ = nullptr;
  current_ = nullptr;
  over_ = true;
  ++phase_;  // nobody is left who could suspend
  if (chained_ > most_chained) {
    warn(std::to_string(chained_ - most_chained) +
         " more errors of the shutdown are not in the chain of the one that is thrown");
  }
  if (!microtasks_.empty()) {
    warn(std::to_string(microtasks_.size()) + " microtasks were not executed");
  }
  if (abandoned_ > 0) {
    warn(std::to_string(abandoned_) + " deferred coroutines were not executed");
  }
}

void Scheduler::handle_pending() noexcept {
  if (!unread_.empty()) flush_unread();
  if (pending_ != nullptr) fail(take_pending());
}

/// Several are one cause: the later ones are found by previous().
std::exception_ptr Scheduler::take_pending() noexcept {
  const PendingErrors errors = std::exchange(pending_, {});
  for (const std::exception_ptr& later : errors.later) link_errors(errors.first, later);
  return errors.first;
}

std::exception_ptr Scheduler::take_exit_error() noexcept {
  return std::exchange(exit_error_, nullptr);
}

}  // namespace weft
