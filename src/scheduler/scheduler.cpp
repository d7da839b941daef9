#include "scheduler/scheduler.hpp"

#include <algorithm>
#include <atomic>
#include <unistd.h>

#include "base/planted.hpp"
#include "base/probe.hpp"
#include "base/warning.hpp"
#include "scheduler/extras.hpp"
#include "scheduler/scheduler_inline.hpp"
#include "scheduler/thread_memory.hpp"
#include "weft/embed.hpp"
#include "weft/error.hpp"
#include "weft/suspend.hpp"

namespace weft {
namespace {

// How long a run of passes between two readings of the clock is meant to take.
constexpr Duration reading_every = std::chrono::microseconds{100};

// Ids are unique in the process: each living runtime takes a range of its own, the lowest free.
constexpr unsigned id_bits = 40;
std::atomic<std::uint64_t> ranges_in_use{0};

std::uint64_t take_id_range() noexcept {
  std::uint64_t used = ranges_in_use.load(std::memory_order_relaxed);
  for (;;) {
    const auto range = static_cast<unsigned>(__builtin_ctzll(~used));
    if (used == ~std::uint64_t{0}) return std::uint64_t{64} << id_bits;
    if (ranges_in_use.compare_exchange_weak(used, used | (std::uint64_t{1} << range))) {
      return std::uint64_t{range} << id_bits;
    }
  }
}

void give_id_range_back(std::uint64_t id) noexcept {
  const std::uint64_t range = id >> id_bits;
  if (range < 64) ranges_in_use.fetch_and(~(std::uint64_t{1} << range));
}

}  // namespace

/// The calling flow of run(), or the host that ticks: on the thread's own stack, started already.
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
      choice_{options.choice},
      next_id_{take_id_range()},
      driver_{driver},
      root_{root},
      options_{options},
      stacks_{options.stack_size, options.unguarded_stacks, options.stack_policy} {
  try {
    ready_.reserve(1);
    microtasks_.reserve(1);
    idle_ = make_ref<IdleCoroutine>();
    idle_->internal_ = true;
    idle_->started_ = true;
    idle_->owner_ = &idle_owner_;
    idle_->context_ = &stacks_.acquire(0);
    idle_->stack_pointer_ = idle_->context_->prepare<&Scheduler::begin_idle>();
  } catch (...) {
    give_id_range_back(next_id_);
    throw;
  }
  last_look_ = last_reading_ = driver_.now();
}

Scheduler::~Scheduler() {
  while (CoroutineBase* failed = held_.first()) {
    forget_held(*failed);
  }
  // Whoever was left behind has lost its stack: nothing may wake it any more.
  for (CoroutineBase* c = registry_.first(); c != nullptr; c = next_registered(*c)) {
    c->waker_.detach_events();
    c->registered_ = false;
    c->waker_.status_ = Waker::Status::none;
    c->set(Event::closed_flag);
  }
  while (!microtasks_.empty()) microtasks_.pop_front()->release();
  while (CoroutineBase* failed = unread_.first()) {
    forget_unread(*failed);
    failed->release();
  }
  idle_->set(Event::closed_flag);
  give_id_range_back(next_id_);
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
                    "weft::fork(), or exec at once"};
}

void Scheduler::start_main() {
  main_ = make_ref<MainCoroutine>();
  main_->extras().name = "main";
  main_->started_ = true;
  main_->context_ = &thread_context_;
  enter(*main_, root_);
  // It runs already; entering queued it.
  ready_.pop_front();
  main_->waker_.status_ = Waker::Status::none;
  current_ = main_.get();
  if (ThreadMemory* memory = current_thread.memory) {
    memory->error_links.clear();
    for (const Ref<SwitchHandler>& handler : memory->main_start) add_handler(*main_, handler);
    if (main_->has_switch_handlers_) run_handlers(*main_, Switch::enter);
  }
}

