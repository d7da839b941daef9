#include "scheduler/park.hpp"

#include "base/probe.hpp"
#include "scheduler/cold_state.hpp"
#include "scheduler/token_error.hpp"
#include "weft/error.hpp"
#include "weft/extend/park.hpp"
#include "weft/suspend.hpp"

// The slow paths of park.hpp, and the operations that only wait.
namespace weft {

// The slow path: for coroutines that are not is_ordinary().

/// Every switch happens with an empty exception state: a coroutine that has one keeps it on its own
/// stack meanwhile.
[[gnu::always_inline]] inline void Scheduler::switch_from(CoroutineBase& from,
                                                          CoroutineBase& to) noexcept {
  ++switches_;
  ExceptionState& exceptions = *exceptions_;
  void* const caught = exceptions.caught;
  const unsigned uncaught = exceptions.uncaught;
  exceptions.caught = nullptr;
  exceptions.uncaught = 0;
  switch_context(*from.context_, from.stack_pointer_, *to.context_, hand_over(to), modes_);
  exceptions.caught = caught;
  exceptions.uncaught = uncaught;
}

void Scheduler::switch_to(CoroutineBase& from, CoroutineBase& to) noexcept {
  switch_from(from, to);
}

/// One tick on the stack of `me`, which is suspending. Returns when the wait of `me` is decided.
[[gnu::always_inline]] inline void Scheduler::tick(CoroutineBase& me) {
  if (--countdown_ == 0) [[unlikely]] {
    run_due_work();
    if (me.waker_.status_ == Waker::Status::result) return;  // the wait was decided by this tick
  }
  CoroutineBase& to = next_or_idle();
  if (&to != &me) switch_from(me, to);
}

void Scheduler::park_slow(CoroutineBase& me, PackedPlace place) {
  ++suspensions_;
  // An exception in flight means that a destructor suspends, which must not throw a cancellation.
  const bool shielded = exceptions_->uncaught != 0 && is_unwinding(me);
  if (shielded) ++me.shields_;
  if (queue_.choice() != nullptr) queue_.choice()->at_suspension(me);
  if (me.has_switch_handlers_) run_handlers(me, Switch::leave);
  me.suspend_place_ = place;
  if (me.waker_.status_ != Waker::Status::result) {
    tick(me);
  } else {
    pass();  // a switch handler has decided the wait, so `me` is in no queue
  }
  me.waker_.status_ = Waker::Status::result;
  if (me.has_switch_handlers_) run_handlers(me, Switch::enter);
  if (shielded) --me.shields_;
  me.waker_.status_ = Waker::Status::none;
}

/// Slow path after a switch back to `me`: runs switch handlers and throws a cancellation or error.
void Scheduler::resume_slow(CoroutineBase& me) {
  enter_again(me);
  me.waker_.deliver(*this);
}

void Scheduler::enter_again(CoroutineBase& me) noexcept {
  if (me.has_switch_handlers_) run_handlers(me, Switch::enter);
}

void Scheduler::mark_if_yielded(void* frame) noexcept {
  if (yielded_quickly(frame)) mark_slow(frame);
}

/// Gives `coroutine` a stack to begin on: `spare`, if it has the right size, a pooled one, or a new
/// one. False: there is none, and `coroutine` has ended with an error.
[[gnu::always_inline]] inline bool Scheduler::give_stack(CoroutineBase& coroutine,
                                                         Context* spare) noexcept {
  if (spare != nullptr && coroutine.stack_class_ == spare->stack_class()) {
    coroutine.context_ = spare;  // the current stack, which its last coroutine has left
    return true;
  }
  Context* context = stacks_.take_pooled(coroutine.stack_class_);
  if (context == nullptr) [[unlikely]] {
    context = make_stack(coroutine);
    if (context == nullptr) return false;
  }
  coroutine.context_ = context;
  coroutine.stack_pointer_ = context->prepare<&Scheduler::begin>();
  if (context->has_canary()) [[unlikely]]
    request_due_work();  // checks the canary at every pass from now on
  return true;
}

/// Takes `first`, which has no stack yet or never runs, or the next one that can run.
CoroutineBase* Scheduler::begin_or_skip(CoroutineBase& first, Context* spare) noexcept {
  if (first.waker_.status_ != Waker::Status::queued) [[unlikely]]
    return skip(&first, spare);
  if (give_stack(first, spare)) [[likely]]
    return &first;
  return skip(nullptr, spare);  // `first` has ended, and may be freed
}

/// Ends `ignored`, if there is one, and takes the next coroutine that can run.
CoroutineBase* Scheduler::skip(CoroutineBase* ignored, Context* spare) noexcept {
  if (ignored != nullptr) finish_ignored(*ignored);
  while (!queue_.empty()) {
    CoroutineBase& next = queue_.take();
    if (next.waker_.status_ != Waker::Status::queued) {
      finish_ignored(next);
    } else if (next.context_ != nullptr || give_stack(next, spare)) {
      return &next;
    }
  }
  return nullptr;
}

void Scheduler::refuse_to_suspend(const char* operation) {
  if (here(operation).in_phase()) {
    throw MisuseError{
        std::string{
            "A coroutine cannot be stopped from the Scheduler context: microtasks, callbacks and "
            "switch handlers may not suspend; spawn() a coroutine from there instead of calling "} +
        operation};
  }
  throw MisuseError{std::string{operation} + " was called outside a coroutine"};
}

// Waiting for what a waker has prepared.

/// Throws what Event::start() throws.
[[gnu::always_inline]] inline bool Scheduler::begin_wait(Waker& waker) {
  if (waker.empty()) [[unlikely]]
    return false;  // without an event nothing could wake it
  waker.move_to(Waker::Status::waiting);
  if (waker.needs_start()) waker.start_events();
  if (waker.is_waiting()) [[likely]]
    return true;
  waker.move_to(Waker::Status::none);  // an event has already completed: no suspension
  return false;
}

void Scheduler::wait_slow(CoroutineBase& me, DirectWait& wait, PackedPlace place) {
  Waker& waker = me.waker_.renew();
  waker.resume_when(wait);
  suspend(waker, place);
}

__attribute__((no_stack_protector)) void Scheduler::suspend(Waker& waker, PackedPlace place) {
  CoroutineBase& me = *current_;
  WEFT_ASSERT(&me.waker_ == &waker, "a coroutine can only suspend with its own waker");
  if (waker.special_ && is_to_end(me)) [[unlikely]] {
    waker.forget();
    throw_cancelled(me);
  }
  if (begin_wait(waker)) park_quietly(me, place);
  if (waker.holds(Waker::referenced)) waker.release_events();
  if (waker.special_) [[unlikely]]
    waker.deliver(*this);
}

Woken Scheduler::wait_quietly(Waker& waker, std::exception_ptr& error, PackedPlace place) noexcept {
  CoroutineBase& me = *current_;
  WEFT_ASSERT(&me.waker_ == &waker, "a coroutine can only suspend with its own waker");
  if (is_to_end(me)) [[unlikely]] {
    waker.forget();
    return Woken::cancelled;
  }
  try {
    if (begin_wait(waker)) park_quietly(me, place);
  } catch (...) {
    error = std::current_exception();
    return Woken::failed;
  }
  if (waker.holds(Waker::referenced)) waker.release_events();
  if (!waker.special_) [[likely]]
    return Woken::event;
  return outcome_of_wait(me, error);
}

void detail::suspend_at(Waker& waker, PackedPlace place) {
  Scheduler* scheduler = current_thread.scheduler;
  if (scheduler == nullptr || scheduler->in_phase()) [[unlikely]] {
    Scheduler::refuse_to_suspend("suspend()");
  }
  scheduler->suspend(waker, place);
}

/// The wait of the first coroutine that awaits the end of `awaited_` alone. It takes no reference:
/// the registry keeps `awaited_` until it has notified its end.
class CoroutineBase::EndWait final : public DirectWait {
 public:
  EndWait(CoroutineBase& awaited, Waker& waker) noexcept : awaited_{awaited} {
    awaited.awaiter_ = &waker;
  }
  [[nodiscard]] std::string describe() const override { return awaited_.describe(); }

