#include "context/quick_switch.hpp"
#include "scheduler/scheduler_inline.hpp"
#include "weft/suspend.hpp"

// Queue myself and let the others run: the shortest way from one coroutine to the next. Whoever is
// in an ordinary state takes a quick way of its own; everybody else goes through park().
namespace weft {

[[gnu::always_inline]] inline void Scheduler::yield(PackedPlace place) {
  CoroutineBase& me = *current_;
  if (me.deferred_ != CancelReason::none && exceptions_->uncaught == 0) [[unlikely]] {
    throw_if_cancelled(me);
  }
  WEFT_ASSERT(me.waker_.status_ == Waker::Status::none, "a coroutine that runs is not queued");
  me.waker_.status_ = Waker::Status::queued;
  ready_.push_back(&me);  // at the tail whatever its priority: a yield lets the others run
  park(me, place);
  if (me.deferred_ != CancelReason::none || me.waker_.error_ != nullptr) [[unlikely]] {
    me.waker_.deliver(*this);
  }
}

__attribute__((no_stack_protector)) void Scheduler::yield_with_care(void* place) {
  Scheduler* scheduler = current_thread.scheduler;
  if (scheduler == nullptr || scheduler->in_phase()) [[unlikely]] {
    refuse_to_suspend();
  }
  scheduler->yield(PackedPlace::from_word(place));
}

namespace {

constexpr std::size_t cache_line = 64;

/// A call, so that the compiler keeps this way out of the straight line: the indirect jump at the
/// end of a switch is predicted from the branches before it, and too many of them blind it.
[[gnu::cold, gnu::noinline]] void* the_long_way() noexcept { return nullptr; }

}  // namespace

/// The yield of a coroutine in an ordinary state, up to the switch. Null: take the long way.
__attribute__((no_stack_protector)) void* Scheduler::pick_quickly(void* place, void* frame) {
  Scheduler* const scheduler = current_thread.scheduler;
  if (scheduler == nullptr || scheduler->in_phase()) [[unlikely]]
    return the_long_way();
  return scheduler->yield_quickly(PackedPlace::from_word(place), frame);
}

[[gnu::always_inline]] inline void* Scheduler::yield_quickly(PackedPlace place,
                                                             void* frame) noexcept {
  CoroutineBase& me = *current_;
  if (me.needs_attention() || exceptions_->caught != nullptr || exceptions_->uncaught != 0 ||
      FloatModes::read().differ_from(modes_) || choice_ != nullptr) [[unlikely]] {
    return the_long_way();
  }
  WEFT_ASSERT(me.waker_.status_ == Waker::Status::none, "a coroutine that runs is not queued");
  me.waker_.status_ = Waker::Status::queued;
  ready_.push_back(&me);
  ++suspensions_;
  me.suspend_place_ = place;
  me.stack_pointer_ = frame;
  pass();
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

/// Who runs when `next` was taken from the queue and has no stack yet, or will never run.
[[gnu::cold, gnu::noinline]] CoroutineBase& Scheduler::next_instead_of(
    CoroutineBase& next) noexcept {
  if (next.waker_.status_ == Waker::Status::ignored) {
    finish_ignored(next);
  } else if (give_stack(next)) {
    return next;
  }
  return next_or_idle();
}

/// Somebody who yielded quickly goes on, and meanwhile there was something to do for it.
void Scheduler::after_quick_switch(void* /*unused*/) {
  Scheduler& scheduler = *current_thread.scheduler;
  CoroutineBase& me = *scheduler.current_;
  if (me.has_switch_handlers_) scheduler.run_handlers(me, Switch::enter);
  me.waker_.deliver(scheduler);
}

void suspend_at(PackedPlace place) {
  if constexpr (has_quick_switch) {
    weft_quick_switch(place.word(), &Scheduler::pick_quickly, &Scheduler::yield_with_care,
                      &Scheduler::after_quick_switch);
  } else {
    Scheduler::yield_with_care(place.word());
  }
}

}  // namespace weft