void Scheduler::enter(CoroutineBase& coroutine, Owner& owner) {
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

void Scheduler::reserve_one() {
  ready_.reserve(registry_.size() + reserved_ + 3);
  ++reserved_;
}

void Scheduler::reserve(CoroutineBase& coroutine, Place place) {
  reserve_one();
  coroutine.spawn_place_ = PackedPlace{place};
}

void Scheduler::enter_reserved(CoroutineBase& coroutine, Owner& owner) noexcept {
  drop_reservation();
  enter(coroutine, owner);
  if (shutting_down_) [[unlikely]]
    cancel(coroutine, CancelReason::shutdown, {});
}

void Scheduler::wake(CoroutineBase& coroutine) noexcept {
  Waker& waker = coroutine.waker_;
  waker.detach_events();
  if (&coroutine == current_) {
    waker.move_to(Waker::Status::result);
    return;
  }
  if (WEFT_PLANTED(lost_wakeup) && ready_.size() > 1) return;
  waker.move_to(Waker::Status::queued);
  enqueue(coroutine);
  if (WEFT_PLANTED(double_enqueue)) enqueue(coroutine);
}

void Scheduler::resume(CoroutineBase& coroutine, std::exception_ptr error) {
  if (coroutine.internal_) throw MisuseError{"The scheduler coroutine cannot be resumed"};
  if (coroutine.is_closed()) throw MisuseError{"Cannot resume a coroutine that has ended"};
  Waker& waker = coroutine.waker_;
  if (waker.status_ == Waker::Status::none || waker.status_ == Waker::Status::result) {
    throw MisuseError{"Cannot resume a coroutine that has not been suspended"};
  }
  if (error != nullptr) waker.merge_error(std::move(error));
  if (waker.status_ == Waker::Status::waiting) wake(coroutine);
}

bool Scheduler::give_stack(CoroutineBase& coroutine) noexcept {
  try {
    coroutine.context_ = &stacks_.acquire(coroutine.stack_class_);
  } catch (...) {
    WEFT_PROBE("no stack for a coroutine");
    finish_without_running(coroutine, std::current_exception());
    return false;
  }
  coroutine.stack_pointer_ = coroutine.context_->prepare<&Scheduler::begin>();
  if (coroutine.context_->has_canary()) [[unlikely]]
    call_attention();  // from now on at every pass
  return true;
}

void Scheduler::begin() {
  Scheduler& scheduler = *current_thread.scheduler;
  Context& context = *scheduler.current_->context_;
  context.begin();
  scheduler.run_on(context);
}

/// Runs one coroutine after the other on this stack, as long as those that follow have no stack of
/// their own yet. Never returns: the last frame is abandoned and holds nothing.
void Scheduler::run_on(Context& context) {
  for (;;) {
    execute(*current_);
    if (forked_) leave_forked_child();
    if (FloatModes::read().differ_from(modes_)) [[unlikely]]
      modes_.load();
    pass();
    CoroutineBase* next = take_next();
    while (next != nullptr && next->context_ == nullptr) {
      if (next->stack_class_ == context.stack_class()) {  // it inherits this stack: no switch
        next->context_ = &context;
        break;
      }
      if (give_stack(*next)) break;
      next = take_next();
    }
    check_canary(context);
    if (next == nullptr) {
      next = idle_.get();
      ++scheduler_switches_;
    }
    current_ = next;
    leave_phase();
    if (next->context_ == &context) continue;
    ++switches_;
    if (!WEFT_PLANTED(leaked_context)) stacks_.release(context);
    abandon_context(context, *next->context_, frame_to_resume(*next), modes_);
  }
}

/// What a pass does besides going on: the countdown has run out, or somebody set it to one because
/// there is something to do.
void Scheduler::attend() noexcept {
  // Whoever gives up control now may have run over the end of its stack.
  if (stacks_.has_unguarded() && current_ != nullptr) check_canary(*current_->context_);
  if (heartbeat_) {
    SchedulerPhase phase{*this};
    heartbeat_.beat();
  }
  if (!microtasks_.empty()) run_microtasks();
  if (owed_ > 0) {
    countdown_ = std::exchange(owed_, 0);
  } else {
    read_clock();
  }
  handle_pending();
  if (heartbeat_ || !microtasks_.empty() || stacks_.has_unguarded()) call_attention();
}

void Scheduler::leave_forked_child() noexcept {
  warn(
      "a coroutine came to its end in the child of a plain fork(), which has no runtime: the child "
      "exits; use weft::fork(), or exec at once");
  ::_exit(1);
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
  } else if (took * 2 < reading_every) {
    stride_ = std::min(stride_ * 2, std::clamp(options_.reactor_every_switches, 1U, 64U));
  }
  countdown_ = stride_;
  if (now - last_look_ >= options_.reactor_every) {
    look_outside();
    last_look_ = now;
  }
  if (now >= shutdown_limit_) check_shutdown_limit();
}

