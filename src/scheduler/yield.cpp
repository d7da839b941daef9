#include "context/quick_switch.hpp"
#include "scheduler/scheduler_inline.hpp"
#include "weft/park.hpp"
#include "weft/suspend.hpp"

// Queue myself and let the others run: the shortest way from one coroutine to the next. Whoever is
// in an ordinary state takes a quick way of its own; everybody else goes through park().
namespace weft {

[[gnu::always_inline]] inline void Scheduler::queue_and_park(CoroutineBase& me, PackedPlace place) {
  WEFT_ASSERT(me.waker_.status_ == Waker::Status::none, "a coroutine that runs is not queued");
  me.waker_.status_ = Waker::Status::queued;
  ready_.push_back(&me);  // at the tail whatever its priority: a yield lets the others run
  park(me, place);
}

[[gnu::always_inline]] inline void Scheduler::yield(PackedPlace place) {
  CoroutineBase& me = *current_;
  if (me.deferred_ != CancelReason::none) [[unlikely]]
    throw_if_cancelled(me);
  queue_and_park(me, place);
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
  if (!is_ordinary(me)) [[unlikely]]
    return the_long_way();
  WEFT_ASSERT(me.waker_.status_ == Waker::Status::none, "a coroutine that runs is not queued");
  me.waker_.status_ = Waker::Status::queued;
  ready_.push_back(&me);
  ++suspensions_;
  me.suspend_place_ = place;
  me.stack_pointer_ = frame;
  pass();
  return go_to_next(me);
}

/// Somebody who yielded quickly goes on, and meanwhile there was something to do for it.
void Scheduler::after_quick_switch(void* /*unused*/) {
  Scheduler& scheduler = *current_thread.scheduler;
  CoroutineBase& me = *scheduler.current_;
  if (me.has_switch_handlers_) scheduler.run_handlers(me, Switch::enter);
  me.waker_.deliver(scheduler);
}

void Scheduler::yield_slowly(void* place) {
  Scheduler& scheduler = *current_thread.scheduler;
  scheduler.queue_and_park(*scheduler.current_, PackedPlace::from_word(place));
}

Woken Scheduler::yield_quietly(std::exception_ptr& error, PackedPlace place) noexcept {
  CoroutineBase& me = *current_;
  if (is_to_end(me)) return Woken::cancelled;
  me.waker_.triggered_ = -1;
  if constexpr (has_quick_switch) {
    weft_quick_switch(place.word(), &pick_quickly, &yield_slowly, &after_quick_park);
  } else {
    yield_slowly(place.word());
  }
  return how_it_ended(me, error);
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
