#pragma once

#include "base/planted.hpp"
#include "context/quick_switch.hpp"
#include "scheduler/scheduler.hpp"

// How a coroutine gives up control and gets it back, from top to bottom.
//
// A coroutine parks on its own stack: it stores where to go on, takes the next coroutine from the
// run queue, and jumps to the stack of that one. There is no scheduler loop in between. Only the
// current coroutine may park, outside the scheduler phase. The compiler keeps live variables across
// the jump.
//
// The fast path is for a coroutine in an ordinary state (is_ordinary) while another one is ready
// and no other work is due. The jump is inlined into each operation that parks, because the CPU
// predicts an indirect jump by its address, and a return after a switch only if few operations
// share the jump. The slow path, park_slow(), also handles switch handlers, the choices of an
// exploration, an exception in flight, changed float modes, an empty run queue and a due poll of
// the reactor. Sanitizers and Boost.Context always take it.
//
// A parked frame begins with the address to go on at. The switch sets the waker's status; the
// resumed coroutine itself does the rest if its `special_` is set. A yield has no code after its
// jump, so its parked frame is marked (mark_slow) instead.
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

[[gnu::always_inline]] inline bool Waker::is_clean() const noexcept {
  // Forces a load of this byte alone: the compiler would load it together with its neighbours, and
  // a load that is wider than a recent store of one of them stalls.
  std::uint8_t held = holds_;
  asm("" : "+r"(held));
  return held == 0;
}

[[gnu::always_inline]] inline void Waker::wait_only_for(DirectWait& wait) noexcept {
  wait.waker_ = this;
  direct_ = &wait;
  count_ = 0;
  triggered_ = -1;
  status_ = Status::waiting;
  woken_by_ = Wake::resolve;
  holds_ = direct_wait;
}

/// The wait of `coroutine` is decided: queues it, unless it is decided in its own tick.
[[gnu::always_inline]] inline void Scheduler::make_ready(CoroutineBase& coroutine) noexcept {
  Waker& waker = coroutine.waker_;
  WEFT_ASSERT(waker.is_waiting(), "a wait is decided once");
  if (&coroutine == current_) [[unlikely]] {
    waker.status_ = Waker::Status::result;
    return;
  }
  if (WEFT_PLANTED(lost_wakeup) && queue_.size() > 1) return;
  waker.status_ = Waker::Status::queued;
  __builtin_prefetch(coroutine.stack_pointer_);  // it may have left the cache
  queue_.add(coroutine);
  if (WEFT_PLANTED(double_enqueue)) queue_.add(coroutine);
}

/// Every wait ends here.
[[gnu::always_inline]] inline void Waker::end(std::int16_t which, Wake kind,
                                              const void* value) noexcept {
  if (holds(subscribed)) detach_events();
  holds_ &= referenced | spilled;
  triggered_ = which;
  woken_by_ = kind;
  if (kind != Wake::resolve) special_ = true;
  value_ = value;
  current_thread.scheduler->make_ready(coroutine());
}

[[gnu::always_inline]] inline void Waker::complete_here() noexcept {
  if (is_waiting()) end(static_cast<std::int16_t>(count_), Wake::resolve, nullptr);
}

/// The work between two coroutines, on the stack of the one that gives up control.
[[gnu::always_inline]] inline void Scheduler::pass() noexcept {
  if (--countdown_ == 0) [[unlikely]]
    run_due_work();
}

/// Takes the next coroutine from the run queue and makes sure that it has a stack; null if none is
/// ready. `spare` is a stack that it may take over. Yield, park, the end of a coroutine and the
/// scheduler coroutine all call this.
[[gnu::always_inline]] inline CoroutineBase* Scheduler::next(Context* spare) noexcept {
  constexpr std::size_t cache_line = 64;
  if (queue_.empty()) [[unlikely]]
    return nullptr;
  CoroutineBase& next = queue_.take();
  if (!queue_.empty()) [[likely]] {  // prefetches for the switch after this one
    const auto stack = reinterpret_cast<std::uintptr_t>(queue_.first().stack_pointer_);
    __builtin_prefetch(reinterpret_cast<const void*>(stack));  // null if it has not started
    __builtin_prefetch(reinterpret_cast<const void*>(stack + cache_line));
  }
  if (next.context_ == nullptr) [[unlikely]]
    return begin_or_skip(next, spare);
  WEFT_ASSERT(next.waker_.status_ == Waker::Status::queued,
              "a waker made a move that its table does not allow");
  return &next;
}

