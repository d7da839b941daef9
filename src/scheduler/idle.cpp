#include "base/probe.hpp"
#include "base/warning.hpp"
#include "scheduler/cold_state.hpp"
#include "scheduler/error_chain.hpp"
#include "scheduler/park.hpp"
#include "weft/suspend.hpp"

// The scheduler coroutine, which runs when no coroutine is ready.
namespace weft {

void Scheduler::begin_idle() {
  Scheduler& scheduler = *current_thread.scheduler;
  scheduler.idle_->context_->begin();
  scheduler.idle_loop();
}

bool Scheduler::nothing_left() const noexcept {
  return ending_.is_abandoning() ||
         (registry_.empty() && (driver_.active_events() == 0 || is_shutting_down()));
}

void Scheduler::idle_loop() {
  for (;;) {
    phase_ = 1;
    check_canary(*idle_->context_);
    if (ending_.is_abandoning()) ending_.release_abandoned();
    const bool leaving = ending_.is_abandoning() && main_done_;
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
    if (!leaving && (!microtasks_.empty() || pending_ != nullptr || failures_.has_dropped()))
      continue;
    if (main_is_left_ && (registry_.empty() || ending_.is_abandoning())) leave_forked_child();
    if (main_done_ && nothing_left()) {
      leave_phase();
      switch_to(*idle_, *main_);  // run() returns
      continue;
    }
    if (ending_.is_abandoning()) {
      ending_.fail_main();
      continue;
    }
    if (ending_.is_main_alone()) {
      ending_.cancel_rest();
      continue;
    }
    if (ending_.is_final() && !registry_.empty()) {
      ending_.cancel_again();
      if (ending_.is_abandoning() || !queue_.empty()) continue;
    }
    stacks_.trim(driver_.now());
    queue_.shrink(registry_.room());
    const bool alive = driver_.poll(Wait::yes, ending_.limit());
    last_poll_ = driver_.now();
    handle_pending();
    if (last_poll_ >= ending_.limit()) ending_.check_limit();
    if (alive || !queue_.empty() || !microtasks_.empty() || registry_.empty()) continue;
    // All coroutines wait and no event is armed. Polls once more before a deadlock is declared.
    if (deadlock_hooks_.try_all()) continue;
    driver_.poll(Wait::no, never);
    handle_pending();
    if (queue_.empty() && microtasks_.empty()) ending_.resolve_stall();
  }
}

/// The thread's stack is never handed over: main parks here until all coroutines have ended.
void Scheduler::run_the_others() noexcept {
  ++phase_;
  current_ = nullptr;
  pass();
  CoroutineBase& to = next_or_idle();
  leave_phase();
  switch_to(*main_, to);
}

void Scheduler::drain_main() {
  expect_host("Runtime::drain()");
  registry_.set_aside(*main_, root_);
  main_done_ = true;
  run_the_others();
  main_done_ = false;
  registry_.put_back(*main_, root_);
  ending_.spare_main_for_good();
  if (main_->deferred_ == CancelReason::none) main_->cancelled_ = false;
  current_ = main_.get();
}

void Scheduler::finish_main(std::exception_ptr error) {
  WEFT_ASSERT(current_ == main_.get(), "main ends on its own stack");
  ++phase_;
  main_done_ = true;
  finish(*main_, std::move(error));
  leave_phase();
  main_->context_ = &thread_context_;
  run_the_others();
  main_->context_ = nullptr;
  current_ = nullptr;
  over_ = true;
  ++phase_;  // no coroutine is left that could suspend
  if (!microtasks_.empty()) {
    warn(std::to_string(microtasks_.size()) + " microtasks were not executed");
  }
  ending_.warn_of_the_rest();
}

void Scheduler::handle_pending() noexcept {
  if (failures_.has_dropped()) failures_.flush(ending_);
  if (pending_ != nullptr) ending_.fail(take_pending());
}

/// Joins all pending errors to the first: previous() finds the later ones.
std::exception_ptr Scheduler::take_pending() noexcept {
  const PendingErrors errors = std::exchange(pending_, {});
  for (const std::exception_ptr& later : errors.later) link_errors(errors.first, later);
  return errors.first;
}

}  // namespace weft
