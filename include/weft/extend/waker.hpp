#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "weft/detail/owned.hpp"
#include "weft/extend/event.hpp"
#include "weft/function.hpp"
#include "weft/place.hpp"

namespace weft {

class CoroutineBase;
class Scheduler;
class Waker;
struct WaitSpill;

/// What an awaited event means for the coroutine that waits.
enum class Wake : std::uint8_t {
  resolve,  ///< it is awaited: its value, or its error thrown
  cancel,   ///< it is a token: what Token says, with the token's error as previous
  timeout,  ///< it is a deadline: TimedOut, or the error it delivers
};

/// The callback that wakes a coroutine. Derive to inspect an outcome before the coroutine runs.
class Subscription : public Callback {
 public:
  Subscription() noexcept = default;
  /// The coroutine it wakes; null while it is not in use.
  [[nodiscard]] CoroutineBase* coroutine() const noexcept { return coroutine_; }
  /// The event it is for; null while it is not in use.
  [[nodiscard]] Event* event() const noexcept { return event_; }
  void on_notify(Event& event, const Outcome& outcome) noexcept override;

 protected:
  ~Subscription() override = default;
  /// Wakes the coroutine as the kind of this subscription says.
  void wake(const Outcome& outcome) noexcept;

 private:
  friend class CoroutineBase;
  friend class Waker;
  static constexpr unsigned kind_mask = 3;
  static constexpr unsigned started_bit = 4;     // its event was started for this wait
  static constexpr unsigned referenced_bit = 8;  // the waker holds a reference on its event
  static constexpr unsigned first_bit = 16;      // first subscription of this event in the waker

  CoroutineBase* coroutine_ = nullptr;
  Event* event_ = nullptr;
};

/// A wait of one coroutine without an event, usually for a place in a queue. It lives on the stack
/// of its coroutine and completes the wait of the waker that it was given to.
class DirectWait {
 public:
  DirectWait(const DirectWait&) = delete;
  DirectWait& operator=(const DirectWait&) = delete;
  /// One line for reports, as Event::describe().
  [[nodiscard]] virtual std::string describe() const = 0;
  /// The same in the fixed form of Event::info().
  [[nodiscard]] virtual std::string brief() const { return describe(); }
  /// The coroutine that waits with it; null if none does.
  [[nodiscard]] CoroutineBase* coroutine() const noexcept;

 protected:
  DirectWait() noexcept = default;
  virtual ~DirectWait() = default;
  /// The waker it completes; null once the wait is over.
  [[nodiscard]] Waker* waker() const noexcept { return waker_; }
  /// The wait is over, or was never begun.
  void forget_waker() noexcept { waker_ = nullptr; }
  /// Something else has ended the wait: release what was set up for it. Its coroutine has not run
  /// yet.
  virtual void on_wait_ended() noexcept {}

 private:
  friend class Waker;
  Waker* waker_ = nullptr;
};

/// What a coroutine waits for, and the outcome it woke with. Part of the coroutine and used again
/// for every wait: two subscriptions are inside, so an await allocates nothing.
///
/// To write a wait of your own: `renew()`, `resume_when(...)` any number of times, `suspend()`.
/// However a wait ends, by an event, a direct wait, a cancellation or resume(), it ends in
/// `complete()`, and the first end counts.
class Waker {
 public:
  /// Where the wait of a coroutine is.
  enum class Status : std::uint8_t {
    none,     ///< running
    waiting,  ///< parked on its events
    queued,   ///< in the run queue, outcome stored
    ignored,  ///< in the run queue, but cancelled before it started: only to be finalised
    result,   ///< woken, outcome to be taken
  };

  Waker(const Waker&) = delete;
  Waker& operator=(const Waker&) = delete;

  /// Forgets the last wait, so that a new one can be prepared.
  Waker& renew() noexcept {
    if (status_ != Status::none) [[unlikely]]
      refuse_to_renew();
    forget();
    value_ = nullptr;
    return *this;
  }
  /// Prepares a wake-up by `event`, which stays inert until suspend(). With a completed event that
  /// replays its outcome, suspend() returns at once. Throws MisuseError if `event` is closed and
  /// does not.
  void resume_when(Event& event, Wake kind = Wake::resolve);
  /// The same for an event that the waker is to keep alive.
  void resume_when(Ref<Event> event, Wake kind = Wake::resolve);
  /// The same with a custom callback.
  void resume_when(Event& event, Ref<Subscription> callback, Wake kind = Wake::resolve);
  /// Prepares a wake-up by `wait`, besides events or without any. One at most.
  void resume_when(DirectWait& wait) noexcept {
    wait.waker_ = this;
    direct_ = &wait;
    holds_ |= direct_wait;
  }
  /// Ends the wait successfully, perhaps with a value that is lent; nothing if it has ended.
  void complete(const void* value = nullptr) noexcept;
  /// Ends the wait with `error`, if there is one.
  void complete(const std::exception_ptr& error, const void* value = nullptr) noexcept;
  /// complete() for the most frequent operations of the library: inlined into the caller. Defined
  /// in src/scheduler/park.hpp.
  inline void complete_here() noexcept;
  /// Runs `hook` once, when this wait is forgotten.
  void on_clean(Function<void()> hook);