[[gnu::always_inline]] inline CoroutineBase& Scheduler::next_or_idle(Context* spare) noexcept {
  CoroutineBase* const found = next(spare);
  if (found != nullptr) [[likely]]
    return *found;
  ++scheduler_switches_;
  return *idle_;
}

/// Makes `to` the running coroutine.
[[gnu::always_inline]] inline void Scheduler::set_current(CoroutineBase& to) noexcept {
  current_ = &to;
  to.waker_.status_ = Waker::Status::none;
}

/// The same; returns the address to jump to.
[[gnu::always_inline]] inline void* Scheduler::hand_over(CoroutineBase& to) noexcept {
  set_current(to);
  if constexpr (has_quick_switch) {
    if (to.waker_.special_) [[unlikely]]
      mark_if_yielded(to.stack_pointer_);
  }
  return to.stack_pointer_;
}

/// A call, so that the compiler keeps the slow path out of the straight line: the CPU predicts the
/// indirect jump of a switch from the branches before it, and many branches spoil that.
[[gnu::cold, gnu::noinline]] inline void* slow_path() noexcept { return nullptr; }

/// Whether the state of `me` allows the fast path.
[[gnu::always_inline]] inline bool Scheduler::is_ordinary(const CoroutineBase& me) const noexcept {
  return !me.waker_.special_ && exceptions_->caught == nullptr && exceptions_->uncaught == 0 &&
         modes_.are_set() && queue_.choice() == nullptr;
}

/// The fast path of `me`, whose wait is prepared, up to the jump: returns its target. Null: take
/// the slow path.
[[gnu::always_inline]] inline void* Scheduler::leave(CoroutineBase& me,
                                                     PackedPlace place) noexcept {
  if (!is_ordinary(me) || queue_.empty() || countdown_ == 1) [[unlikely]]
    return slow_path();
  CoroutineBase& to = next_or_idle();
  if (&to == &me) [[unlikely]] {  // a coroutine that ended in next_or_idle() has woken `me`
    queue_.add_first(me);
    return slow_path();
  }
  --countdown_;
  ++suspensions_;
  ++switches_;
  me.suspend_place_ = place;
  return hand_over(to);
}

/// Parks `me` until its wait is decided. The outcome is left in its waker.
[[gnu::always_inline]] inline void Scheduler::park_quietly(CoroutineBase& me, PackedPlace place) {
  if constexpr (has_quick_switch) {
    if (void* const frame = leave(me, place)) [[likely]] {
      jump_to_stack(&me.stack_pointer_, frame);
      if (me.waker_.special_) [[unlikely]]
        enter_again(me);
      return;
    }
  }
  park_slow(me, place);
}

/// The same; throws what the wait ended with, if that is not a value.
[[gnu::always_inline]] inline void Scheduler::park(CoroutineBase& me, PackedPlace place) {
  if constexpr (has_quick_switch) {
    if (void* const frame = leave(me, place)) [[likely]] {
      jump_to_stack(&me.stack_pointer_, frame);
      if (me.waker_.special_) [[unlikely]]
        resume_slow(me);
      return;
    }
  }
  park_slow(me, place);
  if (me.waker_.special_) [[unlikely]]
    me.waker_.deliver(*this);
}

/// Parks the current coroutine until `wait` is decided. Throws what the wait ends with, and a
/// MisuseError that names `operation` where suspending is not allowed.
[[gnu::always_inline]] inline void Scheduler::wait_for(DirectWait& wait, const char* operation,
                                                       PackedPlace place) {
  Scheduler* const scheduler = current_thread.scheduler;
  if (scheduler == nullptr || scheduler->in_phase()) [[unlikely]]
    refuse_to_suspend(operation);
  CoroutineBase& me = *scheduler->current_;
  if (me.waker_.special_ || !me.waker_.is_clean()) [[unlikely]]
    return scheduler->wait_slow(me, wait, place);
  me.waker_.wait_only_for(wait);
  scheduler->park(me, place);
}

}  // namespace weft
