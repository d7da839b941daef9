#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>
#include <string>

#include "weft/detail/intrusive_list.hpp"
#include "weft/extend/event.hpp"
#include "weft/extend/packed_place.hpp"
#include "weft/extend/waker.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"

namespace weft {

class WaitList;

/// The object that waiters queue for: it describes itself in reports.
class WaitedFor {
 public:
  /// One line for reports: its kind, its id, where it was created, what holds it.
  [[nodiscard]] virtual std::string describe() const = 0;
  /// The same in the fixed form of Event::info().
  [[nodiscard]] virtual std::string brief() const { return describe(); }

 protected:
  WaitedFor() noexcept = default;
  ~WaitedFor() = default;
};

/// A place in the queue for something that is handed out one at a time: a lock, a slot of a
/// channel, a resource. It lives on the stack of its coroutine, so waiting allocates no memory.
///
/// A grant is a reservation: the thing belongs to this waiter before its coroutine has run. If the
/// wait ends otherwise after all (it was cancelled meanwhile), the coroutine finds `is_granted()`
/// and must hand the thing on.
///
/// When the WaitList is destroyed, its waiters throw ObjectDestroyed. Those that were granted and
/// have not run keep their grant, but find `is_abandoned()`: there is no list to hand it on to.
class Waiter : public DirectWait {
 public:
  /// `what` describes the wait in reports and lives as long as the program; `owner` is the object
  /// it queues for, and describes itself in reports.
  explicit Waiter(const char* what, const WaitedFor* owner = nullptr) noexcept
      : what_{what}, owner_{owner} {}
  ~Waiter() override {
    if (list_ != nullptr) [[unlikely]]
      leave_at_end();
  }

  /// Whether it is in the queue and not granted.
  [[nodiscard]] bool is_listed() const noexcept { return list_ != nullptr && !kept_; }
  /// Granted, and the object it queued for still exists.
  [[nodiscard]] bool is_granted() const noexcept { return granted_ && !abandoned_; }
  /// The object it queued for was destroyed before its coroutine ran.
  [[nodiscard]] bool is_abandoned() const noexcept { return abandoned_; }
  /// Whether a coroutine waits with it, and nothing else has ended that wait yet.
  [[nodiscard]] bool is_awaited() const noexcept {
    return waker() != nullptr ? waker()->is_waiting() : has_others();
  }
  /// The next in the queue; null for the last.
  [[nodiscard]] Waiter* next() const noexcept { return list_links_.next(); }

  /// Grants: wakes its coroutine, and the list keeps track of it until that has run.
  inline void grant() noexcept;
  /// The same for a waiter that another list keeps track of.
  inline void grant_and_leave() noexcept;
  /// grant() for the most frequent operations of the library: inlined into the caller. Defined in
  /// src/wait/wait_here.hpp.
  inline void grant_here() noexcept;
  /// Leaves the list, and its wait throws `error`.
  void refuse(const std::exception_ptr& error) noexcept;
  /// Leaves the list, if it is in one. Wakes no coroutine.
  inline void leave() noexcept;

  /// Suspends until granted. Throws what refuse() was given, Cancelled, ObjectDestroyed if the list
  /// was destroyed, and, when `token` fires first, TimedOut for a timeout, otherwise
  /// OperationCancelled; then the waiter has left the list.
  void wait(Token token = {}, Place place = Place::here()) { wait("Waiter::wait()", token, place); }
  /// The same; `operation` is the function that the user called, for error texts.
  void wait(const char* operation, Token token, Place place);
  /// The same for the most frequent operations of the library: the switch is inlined into the
  /// caller. Defined in src/wait/wait_here.hpp.
  inline void wait_here(const char* operation, Token token, PackedPlace place);
  /// Throws ObjectDestroyed.
  [[noreturn, gnu::cold]] void throw_destroyed() const;

  /// What is waited for, in one line.
  [[nodiscard]] virtual std::string info() const { return what_; }
  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] std::string brief() const override;

 protected:
  /// A wait that `token` may end.
  [[gnu::noinline]] void wait_with(const char* operation, Token token, PackedPlace place);
  /// Called if it is granted or refused while no coroutine waits with it: for kinds that notify
  /// others.
  virtual void notify_others(const std::exception_ptr& /*error*/) noexcept {}
  /// Whether there are others for notify_others() to notify.
  [[nodiscard]] virtual bool has_others() const noexcept { return false; }

