#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/extend/event.hpp"
#include "weft/extend/waker.hpp"
#include "weft/function.hpp"
#include "weft/place.hpp"

namespace weft {

namespace detail {
class Spawner;
}

class AnyCoroutine;
class Context;
class Owner;
class Scheduler;
struct CoroutineExtras;

/// What a switch handler is told.
enum class Switch : std::uint8_t {
  enter,   ///< the coroutine received control
  leave,   ///< it gives up control
  finish,  ///< it ends for good
};

/// Where a coroutine stands when it is queued: normal at the tail, high at the head.
enum class Priority : std::uint8_t { normal = 0, high = 255 };

/// Who asked for a cancellation, which decides its text.
enum class CancelReason : std::uint8_t {
  none,
  coroutine,
  given,  ///< with a text or an error
  scope,
  shutdown,
  deadlock,
  section,  ///< not the coroutine, only a part of it
};

/// Why something is cancelled: a text for the Cancelled that is thrown, or an error to be thrown in
/// its place. Making it allocates, so that cancel() need not; where memory is short the default
/// text will do, but an error is not lost: then making it throws std::bad_alloc.
class CancelCause {
 public:
  CancelCause() noexcept = default;        ///< none: a default text
  CancelCause(std::string text) noexcept;  // NOLINT(google-explicit-constructor)
  CancelCause(const char* text);           // NOLINT(google-explicit-constructor)
  /// A Cancelled, or what derives from it, is thrown itself, to every coroutine that is cancelled
  /// with it; anything else is the previous() of a Cancelled.
  CancelCause(std::exception_ptr error);  // NOLINT(google-explicit-constructor)
  CancelCause(CancelCause&& other) noexcept : extras_{std::exchange(other.extras_, nullptr)} {}
  CancelCause(const CancelCause&) = delete;
  CancelCause& operator=(const CancelCause&) = delete;
  CancelCause& operator=(CancelCause&&) = delete;
  ~CancelCause();
  [[nodiscard]] bool is_empty() const noexcept { return extras_ == nullptr; }

 private:
  friend class Scheduler;
  CoroutineExtras* extras_ = nullptr;  // a coroutine keeps the cause there, and may have none yet
};

/// The coroutine itself: an event that is its own completion, its waker, and its outcome. Users
/// hold `Coroutine<T>`; this is for those who extend weft.
class CoroutineBase : public Event {
 public:
  void set_notify_handler(Ref<NotifyHandler> handler) override;
  bool replay(Outcome& outcome) const override;
  using Event::replay;
  [[nodiscard]] std::string info() const override;

  /// Those who are told of its end, the coroutine that awaits nothing else included.
  [[nodiscard]] std::uint32_t subscribers() const noexcept {
    return Event::subscribers() + (awaiter_ != nullptr ? 1 : 0);
  }

  [[nodiscard]] std::uint64_t id() const noexcept { return id_; }
  [[nodiscard]] std::string_view name() const noexcept;
  [[nodiscard]] Priority priority() const noexcept { return priority_; }
  [[nodiscard]] Place spawn_place() const noexcept { return spawn_place_.unpack(); }
  [[nodiscard]] Place suspend_place() const noexcept { return suspend_place_.unpack(); }

  [[nodiscard]] bool is_started() const noexcept { return started_; }
  [[nodiscard]] bool is_completed() const noexcept { return is_closed(); }
  [[nodiscard]] bool is_running() const noexcept { return started_ && !is_closed(); }
  [[nodiscard]] bool is_queued() const noexcept;
  [[nodiscard]] bool is_suspended() const noexcept;
  [[nodiscard]] bool is_cancelled() const noexcept { return cancelled_ && is_closed(); }
  [[nodiscard]] bool is_cancellation_requested() const noexcept {
    return cancelled_ && !is_closed();
  }
  [[nodiscard]] bool is_protected() const noexcept { return protect_depth_ != 0; }

  [[nodiscard]] Waker& waker() noexcept { return waker_; }
  [[nodiscard]] const Waker& waker() const noexcept { return waker_; }
  /// The error it ended with; nothing while it runs. Reading it does not count as handling it.
  [[nodiscard]] std::exception_ptr outcome_error() const noexcept {
    return is_closed() ? waker_.error_ : nullptr;
  }
  /// Suspends until it has ended; its error is thrown. Underneath await().
  void await_end(PackedPlace place);
  /// Throws the stored error, if any, and counts as handling it.
  void throw_outcome() {
    if (waker_.error_) [[unlikely]]
      rethrow_outcome();
  }

  void cancel(CancelCause cause = {}) noexcept;
  void on_finally(Function<void(CoroutineBase&)> handler);
  /// False, with a warning, while handlers run.
  bool add_switch_handler(Function<bool(CoroutineBase&, Switch)> handler);
  /// The same for a pair that can be compared: false if it is there already.
  bool add_switch_handler(bool (*handler)(CoroutineBase&, Switch, void*), void* data);

