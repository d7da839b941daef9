#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/assert.hpp"
#include "base/current.hpp"
#include "base/for_siblings.hpp"
#include "base/pending_errors.hpp"
#include "base/ring_buffer.hpp"
#include "context/exception_state.hpp"
#include "context/stack_pool.hpp"
#include "scheduler/deadlock_hook.hpp"
#include "scheduler/ending.hpp"
#include "scheduler/failures.hpp"
#include "scheduler/heartbeat.hpp"
#include "scheduler/owner.hpp"
#include "scheduler/registry.hpp"
#include "scheduler/run_queue.hpp"
#include "weft/extend/coroutine_base.hpp"
#include "weft/extend/driver.hpp"
#include "weft/function.hpp"
#include "weft/microtask.hpp"
#include "weft/options.hpp"
#include "weft/stats.hpp"
#include "weft/suspend.hpp"

namespace weft {

class Section;
class SwitchHandler;
enum class Woken : std::uint8_t;
struct Cancellation;

/// Runs the coroutines of a thread: owns the RunQueue, Registry, StackPool, Failures and Ending,
/// and switches straight from one coroutine to the next. One file per question: park.hpp and
/// park.cpp (parking, the tick, the next coroutine), scheduler.cpp (entering a coroutine, the due
/// work, new stacks), idle.cpp (no coroutine is ready, the end of main), coroutine.cpp (handlers
/// and internal keys), finish.cpp (the end of a coroutine), cancel.cpp, section.cpp, exit.cpp,
/// microtask.cpp, host_tick.cpp, host_stacks.cpp, main_stack.cpp, counters.cpp; the dump is in
/// src/runtime/dump.cpp.
class Scheduler {
 public:
  Scheduler(const Options& options, Driver& driver, Owner& root);
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  /// This thread's; throws MisuseError that names `operation` if there is none in use.
  static Scheduler& here(const char* operation) {
    Scheduler* scheduler = current_thread.scheduler;
    if (scheduler == nullptr || scheduler->forked_ || scheduler->over_) [[unlikely]] {
      refuse(operation);
    }
    return *scheduler;
  }
  WEFT_FOR_SIBLINGS [[noreturn, gnu::cold, gnu::noinline]] static void refuse(
      const char* operation);

  // Running: scheduler.cpp, idle.cpp, host_tick.cpp
  /// Makes the calling stack the main coroutine.
  void start_main();
  /// The body of main has ended (with `error`, if any): runs the others to their end.
  void finish_main(std::exception_ptr error);
  /// Runs the others to their end, while main, which goes on afterwards, does not count.
  void drain_main();
  /// Runs every ready coroutine once. For a host that ticks; its stack is main's.
  bool tick_from_main(Wait wait);
  /// Throws MisuseError unless the host's own stack calls, between two ticks.
  void expect_host(const char* operation) const;
  /// Whether a tick would do more than poll the reactor.
  [[nodiscard]] bool has_work() const noexcept {
    return !queue_.empty() || !microtasks_.empty() || pending_ != nullptr ||
           failures_.has_dropped() || ending_.has_error();
  }
  /// The deadline of a shutdown under way; `never` if there is none.
  [[nodiscard]] TimePoint shutdown_limit() const noexcept {
    return registry_.size() > 1 ? ending_.limit() : never;
  }
  /// Keeps links between errors, and failures on handles, readable after the runtime has ended.
  void keep_errors() noexcept { keeps_errors_ = true; }

