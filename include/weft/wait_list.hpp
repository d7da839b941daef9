#pragma once

#include <cstddef>
#include <string>

#include "weft/event.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"

namespace weft {

class WaitList;

/// One who stands in line for something that is handed out one at a time: a lock, a place in a
/// channel, a resource. It lives on the stack of its coroutine, so waiting needs no memory.
///
/// Being granted reserves: from then on the thing belongs to this waiter, before its coroutine has
/// run. If the wait ends otherwise after all (it was cancelled meanwhile), whoever waited finds
/// `is_granted()` and must hand the thing on.
class Waiter : public Event {
 public:
  /// `what` describes the wait for people and lives as long as the program.
  explicit Waiter(const char* what) noexcept : what_{what} { set(passive_flag); }
  ~Waiter() override;

  [[nodiscard]] bool is_listed() const noexcept { return list_ != nullptr; }
  [[nodiscard]] bool is_granted() const noexcept { return granted_; }
  [[nodiscard]] Waiter* next() const noexcept { return next_; }

  /// It has what it waited for: leaves the line and wakes its coroutine.
  void grant() noexcept;
  /// It will never get it: leaves the line, and its wait throws `error`.
  void refuse(const std::exception_ptr& error) noexcept;
  /// Leaves the line, if it still stands there. Wakes nobody.
  void leave() noexcept;

  /// Suspends until granted. Throws what refuse() was given, Cancelled, or, when `token` comes
  /// first, OperationCancelled; the waiter has left the line then.
  void wait(Token token = {}, Place place = Place::here());

  bool replay(Outcome& /*outcome*/) const override { return is_closed(); }
  [[nodiscard]] std::string info() const override { return what_; }

 private:
  friend class WaitList;
  const char* what_;
  WaitList* list_ = nullptr;
  Waiter* previous_ = nullptr;
  Waiter* next_ = nullptr;
  bool granted_ = false;
};

/// Waiters in the order of their arrival.
class WaitList {
 public:
  WaitList() noexcept = default;
  ~WaitList();
  WaitList(const WaitList&) = delete;
  WaitList& operator=(const WaitList&) = delete;

  [[nodiscard]] bool is_empty() const noexcept { return first_ == nullptr; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] Waiter* first() const noexcept { return first_; }

  void push_back(Waiter& waiter) noexcept;
  /// For one that was granted in vain and keeps its place.
  void push_front(Waiter& waiter) noexcept;
  void remove(Waiter& waiter) noexcept;
  /// Grants the oldest. False if nobody waits.
  bool grant_first() noexcept;
  /// Refuses everybody.
  void refuse_all(const std::exception_ptr& error) noexcept;

 private:
  Waiter* first_ = nullptr;
  Waiter* last_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace weft