 private:
  friend class WaitList;
  friend class detail::ListAccess;
  /// Moves to the granted waiters of its list.
  inline void move_to_granted() noexcept;
  void complete() noexcept {
    over_ = true;
    if (waker() != nullptr) [[likely]]
      return waker()->complete();
    notify_others_granted();
  }
  [[gnu::noinline]] void notify_others_granted() noexcept { notify_others(nullptr); }
  void abandon(PackedPlace created) noexcept;
  [[gnu::cold]] void leave_at_end() noexcept;

  const char* what_;
  union {
    const WaitedFor* owner_;
    PackedPlace created_;  // where that was created, if `abandoned_`
  };
  WaitList* list_ = nullptr;
  detail::ListLinks<Waiter> list_links_;
  bool over_ = false;  // granted, refused or abandoned: there is nothing to wait for
  bool granted_ = false;
  bool kept_ = false;  // granted, and in its list until its coroutine has run
  bool abandoned_ = false;
};

/// Waiters in the order of their arrival.
class WaitList {
 public:
  WaitList() noexcept = default;
  /// `created` is where the object that they queue for was created, for ObjectDestroyed.
  explicit WaitList(Place created) noexcept : created_{created} {}
  /// Wakes the waiters that are left; they throw ObjectDestroyed. Allocates no memory.
  ~WaitList() {
    if (!waiting_.empty() || !kept_.empty()) [[unlikely]]
      abandon_all();
  }
  WaitList(const WaitList&) = delete;
  WaitList& operator=(const WaitList&) = delete;

  /// Whether no waiter is in the queue.
  [[nodiscard]] bool is_empty() const noexcept { return waiting_.empty(); }
  /// How many waiters are in the queue.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// The waiter that has waited longest; null if there is none.
  [[nodiscard]] Waiter* first() const noexcept { return waiting_.first(); }
  /// Whether `waiter` belongs to this list.
  [[nodiscard]] bool has(const Waiter& waiter) const noexcept { return waiter.list_ == this; }

  /// Adds `waiter` as the last in the queue.
  void push_back(Waiter& waiter) noexcept {
    if (waiter.is_listed()) [[unlikely]]
      refuse_second_queue();
    waiter.list_ = this;
    waiting_.push_back(waiter);
    ++size_;
  }
  /// For a waiter that was granted in vain and keeps its place.
  void push_front(Waiter& waiter) noexcept;
  /// Takes `waiter` out of the queue, which it must be in.
  void remove(Waiter& waiter) noexcept {
    if (waiter.kept_) return forget(waiter);
    unlink(waiter);
    waiter.list_ = nullptr;
  }
  /// Marks `waiter` as granted without having queued; it is abandoned if the list is destroyed.
  void keep(Waiter& waiter) noexcept {
    if (waiter.list_ != nullptr) [[unlikely]]
      refuse_second_queue();
    waiter.granted_ = true;
    keep_granted(waiter);
  }
  /// Grants the oldest waiter. False if there is none.
  bool grant_first() noexcept;
  /// Refuses all waiters.
  void refuse_all(const std::exception_ptr& error) noexcept;
  /// The line that created what is waited for.
  [[nodiscard]] Place created() const noexcept { return created_.unpack(); }

 private:
  friend class Waiter;
  [[noreturn, gnu::cold]] static void refuse_second_queue() noexcept;
  [[gnu::cold]] void abandon_all() noexcept;
  void unlink(Waiter& waiter) noexcept {
    waiting_.remove(waiter);
    --size_;
  }
  void keep_granted(Waiter& waiter) noexcept {
    waiter.list_ = this;
    waiter.kept_ = true;
    kept_.push_front(waiter);
  }
  void forget(Waiter& waiter) noexcept {
    kept_.remove(waiter);
    waiter.list_ = nullptr;
    waiter.kept_ = false;
  }

  detail::IntrusiveList<Waiter> waiting_;
  std::size_t size_ = 0;
  detail::SlimList<Waiter> kept_;  // granted, and not run since
  PackedPlace created_;
};

inline void Waiter::leave() noexcept {
  if (list_ != nullptr) list_->remove(*this);
}

inline void Waiter::move_to_granted() noexcept {
  if (list_ != nullptr && !kept_) {
    list_->unlink(*this);
    list_->keep_granted(*this);
  }
}

inline void Waiter::grant() noexcept {
  move_to_granted();
  granted_ = true;
  complete();
}

inline void Waiter::grant_and_leave() noexcept {
  leave();
  granted_ = true;
  complete();
}

}  // namespace weft
