#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/detail/intrusive_list.hpp"
#include "weft/extend/event.hpp"
#include "weft/extend/packed_place.hpp"
#include "weft/extend/waker.hpp"
#include "weft/function.hpp"
#include "weft/place.hpp"

namespace weft {

namespace detail {
class Protection;
class Spawner;
}  // namespace detail

class AnyCoroutine;
class Context;
class Owner;
class Scheduler;
struct ColdState;

/// The switches that a switch handler is called for.
enum class Switch : std::uint8_t {
  enter,   ///< the coroutine received control
  leave,   ///< it gives up control
  finish,  ///< it has ended
};

/// Where a coroutine enters the run queue: normal at the tail, high at the head.
enum class Priority : std::uint8_t { normal = 0, high = 255 };

/// What requested a cancellation, which decides its text.
enum class CancelReason : std::uint8_t {
  none,       ///< it is not cancelled
  coroutine,  ///< cancel() of the coroutine
  given,      ///< with a text or an error
  scope,      ///< its scope was cancelled
  shutdown,   ///< the runtime shuts down
  deadlock,   ///< a deadlock is resolved
  section,    ///< only a Section of the coroutine
};

/// Why a coroutine is cancelled: a text for the Cancelled that is thrown, or an error to be thrown
/// in its place. Constructing it allocates, so that cancel() need not. Without memory a text
/// becomes the default one, but an error is not lost: then the constructor throws std::bad_alloc.
class CancelCause {
 public:
  CancelCause() noexcept = default;        ///< none: a default text
  CancelCause(std::string text) noexcept;  // NOLINT(google-explicit-constructor)
  CancelCause(const char* text);           // NOLINT(google-explicit-constructor)
  /// A Cancelled, or a class derived from it, is itself thrown to every coroutine that is cancelled
  /// with it; any other error becomes the previous() of a Cancelled.
  CancelCause(std::exception_ptr error);  // NOLINT(google-explicit-constructor)
  CancelCause(CancelCause&& other) noexcept
      : cold_state_{std::exchange(other.cold_state_, nullptr)} {}
  CancelCause(const CancelCause&) = delete;
  CancelCause& operator=(const CancelCause&) = delete;
  CancelCause& operator=(CancelCause&&) = delete;
  ~CancelCause();
  /// Whether neither a text nor an error was given.
  [[nodiscard]] bool is_empty() const noexcept { return cold_state_ == nullptr; }

 private:
  friend class Scheduler;
  ColdState* cold_state_ = nullptr;  // a coroutine keeps the cause there, and may have none yet
};

/// The coroutine itself: an event that is its own completion, its waker, and its outcome. Users
/// hold `Coroutine<T>`; this is for extensions.
class CoroutineBase : public Event {
 public:
  void set_notify_handler(Ref<NotifyHandler> handler) override;
  bool replay(Outcome& outcome) const override;
  using Event::replay;
  [[nodiscard]] std::string info() const override;

  /// The subscribers of its end, including a coroutine that awaits it directly.
  [[nodiscard]] std::uint32_t subscribers() const noexcept {
    return Event::subscribers() + (awaiter_ != nullptr ? 1 : 0);
  }

  /// A number that no other coroutine of this runtime has.
  [[nodiscard]] std::uint64_t id() const noexcept { return id_; }
  /// Empty if it was given none.
  [[nodiscard]] std::string_view name() const noexcept;
  /// Where it enters the run queue.
  [[nodiscard]] Priority priority() const noexcept { return priority_; }
  /// For its next entries into the run queue. With high priority it moves to the head at once if it
  /// is queued already.
  void set_priority(Priority priority) noexcept;
  /// The line that spawned it.
  [[nodiscard]] Place spawn_place() const noexcept { return spawn_place_.unpack(); }
  /// The line at which it suspended last.
  [[nodiscard]] Place suspend_place() const noexcept { return suspend_place_.unpack(); }