  // Coroutines: scheduler.cpp, coroutine.cpp, finish.cpp
  void enter(CoroutineBase& coroutine, Owner& owner);
  /// Makes sure that one more coroutine can enter later without allocating.
  void reserve_one();
  /// The same for a coroutine that exists already; it will report `place` as where it was spawned.
  void reserve(CoroutineBase& coroutine, Place place);
  void enter_reserved(CoroutineBase& coroutine, Owner& owner) noexcept;
  void drop_reservation() noexcept { registry_.drop_reservation(); }
  /// An event that closes when this scheduler is gone, for objects that may outlive it.
  [[nodiscard]] Event& life() const noexcept { return *idle_; }
  [[nodiscard]] bool is_over() const noexcept { return over_; }
  CoroutineBase& current() const noexcept { return *current_; }
  [[nodiscard]] bool has_current() const noexcept { return current_ != nullptr; }
  [[nodiscard]] bool in_phase() const noexcept { return phase_ != 0; }
  CoroutineBase& main() const noexcept { return *main_; }
  [[nodiscard]] Owner& root() const noexcept { return root_; }
  /// Unique among the schedulers of the process: for objects that outlive their runtime.
  [[nodiscard]] std::uint64_t serial() const noexcept { return serial_; }
  /// Ids of objects that are no coroutines; see Origin.
  [[nodiscard]] std::uint64_t next_object_id() noexcept { return registry_.next_object_id(); }
  /// Null when the coroutine has ended.
  static Owner* owner_of(const CoroutineBase& coroutine) noexcept { return coroutine.owner_; }
  static bool is_zombie(const CoroutineBase& coroutine) noexcept { return coroutine.zombie_; }
  /// The coroutine runs on, but no longer counts as active.
  void make_zombie(CoroutineBase& coroutine) noexcept { registry_.make_zombie(coroutine); }
  /// The owner of the current coroutine; the root scope in the scheduler phase, because a callback
  /// or a microtask does not belong to the coroutine that it interrupts.
  Owner& owner_for_spawn() const noexcept {
    const bool owned = phase_ == 0 && current_ != nullptr && current_->owner_ != nullptr;
    return owned ? *current_->owner_ : root_;
  }
  /// The same for clean-up; a switch handler spawns it for the coroutine that it is called for.
  Owner& owner_for_cleanup() const noexcept {
    const bool owned = handled_ != nullptr && handled_->owner_ != nullptr;
    return owned ? *handled_->owner_ : owner_for_spawn();
  }
  void handle_dropped(CoroutineBase& coroutine) noexcept;
  static bool add_handler(CoroutineBase& coroutine, Ref<SwitchHandler> handler);

  void resume(CoroutineBase& coroutine, std::exception_ptr error);

  // Suspending: park.hpp, park.cpp, cancel.cpp
  void suspend(Waker& waker, PackedPlace place);
  static void wait_for(DirectWait& wait, const char* operation, PackedPlace place);
  /// Throws MisuseError that names `operation`, the function that the user has called.
  [[noreturn, gnu::cold]] static void refuse_to_suspend(const char* operation);
  /// Throws MisuseError where suspending is not allowed.
  static void expect_to_suspend(const char* operation) {
    const Scheduler* const scheduler = current_thread.scheduler;
    if (scheduler == nullptr || scheduler->in_phase()) [[unlikely]]
      refuse_to_suspend(operation);
  }
  /// The waker of the calling coroutine, for a new wait. Throws MisuseError where suspending is not
  /// allowed.
  static Waker& renewed_waker(const char* operation) {
    Scheduler& scheduler = here(operation);
    if (!scheduler.has_current() || scheduler.in_phase()) [[unlikely]]
      refuse_to_suspend(operation);
    return scheduler.current().waker().renew();
  }
  void throw_if_cancelled(CoroutineBase& coroutine);
  [[noreturn]] void throw_cancelled(CoroutineBase& coroutine);
  Cancellation take_cancellation(CoroutineBase& coroutine, const std::exception_ptr& met) noexcept;
  /// Whether a cancellation is pending that can be delivered now.
  [[nodiscard]] bool is_to_end(const CoroutineBase& coroutine) const noexcept {
    return coroutine.deferred_ != CancelReason::none && may_throw_cancelled(coroutine) &&
           !is_unwinding(coroutine);
  }
  /// suspend() and yield() that return the outcome instead of throwing it.
  Woken wait_quietly(Waker& waker, std::exception_ptr& error, PackedPlace place) noexcept;
  Woken yield_quietly(std::exception_ptr& error, PackedPlace place) noexcept;