void Scheduler::look_outside() noexcept {
  SchedulerPhase phase{*this};
  driver_.poll(Wait::no, never);
}

void Scheduler::tick_reactor() {
  look_outside();
  last_look_ = driver_.now();
}

void Scheduler::run_handlers(CoroutineBase& coroutine, Switch what) noexcept {
  SchedulerPhase phase{*this};
  coroutine.extras_->switch_handlers.run(coroutine, what);
  coroutine.has_switch_handlers_ = !coroutine.extras_->switch_handlers.empty();
}

bool Scheduler::tick_from_main(Wait wait) {
  WEFT_ASSERT(current_ == main_.get(), "a runtime is ticked from the stack that made it");
  const bool others = registry_.size() > 1;
  bool alive = true;
  {
    SchedulerPhase phase{*this};
    const bool idle = ready_.empty() && microtasks_.empty();
    if (idle) stacks_.trim(driver_.now());
    alive =
        driver_.poll(wait == Wait::yes && idle && others ? Wait::yes : Wait::no, shutdown_limit_);
    last_look_ = driver_.now();
  }
  handle_pending();
  if (!alive && others && ready_.empty() && microtasks_.empty()) resolve_deadlock();
  try {
    weft::suspend();
  } catch (const Cancelled&) {  // a shutdown has begun: the host is told by its cause
  }
  return registry_.size() > 1 || !microtasks_.empty() || driver_.active_events() > 0;
}

std::size_t Scheduler::stack_size_of(const CoroutineBase& coroutine) const noexcept {
  return coroutine.context_ != nullptr ? coroutine.context_->size() : 0;
}

void Scheduler::call_on_main(Function<void()>& body) {
  if (in_phase() || current_ == nullptr) {
    throw MisuseError{"The operation cannot be executed in the scheduler context"};
  }
  if (current_ == main_.get()) return body();
  struct Errand {
    Scheduler& scheduler;
    Function<void()>& body;
    std::exception_ptr error;
  } errand{*this, body, nullptr};
  CoroutineBase& me = *current_;
  const ExceptionState mine = *exceptions_;
  *exceptions_ = ExceptionState{};
  ++switches_;
  call_on_context(
      *me.context_, *main_->context_, main_->stack_pointer_,
      [](void* data) {
        auto& task = *static_cast<Errand*>(data);
        SchedulerPhase phase{task.scheduler};  // main's stack is borrowed: nobody may park on it
        try {
          task.body();
        } catch (...) {
          task.error = std::current_exception();
        }
      },
      &errand);
  ++switches_;
  *exceptions_ = mine;
  if (errand.error != nullptr) std::rethrow_exception(errand.error);
}

void run_on_main_stack(Function<void()> body) {
  Scheduler::here("run_on_main_stack()").call_on_main(body);
}

void Scheduler::fill(Stats& stats) const noexcept {
  stats.coroutines = registry_.size();
  stats.active_coroutines = registry_.size() - zombies_;
  stats.queued = ready_.size();
  stats.microtasks = microtasks_.size();
  stats.deferred_cleanups = unread_.size();
  stats.contexts_in_use = stacks_.in_use() - 1;  // the scheduler coroutine's does not count
  stats.coroutines_spawned = spawned_;
  stats.suspensions = suspensions_;
  stats.switches = switches_;
  stats.scheduler_switches = scheduler_switches_;
  stats.contexts_created = stacks_.created() - 1;
  stats.contexts_reused = stacks_.reused();
  stats.contexts_pooled = stacks_.pooled();
  stats.pool_target = stacks_.target();
  stats.pool_capacity = stacks_.capacity() - 1;
  stats.pool_minimum = stacks_.minimum();
  stats.stack_size = stacks_.default_size();
  stats.stack_bytes_reserved = stacks_.bytes_reserved();
  stats.pooled_bytes = stacks_.pooled_bytes();
  stats.guards = stacks_.guard_kind();
}

}  // namespace weft
