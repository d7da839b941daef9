#pragma once

#include "base/planted.hpp"
#include "scheduler/scheduler.hpp"

// The hot path: inlined into the few functions that park or end a coroutine, so that only one
// return follows a switch (a return into another caller than the last one is mispredicted).
namespace weft {

inline void Waker::move_to(Status status) noexcept {
  // Which states may come before each.
  constexpr auto bit = [](Status s) { return 1U << static_cast<unsigned>(s); };
  constexpr unsigned before[] = {
      bit(Status::result) | bit(Status::waiting) | bit(Status::ignored) | bit(Status::none),  // none
      bit(Status::none),                                                                     // waiting
      bit(Status::none) | bit(Status::waiting),                                              // queued
      bit(Status::queued) | bit(Status::none),                                               // ignored
      bit(Status::waiting) | bit(Status::queued),                                            // result
  };
  WEFT_ASSERT(((before[static_cast<unsigned>(status)] >> static_cast<unsigned>(status_)) & 1U) != 0,
              "a waker made a move that its table does not allow");
  status_ = status;
}

inline void Scheduler::enqueue(CoroutineBase& coroutine) noexcept {
  if (coroutine.priority_ == Priority::high) [[unlikely]] {
    ready_.push_front(&coroutine);
  } else {
    ready_.push_back(&coroutine);
  }
}

inline void Scheduler::switch_from(CoroutineBase& from, CoroutineBase& to) noexcept {
  ++switches_;
  current_ = &to;
  ExceptionState& exceptions = *exceptions_;
  const ExceptionState mine = exceptions;
  switch_context(*from.context_, from.stack_pointer_, *to.context_, to.stack_pointer_);
  exceptions = mine;
}

/// The work between two coroutines, on the stack of whoever gives up control.
inline void Scheduler::pass() noexcept {
  if (heartbeat_) [[unlikely]] {
    SchedulerPhase phase{*this};
    heartbeat_();
  }
  if (!microtasks_.empty()) [[unlikely]] run_microtasks();
  if (--countdown_ == 0) [[unlikely]] read_clock();
  if (pending_ != nullptr || !unread_.empty()) [[unlikely]] handle_pending();
}

/// The next coroutine that can run, with a stack; the scheduler coroutine if nobody is ready.
inline CoroutineBase& Scheduler::next_or_idle() noexcept {
  CoroutineBase* next = take_next();
  while (next != nullptr && next->context_ == nullptr && !give_stack(*next)) [[unlikely]] {
    next = take_next();
  }
  if (next != nullptr) [[likely]] return *next;
  ++scheduler_switches_;
  return *idle_;
}

inline CoroutineBase* Scheduler::take_next() noexcept {
  while (!ready_.empty()) [[likely]] {
    CoroutineBase* next =
        choice_ == nullptr ? ready_.pop_front() : ready_.take(choice_->next_ready(ready_.size()));
    if (next->waker_.status_ != Waker::Status::ignored) [[likely]] return next;
    finish_ignored(*next);
  }
  return nullptr;
}

/// One tick on the stack of `me`, which is suspending. Returns when its wait is decided.
inline void Scheduler::tick(CoroutineBase& me) {
  pass();
  if (me.waker_.status_ == Waker::Status::result) return;  // decided by this very tick
  CoroutineBase& next = next_or_idle();
  if (&next != &me) switch_from(me, next);
  if (me.waker_.status_ == Waker::Status::queued) me.waker_.move_to(Waker::Status::result);
}

/// Parks `me` until its wait is decided.
inline void Scheduler::park(CoroutineBase& me, Place place) {
  ++suspensions_;
  me.suspend_place_ = PackedPlace{place};
  // An exception in flight means that a destructor suspends: nothing may be thrown at it.
  const bool shielded = exceptions_->uncaught != 0;
  if (shielded) [[unlikely]] ++me.shields_;
  if (choice_ != nullptr) [[unlikely]] choice_->at_suspension(*this, me);
  if (me.has_switch_handlers_) [[unlikely]] run_handlers(me, Switch::leave);
  tick(me);
  if (me.has_switch_handlers_) [[unlikely]] run_handlers(me, Switch::enter);
  if (shielded) [[unlikely]] --me.shields_;
  me.waker_.move_to(Waker::Status::none);
}

}  // namespace weft
