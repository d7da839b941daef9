#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "weft/event.hpp"
#include "weft/function.hpp"
#include "weft/place.hpp"

namespace weft {

class CoroutineBase;
class Scheduler;
class Waker;

/// What an awaited event means for the coroutine that waits.
enum class Wake : std::uint8_t {
  resolve,  ///< it is what we wait for: its value, or its error thrown
  cancel,   ///< it is a cancellation token: OperationCancelled with the token's error as previous
  timeout,  ///< it is a deadline: TimedOut, or the error it delivers
};

/// The callback that wakes a coroutine. Derive to look at an outcome before the coroutine runs.
class Subscription : public Callback {
 public:
  Subscription() noexcept = default;
  [[nodiscard]] CoroutineBase* coroutine() const noexcept { return coroutine_; }
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

/// What a coroutine waits for, and the outcome it woke with. Part of the coroutine and used again
/// for every wait: two subscriptions are inside, so an await allocates nothing.
///
/// To write a wait of your own: `renew()`, `resume_when(...)` any number of times, `suspend()`.
class Waker {
 public:
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
    triggered_ = -1;
    return *this;
  }
  /// Prepares a wake-up by `event`, which stays inert until suspend(). With a completed event that
  /// replays its outcome, that returns at once. Throws MisuseError if it is closed and does not.
  void resume_when(Event& event, Wake kind = Wake::resolve);
  /// The same for an event that the waker is to keep alive.
  void resume_when(Ref<Event> event, Wake kind = Wake::resolve);
  /// The same with a callback of one's own.
  void resume_when(Event& event, Ref<Subscription> callback, Wake kind = Wake::resolve);
  /// Renewed for a wait for `event` alone, which tells this waker itself, with `happened()`: the
  /// short way for an event of the waiting coroutine's own that needs no start.
  void wait_only_for(Event& event) noexcept {
    inline_[0].event_ = &event;
    inline_[0].set_tag(static_cast<unsigned>(Wake::resolve) | Subscription::first_bit);
    count_ = 1;
    attached_ = true;
  }
  /// The only awaited event has come, with an error or without, and perhaps lends a value; nothing
  /// if the wait is decided.
  void happened(const std::exception_ptr& error, const void* value = nullptr) noexcept;
  /// Runs `hook` once, when this wait is forgotten.
  void on_clean(Function<void()> hook);

  [[nodiscard]] Status status() const noexcept { return status_; }
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
  /// Number of prepared subscriptions.
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  /// Which subscription (in the order of resume_when) woke us in the last wait; -1 for none.
  [[nodiscard]] int triggered() const noexcept { return triggered_; }
  /// The value that the event lent with its outcome, if any.
  [[nodiscard]] const void* value() const noexcept { return value_; }
  /// The error to be thrown at the suspension point.
  [[nodiscard]] const std::exception_ptr& error() const noexcept { return error_; }
  /// What describe() says of the awaited events.
  [[nodiscard]] std::vector<std::string> awaiting() const;

 private:
  friend class CoroutineBase;
  friend class Scheduler;
  friend class Subscription;

  static constexpr std::size_t max_events = 32'767;

  struct Spill {
    std::vector<Ref<Subscription>> own;   // callbacks of the user, by position
    std::vector<Ref<Subscription>> more;  // ours, from the third on
    Function<void()> on_clean;
  };
  class Inline final : public Subscription {
   public:
    Inline() noexcept = default;
    ~Inline() override = default;
  };

  Waker() noexcept = default;
  ~Waker() { forget(); }

  [[noreturn, gnu::cold]] static void refuse_to_renew() noexcept;
  [[nodiscard]] CoroutineBase& coroutine() noexcept;
  [[nodiscard]] Subscription& at(std::size_t index) noexcept;
  [[nodiscard]] const Subscription& at(std::size_t index) const noexcept;
  Spill& spill();
  Subscription& keep(std::size_t index, Ref<Subscription> own);
  Subscription& plain(std::size_t index);
  void subscribe(Event& event, Wake kind, Ref<Subscription> own);
  [[nodiscard]] bool waits_for_one_that_needs_no_start() const noexcept {
    const Event* only = inline_[0].event_;
    return count_ == 1 && spill_ == nullptr && only->has(Event::passive_flag) && !only->is_closed();
  }
  /// Starts every event once. Throws what a start throws, with everything stopped again.
  void start_events();
  /// Stops and unsubscribes: the wait is decided. Runs no user code but `stop`.
  void detach_events() noexcept;
  void release_events() noexcept;
  void forget() noexcept {
    if (attached_ || referencing_ || spill_ != nullptr) [[unlikely]]
      forget_events();
    count_ = 0;
    woken_by_ = Wake::resolve;
  }
  void forget_events() noexcept;
  /// Throws what the wait ended with, if that is not a plain value.
  void deliver(Scheduler& scheduler);
  void move_to(Status status) noexcept;
  void keep_error(const std::exception_ptr& error) noexcept;
  /// Keeps `error`; a second one becomes current with the first as its previous.
  void merge_error(std::exception_ptr error) noexcept;

  Inline inline_[2];
  std::unique_ptr<Spill> spill_;
  std::exception_ptr error_;
  const void* value_ = nullptr;
  std::uint16_t count_ = 0;
  std::int16_t triggered_ = -1;
  Status status_ = Status::none;
  Wake woken_by_ = Wake::resolve;
  bool attached_ = false;     // subscriptions are in their events' vectors
  bool referencing_ = false;  // some events are kept alive for this wait
};

}  // namespace weft
