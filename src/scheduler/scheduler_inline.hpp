#pragma once

#include "base/planted.hpp"
#include "context/quick_switch.hpp"
#include "scheduler/scheduler.hpp"

// The hot path: inlined into the few functions that park or end a coroutine, so that only one
// return follows a switch (a return into another caller than the last one is mispredicted).
namespace weft {

inline void Waker::move_to(Status status) noexcept {
  // Which states may come before each.
  constexpr auto bit = [](Status s) { return 1U << static_cast<unsigned>(s); };
  constexpr unsigned before[] = {
      bit(Status::result) | bit(Status::waiting) | bit(Status::ignored) |
          bit(Status::none),                       // none
      bit(Status::none),                           // waiting
      bit(Status::none) | bit(Status::waiting),    // queued
      bit(Status::queued) | bit(Status::none),     // ignored
      bit(Status::waiting) | bit(Status::queued),  // result
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

inline void Scheduler::enter(CoroutineBase& coroutine, Owner& owner) {
  ready_.reserve(registry_.size() + reserved_ + 2);  // waking it can never need memory
  coroutine.owner_ = &owner;
  coroutine.id_ = ++next_id_;
  coroutine.retain();
  registry_.push_back(coroutine, owner);
  coroutine.registered_ = true;
  if (owner.watches()) owner.joined(coroutine);
  ++spawned_;
  coroutine.waker_.move_to(Waker::Status::queued);
  enqueue(coroutine);
}

[[gnu::always_inline]] inline void Scheduler::wake_detached(CoroutineBase& coroutine) noexcept {
  Waker& waker = coroutine.waker_;
  if (&coroutine == current_) [[unlikely]]
    return waker.move_to(Waker::Status::result);
  if (WEFT_PLANTED(lost_wakeup) && ready_.size() > 1) return;
  waker.move_to(Waker::Status::queued);
  __builtin_prefetch(coroutine.stack_pointer_);  // it may not have run for long
  enqueue(coroutine);
  if (WEFT_PLANTED(double_enqueue)) enqueue(coroutine);
}

/// Where to go on with `next`. One that parked quickly finds its waker in order, and its frame
/// marked if there is something to do before it goes on.
[[gnu::always_inline]] inline void* Scheduler::frame_to_resume(CoroutineBase& next) noexcept {
  if constexpr (has_quick_switch) {
    if (parked_quickly(next.stack_pointer_)) [[likely]] {
      next.waker_.status_ = Waker::Status::none;
      if (next.needs_attention()) [[unlikely]]
        needs_care(next.stack_pointer_);
    }
  }
  return next.stack_pointer_;
}

/// Every switch happens with an empty exception state: who has one takes it along on its own stack.
[[gnu::always_inline]] inline void Scheduler::switch_from(CoroutineBase& from,
                                                          CoroutineBase& to) noexcept {
  ++switches_;
  current_ = &to;
  ExceptionState& exceptions = *exceptions_;
  void* const caught = exceptions.caught;
  const unsigned uncaught = exceptions.uncaught;
  exceptions.caught = nullptr;
  exceptions.uncaught = 0;
  switch_context(*from.context_, from.stack_pointer_, *to.context_, frame_to_resume(to), modes_);
  exceptions.caught = caught;
  exceptions.uncaught = uncaught;
}

/// The work between two coroutines, on the stack of whoever gives up control.
[[gnu::always_inline]] inline void Scheduler::pass() noexcept {
  if (--countdown_ == 0) [[unlikely]]
    attend();
}

[[gnu::always_inline]] inline CoroutineBase* Scheduler::take_next() noexcept {
  while (!ready_.empty()) [[likely]] {
      CoroutineBase* next =
          choice_ == nullptr ? ready_.pop_front() : ready_.take(choice_->next_ready(ready_.size()));
      if (next->waker_.status_ != Waker::Status::ignored) [[likely]]
        return next;
      finish_ignored(*next);
    }
  return nullptr;
}

/// The next coroutine that can run, with a stack; the scheduler coroutine if nobody is ready.
[[gnu::always_inline]] inline CoroutineBase& Scheduler::next_or_idle() noexcept {
  CoroutineBase* next = take_next();
  while (next != nullptr && next->context_ == nullptr && !give_stack(*next)) [[unlikely]] {
      next = take_next();
    }
  if (next != nullptr) [[likely]]
    return *next;
  ++scheduler_switches_;
  return *idle_;
}

/// One tick on the stack of `me`, which is suspending. Returns when its wait is decided.
[[gnu::always_inline]] inline void Scheduler::tick(CoroutineBase& me) {
  if (--countdown_ == 0) [[unlikely]] {
    attend();
    if (me.waker_.status_ == Waker::Status::result) return;  // decided by this very tick
  }
  CoroutineBase& next = next_or_idle();
  if (&next != &me) switch_from(me, next);
  WEFT_ASSERT(me.waker_.status_ == Waker::Status::queued, "somebody ran without being queued");
}

[[gnu::always_inline]] inline bool Scheduler::is_ordinary(const CoroutineBase& me) const noexcept {
  return !me.needs_attention() && exceptions_->caught == nullptr && exceptions_->uncaught == 0 &&
         modes_.are_set() && choice_ == nullptr;
}

/// A call, so that the compiler keeps this way out of the straight line: the indirect jump at the
/// end of a switch is predicted from the branches before it, and too many of them blind it.
[[gnu::cold, gnu::noinline]] inline void* the_long_way() noexcept { return nullptr; }

/// The end of a quick switch: `me` is parked, and somebody is ready.
[[gnu::always_inline]] inline void* Scheduler::go_to_next(CoroutineBase& me) noexcept {
  constexpr std::size_t cache_line = 64;
  CoroutineBase* next = ready_.pop_front();
  if (!ready_.empty()) [[likely]] {  // the one after next: its stack has had time to get cold
    auto* const stack = static_cast<std::byte*>(ready_[0]->stack_pointer_);
    __builtin_prefetch(stack);
    __builtin_prefetch(stack + cache_line);
  }
  if (next->waker_.status_ == Waker::Status::ignored || next->context_ == nullptr) [[unlikely]] {
    next = &next_instead_of(*next);
  }
  if (next != &me) ++switches_;
  current_ = next;
  return frame_to_resume(*next);
}

/// Parks `me` until its wait is decided.
[[gnu::always_inline]] inline void Scheduler::park(CoroutineBase& me, PackedPlace place) {
  if (me.has_switch_handlers_ || exceptions_->uncaught != 0 || choice_ != nullptr) [[unlikely]] {
    return park_with_care(me, place);
  }
  ++suspensions_;
  me.suspend_place_ = place;
  tick(me);
  me.waker_.status_ = Waker::Status::result;
  if (me.has_switch_handlers_) [[unlikely]]
    run_handlers(me, Switch::enter);
  me.waker_.status_ = Waker::Status::none;
}

/// The wait of the current coroutine for what its `waker` has prepared; what came of it is left in
/// there. Throws what the start of an event throws.
[[gnu::always_inline]] inline void Scheduler::wait(Waker& waker, PackedPlace place) {
  if (waker.empty()) [[unlikely]]
    return;  // nothing could ever wake it
  waker.move_to(Waker::Status::waiting);
  if (!waker.waits_for_one_that_needs_no_start()) waker.start_events();
  if (waker.status_ == Waker::Status::result) {  // one has already happened: no suspension at all
    waker.move_to(Waker::Status::none);
  } else if constexpr (has_quick_switch) {
    weft_quick_park(place.word(), &park_quickly, &park_slowly, &after_quick_park);
  } else {
    park(*current_, place);
  }
  if (waker.referencing_) waker.release_events();
}

}  // namespace weft