 private:
  void on_wait_ended() noexcept override { awaited_.awaiter_ = nullptr; }

  CoroutineBase& awaited_;
};

__attribute__((no_stack_protector)) void CoroutineBase::await_end(PackedPlace place) {
  Scheduler* const scheduler = current_thread.scheduler;
  if (scheduler == nullptr || scheduler->in_phase()) [[unlikely]]
    Scheduler::refuse_to_suspend("await()");
  CoroutineBase& me = *scheduler->current_;
  set(result_used_flag);
  if (awaiter_ != nullptr || is_listened_to() || !registered_ || me.waker_.special_ ||
      !me.waker_.is_clean()) [[unlikely]] {
    Waker& waker = me.waker_.renew();
    waker.resume_when(*this, Wake::resolve);
    return scheduler->suspend(waker, place);
  }
  EndWait wait{*this, me.waker_};
  me.waker_.wait_only_for(wait);
  scheduler->park(me, place);
}

/// Throws what the wait ended with, if that is not a value.
void Waker::deliver(Scheduler& scheduler) {
  CoroutineBase& me = coroutine();
  const Wake kind = std::exchange(woken_by_, Wake::resolve);
  if (scheduler.is_to_end(me)) {
    if (triggered_ >= 0) WEFT_PROBE("cancel won over completion");
    scheduler.throw_cancelled(me);
  }
  std::exception_ptr error = std::exchange(error_, nullptr);
  special_ = me.has_switch_handlers_ || me.deferred_ != CancelReason::none;
  if (kind == Wake::cancel) throw_token_error(std::move(error));
  if (error != nullptr) std::rethrow_exception(std::move(error));
  if (kind == Wake::timeout) throw TimedOut{};
}

/// The same for callers that take no exceptions: returns the error.
Woken Scheduler::outcome_of_wait(CoroutineBase& me, std::exception_ptr& error) noexcept {
  Waker& waker = me.waker_;
  waker.woken_by_ = Wake::resolve;
  error = std::exchange(waker.error_, nullptr);
  if (is_to_end(me)) return Woken::cancelled;
  waker.special_ = me.has_switch_handlers_ || me.deferred_ != CancelReason::none;
  return error == nullptr || waker.triggered_ >= 0 ? Woken::event : Woken::failed;
}

// Yielding: the shortest operation, so it has a jump of its own (quick_switch.hpp); these are the
// steps before and after the jump.

/// The yield of a coroutine in an ordinary state, up to the jump. Null: take the slow path.
__attribute__((no_stack_protector)) void* Scheduler::yield_quickly(void* place, void* frame) {
  Scheduler* const scheduler = current_thread.scheduler;
  if (scheduler == nullptr || scheduler->in_phase()) [[unlikely]]
    return slow_path();
  CoroutineBase& me = *scheduler->current_;
  if (!scheduler->is_ordinary(me)) [[unlikely]]
    return slow_path();
  WEFT_ASSERT(me.waker_.status_ == Waker::Status::none, "a coroutine that runs is not queued");
  me.waker_.status_ = Waker::Status::queued;
  scheduler->queue_.add_last(me);  // at any priority: a yield lets the others run
  ++scheduler->suspensions_;
  me.suspend_place_ = PackedPlace::from_word(place);
  me.stack_pointer_ = frame;
  scheduler->pass();
  CoroutineBase& to = scheduler->next_or_idle();
  if (&to != &me) ++scheduler->switches_;
  return scheduler->hand_over(to);
}

void Scheduler::yield_slow(void* place) {
  CoroutineBase& me = *current_;
  WEFT_ASSERT(me.waker_.status_ == Waker::Status::none, "a coroutine that runs is not queued");
  me.waker_.status_ = Waker::Status::queued;
  queue_.add_last(me);
  park_slow(me, PackedPlace::from_word(place));
}

void Scheduler::yield_on_slow_path(void* place) {
  Scheduler* const scheduler = current_thread.scheduler;
  if (scheduler == nullptr || scheduler->in_phase()) [[unlikely]]
    refuse_to_suspend("suspend()");
  CoroutineBase& me = *scheduler->current_;
  scheduler->throw_if_cancelled(me);
  scheduler->yield_slow(place);
  if (me.waker_.special_) me.waker_.deliver(*scheduler);
}

void Scheduler::after_yield(void* /*unused*/) {
  Scheduler& scheduler = *current_thread.scheduler;
  scheduler.resume_slow(*scheduler.current_);
}

void detail::suspend_at(PackedPlace place) {
  if constexpr (has_quick_switch) {
    weft_quick_switch(place.word(), &Scheduler::yield_quickly, &Scheduler::yield_on_slow_path,
                      &Scheduler::after_yield);
  } else {
    Scheduler::yield_on_slow_path(place.word());
  }
}

/// Returns to its caller by returns, not by the jump of weft_quick_switch(): a host yields through
/// one function, so the frames of both stacks are alike, and the CPU predicts all of their returns
/// if calls and returns match.
__attribute__((no_stack_protector)) Woken Scheduler::yield_quietly(std::exception_ptr& error,
                                                                   PackedPlace place) noexcept {
  CoroutineBase& me = *current_;
  Waker& waker = me.waker_;
  if (waker.special_ && is_to_end(me)) [[unlikely]]
    return Woken::cancelled;
  waker.triggered_ = -1;
  if (!has_quick_switch || !is_ordinary(me) || countdown_ == 1 || queue_.empty()) [[unlikely]] {
    yield_slow(place.word());
  } else if constexpr (has_quick_switch) {
    WEFT_ASSERT(waker.status_ == Waker::Status::none, "a coroutine that runs is not queued");
    waker.status_ = Waker::Status::queued;
    queue_.add_last(me);
    me.suspend_place_ = place;
    ++suspensions_;
    --countdown_;
    CoroutineBase& to = next_or_idle();
    if (&to == &me) [[unlikely]] {  // the others have ended without running
      set_current(me);
    } else {
      ++switches_;
      jump_to_stack(&me.stack_pointer_, hand_over(to));
    }
    if (waker.special_) [[unlikely]]
      enter_again(me);
  }
  if (!waker.special_) [[likely]]
    return Woken::event;
  return outcome_of_wait(me, error);
}

}  // namespace weft