  /// Handles are counted apart from references: an error that nobody can read is unhandled.
  void add_handle() noexcept {
    if (handles_++ == 0) retain();
  }
  /// The first handle, which takes over the reference that the coroutine was made with.
  void adopt_handle() noexcept { handles_ = 1; }
  void drop_handle() noexcept {
    if (handles_ == 1) return drop_last_handle();
    --handles_;
  }
  [[nodiscard]] std::uint32_t handles() const noexcept { return handles_; }
  /// Whether its error can still be read: a handle holds it, or, in an object of a host, a
  /// reference of the host does.
  [[nodiscard]] virtual bool is_held() const noexcept { return handles_ > 0; }

  /// Values of native code, by key (see `internal_key`); destroyed at completion.
  void set_internal_value(unsigned key, void* value, void (*destroy)(void*) noexcept);
  [[nodiscard]] void* internal_value(unsigned key) const noexcept;

  static void* operator new(std::size_t size);
  static void operator delete(void* memory, std::size_t size) noexcept;
  /// Memory that operator new() gave for a coroutine to be.
  struct Room {
    void* memory;
    std::size_t size;
  };
  static void* operator new(std::size_t /*size*/, Room room) noexcept { return room.memory; }
  static void operator delete(void* memory, Room room) noexcept {
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
    if (extras_ != nullptr) [[unlikely]]
      drop_extras();
  }

  void notified(const Outcome& outcome) noexcept final { tell_callbacks(outcome); }
  /// Runs the body on the coroutine's stack and keeps its result. Throws what the body throws.
  virtual void run_body() = 0;
  /// Destroys the body and what it captured.
  virtual void drop_body() noexcept = 0;
  virtual void drop_result() noexcept {}
  /// The failure of a body in an object of a host, which does not throw it. Asked for once, when
  /// the body has returned and was dropped.
  [[nodiscard]] virtual std::exception_ptr take_failure() noexcept { return nullptr; }
  /// What it lends to those who wait for it.
  [[nodiscard]] virtual const void* result_address() const noexcept { return nullptr; }
  /// It has ended and its outcome is stored; those who await it are told next. In the scheduler
  /// phase, and only after watch_end().
  virtual void ended() noexcept {}
  void watch_end() noexcept { watches_end_ = true; }
  void set_spawn_place(PackedPlace place) noexcept { spawn_place_ = place; }
  /// Destroying the body does nothing: drop_body() need not be called when it has run.
  void body_needs_no_drop() noexcept { drops_body_ = false; }
  /// Its error cannot be read any more: if it was not, it is unhandled.
  void treat_unread_error() noexcept;
  /// The object goes, and its error with it.
  void forget_unread_error() noexcept;

 private:
  friend class Scheduler;
  friend class Waker;
  friend class Subscription;
  friend class CoroutineList;
  friend class Ending;
  friend class Failures;
  friend class Registry;
  friend class detail::Spawner;
  friend class Protection;
  friend class Shield;

  class EndWait;
  [[nodiscard]] bool is_listened_to() noexcept { return !callbacks().is_unused(); }
  /// Its body has ended.
  void close() noexcept {
    context_ = nullptr;
    set(closed_flag);
  }
  void tell_awaiters() noexcept;
  [[noreturn]] void rethrow_outcome();
  void drop_last_handle() noexcept;
  CoroutineExtras& extras();
  void drop_extras() noexcept;

  // The first cache line holds what a switch touches.
  bool started_ : 1 = false;
  bool cancelled_ : 1 = false;  // cancellation was asked for
  bool has_switch_handlers_ : 1 = false;
  bool lifted_ : 1 = false;                     // protection no longer counts: shutdown, deadlock
  bool drops_body_ : 1 = true;                  // destroying the body may be code of the user
  CancelReason deferred_ = CancelReason::none;  // cancellation asked for, not yet thrown
  std::uint8_t shields_ = 0;                    // protection that nothing lifts
  std::uint8_t stack_class_ = 0;                // which size of stack it wants
  void* stack_pointer_ = nullptr;               // where to go on, while parked
  Context* context_ = nullptr;                  // its stack, while it has one
  Waker waker_;
  PackedPlace suspend_place_;
  PackedPlace spawn_place_;
  CoroutineBase* registry_previous_ = nullptr;
  CoroutineBase* registry_next_ = nullptr;
  Owner* owner_ = nullptr;
  Waker* awaiter_ = nullptr;           // whose wait its end completes directly
  CoroutineExtras* extras_ = nullptr;  // name, handlers, values: made when first needed
  std::uint64_t id_ = 0;
  std::uint32_t handles_ = 0;
  std::uint16_t protect_depth_ = 0;
  Priority priority_ = Priority::normal;
  bool registered_ : 1 = false;
  bool exempt_ : 1 = false;   // runs handlers: not dropped before its start
  bool cleanup_ : 1 = false;  // no cancellation reaches it before the end of a program is late
  bool zombie_ : 1 = false;
  bool internal_ : 1 = false;     // the scheduler coroutine
  bool held_ : 1 = false;         // failed, and its living runtime knows that a handle holds it
  bool watches_end_ : 1 = false;  // ended() is to be called
};

static_assert(sizeof(CoroutineBase) <= 224);

}  // namespace weft
