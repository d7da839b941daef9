#pragma once

#include <cstddef>
#include <string>

#include "weft/event.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"
#include "weft/waker.hpp"

namespace weft {

class WaitList;

/// What waiters stand in line for: it says in reports which one it is.
class WaitedFor {
 public:
  /// One line for people: its kind, its id, where it was made, who has it.
  [[nodiscard]] virtual std::string describe() const = 0;

 protected:
  WaitedFor() noexcept = default;
  ~WaitedFor() = default;
};

/// One who stands in line for something that is handed out one at a time: a lock, a place in a
/// channel, a resource. It lives on the stack of its coroutine, so waiting needs no memory.
///
/// Being granted reserves: from then on the thing belongs to this waiter, before its coroutine has
/// run. If the wait ends otherwise after all (it was cancelled meanwhile), whoever waited finds
/// `is_granted()` and must hand the thing on.
class Waiter : public Event {
 public:
  /// `what` describes the wait for people and lives as long as the program; `owner` is what it
  /// stands in line for, and describes itself in reports.
  explicit Waiter(const char* what, const WaitedFor* owner = nullptr) noexcept
      : what_{what}, owner_{owner} {
    set(passive_flag);
  }
  ~Waiter() override { leave(); }

  [[nodiscard]] bool is_listed() const noexcept { return list_ != nullptr; }
  [[nodiscard]] bool is_granted() const noexcept { return granted_; }
  /// Whether somebody waits with it, and nothing else has ended that wait yet.
  [[nodiscard]] bool is_awaited() const noexcept {
    return waker_ != nullptr ? waker_->status() == Waker::Status::waiting : subscribers() != 0;
  }
  [[nodiscard]] Waiter* next() const noexcept { return next_; }

  /// It has what it waited for: leaves the line and wakes its coroutine.
  inline void grant() noexcept;
  /// It will never get it: leaves the line, and its wait throws `error`.
  void refuse(const std::exception_ptr& error) noexcept;
  /// Leaves the line, if it still stands there. Wakes nobody.
  inline void leave() noexcept;

  /// Suspends until granted. Throws what refuse() was given, Cancelled, or, when `token` comes
  /// first, OperationCancelled; the waiter has left the line then.
  void wait(Token token = {}, Place place = Place::here());

  bool replay(Outcome& /*outcome*/) const override { return is_closed(); }
  [[nodiscard]] std::string info() const override { return what_; }
  [[nodiscard]] std::string describe() const override;

 private:
  friend class WaitList;
  void happen(const std::exception_ptr& error) noexcept {
    if (subscribers() != 0) [[unlikely]]
      return happen_for_all(error);
    close_quietly();
    if (waker_ != nullptr) waker_->happened(error);
  }
  void happen_for_all(const std::exception_ptr& error) noexcept;

  const char* what_;
  const WaitedFor* owner_;
  Waker* waker_ = nullptr;  // of the coroutine that waits for this alone
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

  void push_back(Waiter& waiter) noexcept {
    if (waiter.is_listed()) [[unlikely]]
      refuse_second_line();
    waiter.list_ = this;
    waiter.previous_ = last_;
    waiter.next_ = nullptr;
    (last_ != nullptr ? last_->next_ : first_) = &waiter;
    last_ = &waiter;
    ++size_;
  }
  /// For one that was granted in vain and keeps its place.
  void push_front(Waiter& waiter) noexcept;
  void remove(Waiter& waiter) noexcept {
    (waiter.previous_ != nullptr ? waiter.previous_->next_ : first_) = waiter.next_;
    (waiter.next_ != nullptr ? waiter.next_->previous_ : last_) = waiter.previous_;
    waiter.list_ = nullptr;
    waiter.previous_ = waiter.next_ = nullptr;
    --size_;
  }
  /// Grants the oldest. False if nobody waits.
  bool grant_first() noexcept;
  /// Refuses everybody.
  void refuse_all(const std::exception_ptr& error) noexcept;

 private:
  [[noreturn, gnu::cold]] static void refuse_second_line() noexcept;

  Waiter* first_ = nullptr;
  Waiter* last_ = nullptr;
  std::size_t size_ = 0;
};

inline void Waiter::leave() noexcept {
  if (list_ != nullptr) list_->remove(*this);
}

inline void Waiter::grant() noexcept {
  leave();
  granted_ = true;
  happen(nullptr);
}

}  // namespace weft
