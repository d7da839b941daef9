#include "scheduler/scheduler.hpp"

#include <algorithm>
#include <atomic>
#include <unistd.h>

#include "base/planted.hpp"
#include "base/probe.hpp"
#include "base/warning.hpp"
#include "scheduler/cold_state.hpp"
#include "scheduler/park.hpp"
#include "scheduler/thread_memory.hpp"
#include "weft/coroutine.hpp"
#include "weft/error.hpp"

namespace weft {
namespace {

// The time that the passes between two readings of the clock are meant to take.
constexpr Duration reading_every = std::chrono::microseconds{100};

std::atomic<std::uint64_t> schedulers_made{0};

}  // namespace

/// The caller of run(), or a host that ticks: on the thread's own stack, already started.
class Scheduler::MainCoroutine final : public CoroutineBase {
 private:
  void run_body() override {}
  void drop_body() noexcept override {}
};

/// The scheduler coroutine.
class Scheduler::IdleCoroutine final : public CoroutineBase {
 private:
  void run_body() override {}
  void drop_body() noexcept override {}
};

Scheduler::Scheduler(const Options& options, Driver& driver, Owner& root)
    : exceptions_{&ExceptionState::of_thread()},
      queue_{options.choice},
      driver_{driver},
      root_{root},
      serial_{schedulers_made.fetch_add(1, std::memory_order_relaxed)},
      options_{options},
      poll_every_{saturated(options.reactor_every)},
      stacks_{options.stack_size, options.unguarded_stacks, options.stack_policy} {
  microtasks_.reserve(1);
  idle_ = make_ref<IdleCoroutine>();
  idle_->internal_ = true;
  idle_->started_ = true;
  idle_->owner_ = &idle_owner_;
  idle_->context_ = &stacks_.acquire(0);
  idle_->stack_pointer_ = idle_->context_->prepare<&Scheduler::begin_idle>();
  last_poll_ = last_reading_ = driver_.now();
}

Scheduler::~Scheduler() {
  if (!keeps_errors_) failures_.report_held();
  failures_.forget_all_held();
  if (!keeps_errors_ && current_thread.memory != nullptr) {
    current_thread.memory->error_links.clear();
  }
  main_done_ = true;
  ending_.release_abandoned();  // there are some in the child of a plain fork()
  while (!microtasks_.empty()) microtasks_.pop_front()->release();
  failures_.report_dropped();
  idle_->set(Event::closed_flag);
}

void Scheduler::refuse(const char* operation) {
  if (current_thread.scheduler == nullptr) {
    throw MisuseError{std::string{operation} +
                      " needs a runtime on this thread: call it inside weft::run()"};
  }
  if (current_thread.scheduler->over_) {
    throw MisuseError{std::string{operation} +
                      " was called after the runtime had finished: make a new one"};
  }
  throw MisuseError{std::string{operation} +
                    " was called in the child of a plain fork(): its runtime is dead; use "
                    "weft::fork() or continue_alone_after_fork(), or exec at once"};
}

void Scheduler::start_main() {
  main_ = make_ref<MainCoroutine>();
  main_->cold_state().name = "main";
  main_->started_ = true;
  main_->context_ = &thread_context_;
  enter(*main_, root_);
  // Main runs already, but entering has queued it.
  queue_.clear();
  main_->waker_.status_ = Waker::Status::none;
  current_ = main_.get();
  if (ThreadMemory* memory = current_thread.memory) {
    memory->error_links.clear();
    for (const Ref<SwitchHandler>& handler : memory->main_start) add_handler(*main_, handler);
    if (main_->has_switch_handlers_) run_handlers(*main_, Switch::enter);
  }
}

void Scheduler::enter(CoroutineBase& coroutine, Owner& owner) {
  queue_.reserve(registry_.room());  // so that waking it never allocates
  registry_.enter(coroutine, owner);
  if (owner.watches()) owner.joined(coroutine);
  WEFT_ASSERT(coroutine.waker_.status_ == Waker::Status::none, "a coroutine is entered once");
  coroutine.waker_.status_ = Waker::Status::queued;
  queue_.add(coroutine);
}

[[gnu::flatten]] void detail::Spawner::enter(Owner& owner, CoroutineBase& coroutine,
                                             PackedPlace place) {
  Scheduler& scheduler = *current_thread.scheduler;
  coroutine.spawn_place_ = place;
  scheduler.enter(coroutine, owner);
  if (scheduler.is_shutting_down()) [[unlikely]]
    refuse_late_spawn(scheduler, coroutine);
}

void Scheduler::reserve_one() {
  queue_.reserve(registry_.room() + 1);
  registry_.reserve();
}

void Scheduler::reserve(CoroutineBase& coroutine, Place place) {
  reserve_one();
  coroutine.spawn_place_ = PackedPlace{place};
}

void Scheduler::enter_reserved(CoroutineBase& coroutine, Owner& owner) noexcept {
  drop_reservation();
  enter(coroutine, owner);
  if (is_shutting_down()) [[unlikely]]
    cancel(coroutine, CancelReason::shutdown, {});
}

void Scheduler::resume(CoroutineBase& coroutine, std::exception_ptr error) {
  if (coroutine.internal_) throw MisuseError{"The scheduler coroutine cannot be resumed"};
  if (coroutine.is_closed()) throw MisuseError{"Cannot resume a coroutine that has ended"};
  Waker& waker = coroutine.waker_;
  if (waker.status_ == Waker::Status::none || waker.status_ == Waker::Status::result) {
    throw MisuseError{"Cannot resume a coroutine that has not been suspended"};
  }
  if (error != nullptr) waker.merge_error(std::move(error));
  if (waker.is_waiting()) waker.interrupt();
}

/// Null: the system has no stack, and `coroutine` has ended with that error.
Context* Scheduler::make_stack(CoroutineBase& coroutine) noexcept {
  try {
    return &stacks_.create(coroutine.stack_class_);
  } catch (...) {
    WEFT_PROBE("no stack for a coroutine");
    finish_without_running(coroutine, std::current_exception());
    return nullptr;
  }
}

/// Runs one coroutine after the other on this stack, as long as the next one has no stack yet.
/// Never returns: the last frame is abandoned and holds nothing. Inlined into begin(): a call
/// without a return would put the CPU's return prediction off by one.
[[gnu::always_inline]] inline void Scheduler::run_on(Context& context) {
  for (;;) {
    execute(*current_);
    if (forked_) [[unlikely]]
      leave_forked_child();
    pass();
    CoroutineBase& to = next_or_idle(&context);
    check_canary(context);
    modes_.restore();
    phase_ = 0;
    if (to.context_ == &context) {  // it takes over this stack: no switch
      set_current(to);
      continue;
    }
    ++switches_;
    if (!WEFT_PLANTED(leaked_context)) stacks_.release(context);
    abandon_context(context, *to.context_, hand_over(to));
  }
}

__attribute__((no_stack_protector)) void Scheduler::begin() {
  Scheduler& scheduler = *current_thread.scheduler;
  Context& context = *scheduler.current_->context_;
  context.begin();
  if constexpr (!FloatModes::new_stack_has_them) scheduler.modes_.restore();
  scheduler.run_on(context);
}

/// The due work of a pass: the countdown has run out, or was set to 1 because something is due.
void Scheduler::run_due_work() noexcept {
  // The coroutine that gives up control may have overflowed its unguarded stack.
  if (stacks_.has_unguarded() && current_ != nullptr) check_canary(*current_->context_);
  if (heartbeat_) {
    SchedulerPhase phase{*this};
    heartbeat_.beat();
  }
  if (!microtasks_.empty()) run_microtasks();
  if (cut_off_passes_ > 0) {
    countdown_ = std::exchange(cut_off_passes_, 0);
  } else {
    read_clock();
  }
  // Microtasks that the reactor has posted run before the switch that follows.
  if (!microtasks_.empty()) run_microtasks();
  handle_pending();
  if (ending_.is_main_alone()) ending_.cancel_rest();
  if (heartbeat_ || !microtasks_.empty() || stacks_.has_unguarded() || ending_.spares_main()) {
    request_due_work();
  }
}

void Scheduler::leave_forked_child() noexcept {
  warn(main_is_left_ ? "the coroutine that called fork() came to its end in the child, where main "
                       "does not run: the child exits; end it with _exit() or exec"
                     : "a coroutine came to its end in the child of a plain fork(), which has no "
                       "runtime: the child exits; use weft::fork(), or exec at once");
  ::_exit(1);
}

void Scheduler::continue_alone() noexcept {
  while (!microtasks_.empty()) microtasks_.pop_front()->release();
  ending_.leave_all_but(*current_);
  if (current_ != main_.get()) main_done_ = main_is_left_ = true;
  revive_after_fork();
}

void Scheduler::read_clock() noexcept {
  const TimePoint before = driver_.now();
  driver_.passed(stride_);
  const TimePoint now = driver_.now();
  const Duration took = before - last_reading_;
  last_reading_ = now;
  // Fewer passes between readings when a pass is long, more when it is short.
  if (took > reading_every && stride_ > 1) {
    stride_ = took > 8 * reading_every ? 1 : stride_ / 2;
  } else if (took < reading_every / 2) {
    stride_ = std::min(stride_ * 2, std::clamp(options_.reactor_every_switches, 1U, 64U));
  }
  countdown_ = stride_;
  if (now - last_poll_ >= poll_every_) {
    poll_reactor();
    last_poll_ = now;
  }
  if (now >= ending_.limit()) ending_.check_limit();
}

void Scheduler::poll_reactor() noexcept {
  SchedulerPhase phase{*this};
  driver_.poll(Wait::no, never);
}

void Scheduler::tick_reactor() {
  poll_reactor();
  last_poll_ = driver_.now();
}

void Scheduler::run_handlers(CoroutineBase& coroutine, Switch what) noexcept {
  SchedulerPhase phase{*this};
  CoroutineBase* const outer = std::exchange(handled_, &coroutine);
  coroutine.cold_state_->switch_handlers.run(coroutine, what);
  handled_ = outer;
  coroutine.has_switch_handlers_ = !coroutine.cold_state_->switch_handlers.empty();
}

std::size_t Scheduler::stack_size_of(const CoroutineBase& coroutine) const noexcept {
  return coroutine.context_ != nullptr ? coroutine.context_->size() : 0;
}

}  // namespace weft
