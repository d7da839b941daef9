#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <utility>

namespace weft {

class Event;

namespace detail {
class CallbackVector;
}

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
  friend class detail::CallbackVector;
  [[noreturn, gnu::cold]] static void destroyed_in_use() noexcept;
  [[nodiscard]] bool is_counted() const noexcept { return (word_ & counted_bit) != 0; }
  static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint32_t tag_mask = 0x7f;
  static constexpr std::uint32_t counted_bit = 0x80;
  static constexpr std::uint32_t one_reference = 0x100;

  std::uint32_t word_ = one_reference;  // references, whether they are counted, tag
  std::uint32_t position_ = nowhere;    // in the vector of its event: removal needs no search
};

/// Reports that a callback, or other code in the scheduler phase, failed: the runtime shuts down
/// gracefully with `error`, and callbacks not yet called in this notification are skipped.
void leave_pending(std::exception_ptr error) noexcept;

}  // namespace weft
