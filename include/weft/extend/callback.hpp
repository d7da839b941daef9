#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <utility>

namespace weft {

class Event;

/// What an event passes to its callbacks: a pointer to a value, an error, or neither. The value is
/// only lent: its owner keeps it at least for the call.
class Outcome {
 public:
  Outcome() noexcept = default;
  /// A failure.
  explicit Outcome(std::exception_ptr error) noexcept : error_{std::move(error)} {}
  /// A success that lends `value`, which must live until the notification is over.
  template <class T>
  static Outcome of(const T& value) noexcept {
    Outcome outcome;
    outcome.value_ = &value;
    outcome.type_ = &type_of<T>;
    return outcome;
  }

  /// The value, if it is a T.
  template <class T>
  [[nodiscard]] const T* value() const noexcept {
    return type_ == &type_of<T> ? static_cast<const T*>(value_) : nullptr;
  }
  /// The address of the value, whatever its type; null if there is none.
  [[nodiscard]] const void* raw_value() const noexcept { return value_; }
  /// The error; null for a success.
  [[nodiscard]] const std::exception_ptr& error() const noexcept { return error_; }

 private:
  template <class T>
  static constexpr char type_of = 0;

  const void* value_ = nullptr;
  const void* type_ = nullptr;
  std::exception_ptr error_;
};

/// One subscriber of one event. Reference-counted, because the event and the subscriber both hold
/// it; on the stack or inside another object it only has to outlive its subscription.
class Callback {
 public:
  Callback(const Callback&) = delete;
  Callback& operator=(const Callback&) = delete;

  /// Called when the event happens. Runs in the scheduler phase, also when a coroutine notifies: it
  /// must not suspend (that throws MisuseError) and must not throw; a failure is reported with
  /// `leave_pending`.
  virtual void on_notify(Event& event, const Outcome& outcome) noexcept = 0;

  /// Whether it is subscribed to an event.
  [[nodiscard]] bool is_subscribed() const noexcept { return position_ != nowhere; }
  // Not by Counted: the count shares its word with the tag, because callbacks are many.
  void retain() noexcept { word_ += one_reference; }
  void release() noexcept {
    word_ -= one_reference;
    if (references() == 0 && (word_ & counted_bit) != 0) delete this;
  }
  [[nodiscard]] std::uint32_t references() const noexcept { return word_ / one_reference; }
  void free_with_last_reference() noexcept { word_ |= counted_bit; }

 protected:
  Callback() noexcept = default;
  /// No event may hold it any more (asserted).
  virtual ~Callback() {
    if (is_subscribed()) [[unlikely]]
      destroyed_in_use();
  }
  /// Called when the event releases this callback: it was removed, or the event is destroyed.
  virtual void dispose() noexcept {}

  /// Seven bits for the use of the derived class.
  [[nodiscard]] unsigned tag() const noexcept { return word_ & tag_mask; }
  /// Sets what tag() returns.
  void set_tag(unsigned tag) noexcept { word_ = (word_ & ~tag_mask) | (tag & tag_mask); }

 private:
  friend class CallbackVector;
  [[noreturn, gnu::cold]] static void destroyed_in_use() noexcept;
  [[nodiscard]] bool is_counted() const noexcept { return (word_ & counted_bit) != 0; }
  static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint32_t tag_mask = 0x7f;
  static constexpr std::uint32_t counted_bit = 0x80;
  static constexpr std::uint32_t one_reference = 0x100;

  std::uint32_t word_ = one_reference;  // references, whether they are counted, tag
  std::uint32_t position_ = nowhere;    // in the vector of its event: removal needs no search
};

/// The subscribers of one event. One is stored inside, more on the heap. Not a NotifyList: that
/// takes two pointers in each callback instead of a position, and a round ends before those that
/// come.
class CallbackVector {
 public:
  CallbackVector() noexcept = default;
  ~CallbackVector() {
    if (size_ > 0 || capacity_ > 1) [[unlikely]]
      free_all();
  }
  CallbackVector(const CallbackVector&) = delete;
  CallbackVector& operator=(const CallbackVector&) = delete;

  /// Appends and takes a reference. False if it is subscribed somewhere already.
  bool push(Callback& callback);
  /// Removes and disposes in constant time: the last one takes its position, or, while notifying, a
  /// hole does. False if it is not in here.
  bool remove(Callback& callback) noexcept;
  /// Calls each callback that was subscribed at the start and not removed before its turn once, and
  /// those added meanwhile; stops when a failure is left pending. False, with a warning, if nested.
  bool notify(Event& event, const Outcome& outcome) noexcept;
  /// Disposes all callbacks. False, with a warning, while notifying.
  bool clear() noexcept;

  /// How many callbacks are subscribed.
  [[nodiscard]] std::uint32_t size() const noexcept {
    return round_ == nullptr ? size_ : size_ - round_->holes;
  }
  /// Whether none is subscribed.
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  /// The oldest one; null if there is none.
  [[nodiscard]] Callback* first() noexcept;
  /// Empty, and without a handler.
  [[nodiscard]] bool is_unused() const noexcept { return size_ == 0 && handler() == nullptr; }
  /// Whether a notification is in progress.
  [[nodiscard]] bool is_notifying() const noexcept { return round_ != nullptr; }

  /// The notify handler of the event, or null. It takes no part in notify() and size().
  [[nodiscard]] Callback* handler() const noexcept {
    return capacity_ == 1 ? nullptr : many_[handler_cell];
  }
  /// Takes a reference. Throws std::bad_alloc, and then nothing changed.
  void set_handler(Callback* handler);

 private:
  /// A notification in progress. A callback removed meanwhile leaves a hole, so that the others
  /// keep their position and the order of subscription.
  struct Round {
    std::uint32_t next = 0;
    std::uint32_t holes = 0;
    Callback* called = nullptr;  // until it has returned or may be destroyed
  };
  // On the heap there is a cell in front of the callbacks, for the handler.
  static constexpr std::ptrdiff_t handler_cell = -1;
  static Callback** allocate(std::uint32_t capacity);
  void free_many() noexcept;
  void close_holes() noexcept;
  [[nodiscard]] Callback** data() noexcept { return capacity_ == 1 ? &one_ : many_; }
  void place(Callback* callback, std::uint32_t position) noexcept;
  void grow();
  void free_all() noexcept;

  union {
    Callback* one_ = nullptr;
    Callback** many_;
  };
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = 1;
  Round* round_ = nullptr;
};

/// Reports that a callback, or other code in the scheduler phase, failed: the runtime shuts down
/// gracefully with `error`, and callbacks not yet called in this notification are skipped.
void leave_pending(std::exception_ptr error) noexcept;

}  // namespace weft