  // Cancelling and ending: cancel.cpp, section.cpp, exit.cpp
  void cancel(CoroutineBase& coroutine, CancelReason reason, CancelCause cause) noexcept;
  static CoroutineBase& begin_section(Section& section, const char* operation);
  static void end_section(Section& section) noexcept;
  /// Shuts down with `request` as the error that ends the program, unless it has one already. Does
  /// not return to a coroutine that can be cancelled.
  void exit(std::exception_ptr request, PackedPlace place);
  [[nodiscard]] bool is_shutting_down() const noexcept { return ending_.has_begun(); }
  Ending& ending() noexcept { return ending_; }
  Failures& failures() noexcept { return failures_; }

  // Microtasks and hosts: microtask.cpp, scheduler.cpp, host_stacks.cpp
  void post(Microtask& task);
  void run_microtasks() noexcept;
  Function<void()> set_heartbeat(Function<void()> hook);
  void tick_reactor();
  void interrupt() noexcept { driver_.interrupt(); }
  [[nodiscard]] std::span<std::byte> current_stack() const noexcept;

  // main_stack.cpp, coroutine.cpp
  void call_on_main(Function<void()>& body);
  unsigned internal_key(const char* name);

  // Reports and parts: counters.cpp, scheduler.cpp, src/runtime/dump.cpp
  void fill(Stats& stats) const noexcept;
  [[nodiscard]] std::string dump() const;
  [[nodiscard]] const Registry& registry() const noexcept { return registry_; }
  StackPool& stacks() noexcept { return stacks_; }
  [[nodiscard]] std::size_t stack_size_of(const CoroutineBase& coroutine) const noexcept;
  DeadlockHooks& deadlock_hooks() noexcept { return deadlock_hooks_; }
  PendingErrors* pending_slot() noexcept { return &pending_; }
  unsigned* phase_slot() noexcept { return &phase_; }
  unsigned* countdown_slot() noexcept { return &countdown_; }
  Driver& driver() noexcept { return driver_; }
  [[nodiscard]] bool is_forked() const noexcept { return forked_; }
  [[nodiscard]] bool is_explored() const noexcept { return queue_.choice() != nullptr; }
  /// This is the child of a plain fork(): from now on suspending is not allowed.
  void mark_forked() noexcept {
    forked_ = true;
    phase_ += forked_phase;
  }
  void revive_after_fork() noexcept {
    forked_ = false;
    phase_ -= forked_phase;
  }
  /// Whether continue_alone() is possible: in a coroutine of such a child.
  [[nodiscard]] bool can_continue_alone() const noexcept {
    return forked_ && !over_ && phase_ == forked_phase && current_ != nullptr;
  }
  /// The current coroutine goes on in the child of a fork, without the others.
  void continue_alone() noexcept;

  /// The coroutine after `coroutine` in the registry.
  static CoroutineBase* next_registered(const CoroutineBase& coroutine) noexcept {
    return Registry::next(coroutine, *coroutine.owner_);
  }
  [[nodiscard]] static std::string describe_state(const CoroutineBase& coroutine);

 private:
  static constexpr unsigned forked_phase = 1U << 30U;
  friend class Ending;
  friend class SchedulerPhase;
  friend void detail::suspend_at(PackedPlace place);
  friend class Waker;
  friend class detail::Protection;
  class MainCoroutine;
  class IdleCoroutine;

  // Everything between here and the counters is read or written by a switch.
  CoroutineBase* current_ = nullptr;
  ExceptionState* exceptions_;
  unsigned countdown_ = 1;  // passes until run_due_work(), which reads the clock at the latest
  unsigned phase_ = 0;      // above 0: scheduler work runs; suspending is not allowed
  RunQueue queue_;
  RingBuffer<Microtask*> microtasks_{64};
  [[no_unique_address]] FloatModes modes_ = FloatModes::read();  // in force at every switch
  std::uint64_t switches_ = 0;
  std::uint64_t suspensions_ = 0;