  /// Whether its body has begun.
  [[nodiscard]] bool is_started() const noexcept { return started_; }
  /// Whether it has ended, however.
  [[nodiscard]] bool is_completed() const noexcept { return is_closed(); }
  /// Whether its body has begun and not ended; it may be suspended.
  [[nodiscard]] bool is_running() const noexcept { return started_ && !is_closed(); }
  /// Whether it is in the run queue.
  [[nodiscard]] bool is_queued() const noexcept;
  /// Whether it waits, or is in the run queue.
  [[nodiscard]] bool is_suspended() const noexcept;
  /// Whether it has ended after a cancellation.
  [[nodiscard]] bool is_cancelled() const noexcept { return cancelled_ && is_closed(); }
  /// Whether it was cancelled and has not ended yet.
  [[nodiscard]] bool is_cancellation_requested() const noexcept {
    return cancelled_ && !is_closed();
  }
  /// Whether it is inside of protect().
  [[nodiscard]] bool is_protected() const noexcept { return protect_depth_ != 0; }

  /// What it waits for.
  [[nodiscard]] Waker& waker() noexcept { return waker_; }
  [[nodiscard]] const Waker& waker() const noexcept { return waker_; }
  /// The error the coroutine ended with; null while it runs. Reading it does not count as handling
  /// it.
  [[nodiscard]] std::exception_ptr outcome_error() const noexcept {
    return is_closed() ? waker_.error_ : nullptr;
  }
  /// Suspends until the coroutine has ended; throws its error. Underneath await().
  void await_end(PackedPlace place);
  /// Throws the stored error, if any, and counts as handling it.
  void throw_outcome() {
    if (waker_.error_) [[unlikely]]
      rethrow_outcome();
  }

  /// Requests a cancellation; the first cause counts.
  void cancel(CancelCause cause = {}) noexcept;
  /// Calls `handler` when the coroutine has ended, at once if it has; see
  /// AnyCoroutine::on_finally().
  void on_finally(Function<void(CoroutineBase&)> handler);
  /// False, with a warning, while handlers run.
  bool add_switch_handler(Function<bool(CoroutineBase&, Switch)> handler);
  /// The same for a function and its data, which can be compared: false if the pair is registered.
  bool add_switch_handler(bool (*handler)(CoroutineBase&, Switch, void*), void* data);

  /// Handles are counted apart from references: an error that no handle can read is unhandled.
  void add_handle() noexcept {
    if (handles_++ == 0) retain();
  }
  /// The first handle, which takes over the reference that the coroutine was created with.
  void adopt_handle() noexcept { handles_ = 1; }
  /// One handle less. An error that the last one did not read is unhandled.
  void drop_handle() noexcept {
    if (handles_ == 1) return drop_last_handle();
    --handles_;
  }
  /// How many handles hold the coroutine.
  [[nodiscard]] std::uint32_t handles() const noexcept { return handles_; }
  /// Whether its error can still be read: through a handle, or, in an object of a host, a reference
  /// of the host.
  [[nodiscard]] virtual bool is_held() const noexcept { return handles_ > 0; }

  /// Values of native code, by key (see `internal_key`); destroyed at completion.
  void set_internal_value(unsigned key, void* value, void (*destroy)(void*) noexcept);
  /// The value that was set for `key`; null if none was.
  [[nodiscard]] void* internal_value(unsigned key) const noexcept;

  static void* operator new(std::size_t size);
  static void operator delete(void* memory, std::size_t size) noexcept;
  /// Memory from operator new() for a coroutine that is not constructed yet.
  struct Allocation {
    /// The first byte.
    void* memory;
    /// Its size in bytes.
    std::size_t size;
  };
  static void* operator new(std::size_t /*size*/, Allocation room) noexcept { return room.memory; }
  static void operator delete(void* memory, Allocation room) noexcept {
    CoroutineBase::operator delete(memory, room.size);
  }
  static void* operator new(std::size_t size, std::align_val_t alignment);
  static void operator delete(void* memory, std::size_t size, std::align_val_t alignment) noexcept;

 protected:
  CoroutineBase() noexcept {
    waker_.inline_[0].coroutine_ = this;
    set(passive_flag);
    free_with_last_reference();
  }
  ~CoroutineBase() override {
    if (cold_state_ != nullptr) [[unlikely]]
      drop_cold_state();
  }

