#pragma once

#include <cstddef>
#include <string>

#include "weft/extend/event.hpp"
#include "weft/extend/waker.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"

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
///
/// When the line is destroyed, those who stand in it throw ObjectDestroyed. Those who were granted
/// and have not run keep what they got, but find `is_abandoned()`: there is nothing to hand on to.
class Waiter : public DirectWait {
 public:
  /// `what` describes the wait for people and lives as long as the program; `owner` is what it
  /// stands in line for, and describes itself in reports.
  explicit Waiter(const char* what, const WaitedFor* owner = nullptr) noexcept
      : what_{what}, owner_{owner} {}
  ~Waiter() override {
    if (list_ != nullptr) [[unlikely]]
      leave_at_end();
  }

  [[nodiscard]] bool is_listed() const noexcept { return list_ != nullptr && !kept_; }
  /// It has what it waited for, and what it waited for still exists.
  [[nodiscard]] bool is_granted() const noexcept { return granted_ && !abandoned_; }
  /// What it waited for was destroyed before its coroutine ran.
  [[nodiscard]] bool is_abandoned() const noexcept { return abandoned_; }
  /// Whether a coroutine waits with it, and nothing else has ended that wait yet.
  [[nodiscard]] bool is_awaited() const noexcept {
    return waker() != nullptr ? waker()->is_waiting() : has_others();
  }
  [[nodiscard]] Waiter* next() const noexcept { return next_; }

  /// It has what it waited for: wakes its coroutine, and the line knows it until that has run.
  inline void grant() noexcept;
  /// The same for a waiter that another list knows from now on.
  inline void grant_and_leave() noexcept;
  /// grant() for operations of the library that wake most: the wake-up is in the function that
  /// calls it. Defined in src/wait/wait_here.hpp.
  inline void grant_here() noexcept;
  /// It will never get it: leaves the line, and its wait throws `error`.
  void refuse(const std::exception_ptr& error) noexcept;
  /// Leaves the line, if it still stands there. Wakes nobody.
  inline void leave() noexcept;

  /// Suspends until granted. Throws what refuse() was given, Cancelled, ObjectDestroyed if the line
  /// was destroyed, or, when `token` fires first, OperationCancelled; the waiter has left the line
  /// then.
  void wait(Token token = {}, Place place = Place::here()) { wait("Waiter::wait()", token, place); }
  /// The same; `operation` is what the user has called, as errors name it.
  void wait(const char* operation, Token token, Place place);
  /// The same for operations of the library that wait most: the switch is in the function that
  /// calls it. Defined in src/wait/wait_here.hpp.
  inline void wait_here(const char* operation, Token token, PackedPlace place);
  /// Throws that what it waited for was destroyed.
  [[noreturn, gnu::cold]] void throw_destroyed() const;

  [[nodiscard]] virtual std::string info() const { return what_; }
  [[nodiscard]] std::string describe() const override;

 protected:
  /// A wait that `token` may end.
  [[gnu::noinline]] void wait_with(const char* operation, Token token, PackedPlace place);
  /// It is granted or refused while no coroutine waits with it: for kinds that tell others.
  virtual void tell_others(const std::exception_ptr& /*error*/) noexcept {}
  /// Whether those whom tell_others() tells are there.
  [[nodiscard]] virtual bool has_others() const noexcept { return false; }

 private:
  friend class WaitList;
  /// The list it stands in knows it as granted.
  inline void be_kept() noexcept;
  void happen() noexcept {
    over_ = true;
    if (waker() != nullptr) [[likely]]
      return waker()->complete();
    tell_others_granted();
  }
  [[gnu::noinline]] void tell_others_granted() noexcept { tell_others(nullptr); }
  void abandon(PackedPlace created) noexcept;
  [[gnu::cold]] void leave_at_end() noexcept;

  const char* what_;
  union {
    const WaitedFor* owner_;
    PackedPlace created_;  // where that was made, once it is gone: `abandoned_`
  };
  WaitList* list_ = nullptr;
  Waiter* previous_;  // while it stands in `list_`, as is the next
  Waiter* next_;
  bool over_ = false;  // granted, refused or abandoned: there is nothing to wait for
  bool granted_ = false;
  bool kept_ = false;  // granted, and known to its list until its coroutine has run
  bool abandoned_ = false;
};

/// Waiters in the order of their arrival.
class WaitList {
 public:
  WaitList() noexcept = default;
  /// `created`: where the thing was made that they wait for, as ObjectDestroyed says it.
  explicit WaitList(Place created) noexcept : created_{created} {}
  /// Wakes those who still wait; they throw ObjectDestroyed. Needs no memory.
  ~WaitList() {
    if (first_ != nullptr || kept_ != nullptr) [[unlikely]]
      abandon_all();
  }
  WaitList(const WaitList&) = delete;
  WaitList& operator=(const WaitList&) = delete;

  [[nodiscard]] bool is_empty() const noexcept { return first_ == nullptr; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] Waiter* first() const noexcept { return first_; }
  [[nodiscard]] bool has(const Waiter& waiter) const noexcept { return waiter.list_ == this; }

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
    if (waiter.kept_) return forget(waiter);
    unlink(waiter);
    waiter.list_ = nullptr;
  }
  /// `waiter` has what it waits for without having stood in line, and is to know if the list goes.
  void keep(Waiter& waiter) noexcept {
    if (waiter.list_ != nullptr) [[unlikely]]
      refuse_second_line();
    waiter.granted_ = true;
    keep_granted(waiter);
  }
  /// Grants the oldest. False if nobody waits.
  bool grant_first() noexcept;
  /// Refuses everybody.
  void refuse_all(const std::exception_ptr& error) noexcept;
  [[nodiscard]] Place created() const noexcept { return created_.unpack(); }

 private:
  friend class Waiter;
  [[noreturn, gnu::cold]] static void refuse_second_line() noexcept;
  [[gnu::cold]] void abandon_all() noexcept;
  void unlink(Waiter& waiter) noexcept {
    (waiter.previous_ != nullptr ? waiter.previous_->next_ : first_) = waiter.next_;
    (waiter.next_ != nullptr ? waiter.next_->previous_ : last_) = waiter.previous_;
    --size_;
  }
  void keep_granted(Waiter& waiter) noexcept {
    waiter.list_ = this;
    waiter.kept_ = true;
    waiter.previous_ = nullptr;
    waiter.next_ = kept_;
    if (kept_ != nullptr) kept_->previous_ = &waiter;
    kept_ = &waiter;
  }
  void forget(Waiter& waiter) noexcept {
    (waiter.previous_ != nullptr ? waiter.previous_->next_ : kept_) = waiter.next_;
    if (waiter.next_ != nullptr) waiter.next_->previous_ = waiter.previous_;
    waiter.list_ = nullptr;
    waiter.kept_ = false;
  }

  Waiter* first_ = nullptr;
  Waiter* last_ = nullptr;
  std::size_t size_ = 0;
  Waiter* kept_ = nullptr;  // granted, and have not run since
  PackedPlace created_;
};

inline void Waiter::leave() noexcept {
  if (list_ != nullptr) list_->remove(*this);
}

inline void Waiter::be_kept() noexcept {
  if (list_ != nullptr && !kept_) {
    list_->unlink(*this);
    list_->keep_granted(*this);
  }
}

inline void Waiter::grant() noexcept {
  be_kept();
  granted_ = true;
  happen();
}

inline void Waiter::grant_and_leave() noexcept {
  leave();
  granted_ = true;
  happen();
}

}  // namespace weft