  std::uint64_t scheduler_switches_ = 0;
  unsigned stride_ = 1;          // passes between two readings of the clock
  unsigned cut_off_passes_ = 0;  // passes of the countdown that request_due_work() cut off
  TimePoint last_reading_{};
  TimePoint last_poll_{};
  PendingErrors pending_;      // from callbacks, microtasks and handlers
  std::exception_ptr thrown_;  // by a body, between its catch block and its end
  Ending ending_{*this};
  Failures failures_;
  bool forked_ = false;
  bool over_ = false;  // all coroutines have ended, none can start any more
  bool main_done_ = false;
  bool main_is_left_ = false;  // in a forked child: main belongs to the parent
  bool keeps_errors_ = false;
  Registry registry_;
  CoroutineBase* handled_ = nullptr;  // the coroutine whose switch handlers run now
  DeadlockHooks deadlock_hooks_;
  Ref<CoroutineBase> main_;
  Ref<CoroutineBase> idle_;
  Context thread_context_{Context::OfThread{}};
  Driver& driver_;
  Owner& root_;
  const std::uint64_t serial_;
  class IdleOwner final : public Owner {
   public:
    IdleOwner() noexcept : Owner{false, nullptr, false} {}
  };
  IdleOwner idle_owner_;
  const Options& options_;
  const Duration poll_every_;  // between polls of the reactor while coroutines are ready
  StackPool stacks_;
  Heartbeat heartbeat_;
  std::vector<const char*> internal_keys_;

  // Parking: park.hpp, park.cpp; the due work and new stacks: scheduler.cpp
  friend class CoroutineBase;
  void make_ready(CoroutineBase& coroutine) noexcept;
  CoroutineBase* next(Context* spare = nullptr) noexcept;
  CoroutineBase& next_or_idle(Context* spare = nullptr) noexcept;
  [[gnu::noinline]] CoroutineBase* begin_or_skip(CoroutineBase& first, Context* spare) noexcept;
  [[gnu::noinline]] CoroutineBase* skip(CoroutineBase* ignored, Context* spare) noexcept;
  void set_current(CoroutineBase& to) noexcept;
  void* hand_over(CoroutineBase& to) noexcept;
  [[nodiscard]] bool is_ordinary(const CoroutineBase& me) const noexcept;
  void* leave(CoroutineBase& me, PackedPlace place) noexcept;
  void park(CoroutineBase& me, PackedPlace place);
  void park_quietly(CoroutineBase& me, PackedPlace place);
  [[gnu::noinline]] void park_slow(CoroutineBase& me, PackedPlace place);
  [[gnu::noinline]] void resume_slow(CoroutineBase& me);
  [[gnu::noinline]] void enter_again(CoroutineBase& me) noexcept;
  [[gnu::cold]] static void mark_if_yielded(void* frame) noexcept;
  [[gnu::noinline]] void wait_slow(CoroutineBase& me, DirectWait& wait, PackedPlace place);
  bool begin_wait(Waker& waker);
  Woken outcome_of_wait(CoroutineBase& me, std::exception_ptr& error) noexcept;
  static void* yield_quickly(void* place, void* frame);
  void yield_slow(void* place);
  static void yield_on_slow_path(void* place);
  static void after_yield(void* unused);
  void switch_from(CoroutineBase& from, CoroutineBase& to) noexcept;
  void switch_to(CoroutineBase& from, CoroutineBase& to) noexcept;
  void tick(CoroutineBase& me);
  void pass() noexcept;
  void run_due_work() noexcept;
  void leave_phase() noexcept { phase_ = forked_ ? forked_phase : 0; }
  [[noreturn]] void leave_forked_child() noexcept;
  /// Has the next pass call run_due_work().
  void request_due_work() noexcept {
    if (countdown_ <= 1) return;
    cut_off_passes_ += countdown_ - 1;
    countdown_ = 1;
  }
  static void check_canary(const Context& context) noexcept {
    WEFT_ASSERT(context.intact(), "a coroutine ran over the end of its unguarded stack");
  }
  void read_clock() noexcept;
  void poll_reactor() noexcept;
  bool give_stack(CoroutineBase& coroutine, Context* spare) noexcept;
  [[gnu::cold, gnu::noinline]] Context* make_stack(CoroutineBase& coroutine) noexcept;