  void notified(const Outcome& outcome) noexcept final { notify_callbacks(outcome); }
  /// Runs the body on the coroutine's stack and keeps its result. Throws what the body throws.
  virtual void run_body() = 0;
  /// Destroys the body and what it captured.
  virtual void drop_body() noexcept = 0;
  /// Destroys the result.
  virtual void drop_result() noexcept {}
  /// The failure of a body in an object of a host, which does not throw it. Called once, after the
  /// body has returned and was dropped.
  [[nodiscard]] virtual std::exception_ptr take_failure() noexcept { return nullptr; }
  /// The result that waiters receive a pointer to.
  [[nodiscard]] virtual const void* result_address() const noexcept { return nullptr; }
  /// Called when the coroutine has ended and its outcome is stored, before its awaiters are woken.
  /// In the scheduler phase, and only after watch_end().
  virtual void ended() noexcept {}
  /// Asks for a call of ended().
  void watch_end() noexcept { watches_end_ = true; }
  /// Sets what spawn_place() returns.
  void set_spawn_place(PackedPlace place) noexcept { spawn_place_ = place; }
  /// Destroying the body does nothing: drop_body() need not be called when it has run.
  void body_needs_no_drop() noexcept { drops_body_ = false; }
  /// The error cannot be read any more: if it was not read, it is unhandled.
  void treat_unread_error() noexcept;
  /// The object is destroyed, and its error with it.
  void forget_unread_error() noexcept;

 private:
  friend class Scheduler;
  friend class Waker;
  friend class Subscription;
  friend class CoroutineList;
  friend class detail::ListAccess;
  friend class Ending;
  friend class Failures;
  friend class Registry;
  friend class detail::Spawner;
  friend class detail::Protection;
  friend class Shield;

  class EndWait;
  /// Its body has ended.
  void close() noexcept {
    context_ = nullptr;
    set(closed_flag);
  }
  void notify_awaiters() noexcept;
  [[noreturn]] void rethrow_outcome();
  void drop_last_handle() noexcept;
  ColdState& cold_state();
  void drop_cold_state() noexcept;

  // The first cache line holds what a switch touches.
  bool started_ : 1 = false;
  bool cancelled_ : 1 = false;  // cancellation was requested
  bool has_switch_handlers_ : 1 = false;
  bool ignores_protection_ : 1 = false;         // protection no longer counts: shutdown, deadlock
  bool drops_body_ : 1 = true;                  // destroying the body may run user code
  CancelReason deferred_ = CancelReason::none;  // cancellation requested, not yet thrown
  std::uint8_t shields_ = 0;                    // protection that nothing lifts
  std::uint8_t stack_class_ = 0;                // which size of stack it wants
  void* stack_pointer_ = nullptr;               // where to resume, while parked
  Context* context_ = nullptr;                  // its stack, while it has one
  Waker waker_;
  PackedPlace suspend_place_;
  PackedPlace spawn_place_;
  detail::ListLinks<CoroutineBase> list_links_;  // in a CoroutineList
  Owner* owner_ = nullptr;
  Waker* awaiter_ = nullptr;         // the wait that its end completes directly
  ColdState* cold_state_ = nullptr;  // name, handlers, values: allocated when first needed
  std::uint64_t id_ = 0;
  std::uint32_t handles_ = 0;
  std::uint16_t protect_depth_ = 0;
  Priority priority_ = Priority::normal;
  bool registered_ : 1 = false;
  // A coroutine of the runtime that runs handlers: a cancellation must not skip its body.
  bool exempt_ : 1 = false;
  bool cleanup_ : 1 = false;  // see SpawnOptions::cleanup
  bool zombie_ : 1 = false;
  bool internal_ : 1 = false;     // the scheduler coroutine
  bool held_ : 1 = false;         // failed, and its living runtime knows that a handle holds it
  bool watches_end_ : 1 = false;  // ended() must be called
};

static_assert(sizeof(CoroutineBase) <= 224);

}  // namespace weft
