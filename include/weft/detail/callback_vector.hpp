#pragma once

#include <cstddef>
#include <cstdint>

#include "weft/extend/callback.hpp"

namespace weft::detail {

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

}  // namespace weft::detail