  // Beginning, ending and cancelling: scheduler.cpp, finish.cpp, cancel.cpp, section.cpp
  static void begin();
  [[noreturn]] void run_on(Context& context);
  void execute(CoroutineBase& coroutine) noexcept;
  void begin_slow(CoroutineBase& coroutine);
  [[gnu::noinline]] void end_slow(CoroutineBase& coroutine) noexcept;
  void expect_no_exception() const noexcept {
    WEFT_ASSERT(exceptions_->caught == nullptr && exceptions_->uncaught == 0,
                "a coroutine ended while it still handled an exception");
  }
  void finish(CoroutineBase& coroutine, std::exception_ptr error) noexcept;
  void notify_end(CoroutineBase& coroutine) noexcept;
  void leave_owner(CoroutineBase& coroutine, Owner& owner) noexcept;
  void keep_outcome(CoroutineBase& coroutine, std::exception_ptr error) noexcept;
  void release_resources(CoroutineBase& coroutine) noexcept;
  [[nodiscard]] static bool is_to_be_read(const CoroutineBase& coroutine) noexcept;
  void finish_ignored(CoroutineBase& coroutine) noexcept;
  void finish_without_running(CoroutineBase& coroutine, std::exception_ptr error) noexcept;
  void schedule_finally(CoroutineBase& coroutine) noexcept;
  void offer_error(CoroutineBase& coroutine) noexcept;
  void run_handlers(CoroutineBase& coroutine, Switch what) noexcept;
  std::exception_ptr cancellation_of(CoroutineBase& coroutine,
                                     std::exception_ptr previous) noexcept;
  [[nodiscard]] const char* cancel_text(CancelReason reason) const noexcept;
  /// Whether cancellations have no effect on `coroutine`, because it has to run; only the last
  /// stage of a shutdown changes that.
  static bool is_exempt(const CoroutineBase& coroutine) noexcept {
    return coroutine.cleanup_ || (coroutine.exempt_ && !coroutine.started_);
  }
  /// Whether nothing protects the coroutine from a cancellation of all of it.
  static bool may_end(const CoroutineBase& coroutine) noexcept {
    return coroutine.shields_ == 0 &&
           (coroutine.protect_depth_ == 0 || coroutine.ignores_protection_);
  }
  /// Whether the pending cancellation, of the coroutine or of a section, can be thrown now.
  static bool may_throw_cancelled(const CoroutineBase& coroutine) noexcept {
    return may_end(coroutine) || section_to_end(coroutine) != nullptr;
  }
  [[nodiscard]] bool is_unwinding(const CoroutineBase& me) const noexcept;
  static bool has_section_to_end(const Section* innermost) noexcept;
  static Section* section_to_end(const CoroutineBase& coroutine) noexcept;
  static std::exception_ptr end_of(Section& section, std::exception_ptr met) noexcept;

  // No coroutine is ready: idle.cpp
  void run_the_others() noexcept;
  static void begin_idle();
  [[noreturn]] void idle_loop();
  [[nodiscard]] bool nothing_left() const noexcept;
  void handle_pending() noexcept;
  std::exception_ptr take_pending() noexcept;
};

/// Scheduler work on any stack: while one lives, suspending is not allowed.
class SchedulerPhase {
 public:
  explicit SchedulerPhase(Scheduler& scheduler) noexcept : scheduler_{scheduler} {
    ++scheduler_.phase_;
  }
  ~SchedulerPhase() { --scheduler_.phase_; }
  SchedulerPhase(const SchedulerPhase&) = delete;
  SchedulerPhase& operator=(const SchedulerPhase&) = delete;

 private:
  Scheduler& scheduler_;
};

}  // namespace weft