  /// Where the wait is.
  [[nodiscard]] Status status() const noexcept { return status_; }
  /// Whether the coroutine is parked.
  [[nodiscard]] bool is_waiting() const noexcept { return status_ == Status::waiting; }
  /// Whether nothing is prepared.
  [[nodiscard]] bool empty() const noexcept { return count_ == 0 && !holds(direct_wait); }
  /// Number of prepared subscriptions.
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  /// Which subscription (in the order of resume_when) ended the last wait, their number for a
  /// direct wait; -1 for none.
  [[nodiscard]] int triggered() const noexcept { return triggered_; }
  /// The value that the event lent with its outcome, if any.
  [[nodiscard]] const void* value() const noexcept { return holds(direct_wait) ? nullptr : value_; }
  /// The error to be thrown at the suspension point.
  [[nodiscard]] const std::exception_ptr& error() const noexcept { return error_; }
  /// describe() of each awaited event.
  [[nodiscard]] std::vector<std::string> awaiting() const;
  /// info() of each awaited event.
  [[nodiscard]] std::vector<std::string> awaiting_info() const;

 private:
  template <class NameWait, class NameEvent>
  [[nodiscard]] std::vector<std::string> name_awaited(NameWait name_wait,
                                                      NameEvent name_event) const;
  friend class CoroutineBase;
  friend class DirectWait;
  friend class Ending;
  friend class Failures;
  friend class Scheduler;
  friend class Subscription;

  static constexpr std::size_t max_events = 32'767;

  class Inline final : public Subscription {
   public:
    Inline() noexcept = default;
    ~Inline() override = default;
  };

  Waker() noexcept = default;
  ~Waker() {
    if (holds_ != 0) [[unlikely]]
      forget_events();
  }

  [[noreturn, gnu::cold]] static void refuse_to_renew() noexcept;
  [[nodiscard]] CoroutineBase& coroutine() noexcept { return *inline_[0].coroutine_; }
  [[nodiscard]] Subscription& at(std::size_t index) noexcept;
  [[nodiscard]] const Subscription& at(std::size_t index) const noexcept;
  WaitSpill& spill();
  Subscription& keep(std::size_t index, Ref<Subscription> own);
  Subscription& plain(std::size_t index);
  void subscribe(Event& event, Wake kind, Ref<Subscription> own);
  /// What a prepared wait holds on to.
  enum Hold : std::uint8_t {
    subscribed = 1,   // subscriptions are in their events' vectors
    referenced = 2,   // some events are kept alive for this wait
    direct_wait = 4,  // `direct_` is set
    spilled = 8,      // the WaitSpill of the coroutine holds a part of it
  };
  [[nodiscard]] bool holds(Hold what) const noexcept { return (holds_ & what) != 0; }
  void clear(Hold what) noexcept { holds_ &= static_cast<std::uint8_t>(~what); }
  /// Renews and starts to wait, for `wait` alone.
  void wait_only_for(DirectWait& wait) noexcept;
  /// Instead of the direct wait for its end, waits for `coroutine` as for any event.
  void listen_to(CoroutineBase& coroutine);
  /// Whether a new wait can begin without forgetting the last one first.
  [[nodiscard]] bool is_clean() const noexcept;
  [[nodiscard]] bool needs_start() const noexcept {
    if (count_ == 0) return false;
    const Event* only = inline_[0].event_;
    return count_ != 1 || holds(spilled) || !only->has(Event::passive_flag) || only->is_closed();
  }
  /// Every wait ends here: subscription `which` of it, or -1, has decided it.
  void end(std::int16_t which, Wake kind, const void* value) noexcept;
  void complete(std::int16_t which, Wake kind, const void* value) noexcept;
  /// Its coroutine is left behind: nothing wakes it any more.
  void abandon() noexcept;
  /// Ends the wait without any of its events: by a cancellation, or resume().
  void interrupt() noexcept;
  void keep_error(const std::exception_ptr& error) noexcept;
  /// Starts every event once. Throws what a start throws, with everything stopped again.
  void start_events();
  /// Stops and unsubscribes: the wait is decided. Runs no user code but `stop`.
  void detach_events() noexcept;
  void release_events() noexcept;
  void forget() noexcept {
    if (holds_ != 0) [[unlikely]]
      forget_events();
    count_ = 0;
    triggered_ = -1;
    woken_by_ = Wake::resolve;
  }
  void forget_events() noexcept;
  /// Throws what the wait ended with, if that is not a plain value.
  void deliver(Scheduler& scheduler);
  void move_to(Status status) noexcept;
  /// Keeps `error`; a second one becomes current with the first as its previous.
  void merge_error(std::exception_ptr error) noexcept;

  Inline inline_[2];
  std::exception_ptr error_;
  union {
    const void* value_ = nullptr;  // once the wait is decided
    DirectWait* direct_;           // before, if it holds one
  };
  std::uint16_t count_ = 0;
  std::int16_t triggered_ = -1;
  Status status_ = Status::none;
  Wake woken_by_ = Wake::resolve;
  std::uint8_t holds_ = 0;
  // There may be something to do before the coroutine goes on: switch handlers, a cancellation, an
  // error, a token that fired. Set with each of these; deliver() checks.
  bool special_ = false;
};

inline CoroutineBase* DirectWait::coroutine() const noexcept {
  return waker_ != nullptr ? &waker_->coroutine() : nullptr;
}

}  // namespace weft
