#include "weft/wait_list.hpp"

#include <cstdlib>

#include "base/assert.hpp"
#include "scheduler/scheduler.hpp"
#include "weft/await.hpp"
#include "weft/error.hpp"

namespace weft {

void Waiter::refuse(const std::exception_ptr& error) noexcept {
  leave();
  happen(error);
}

/// Somebody has subscribed besides, or waits for other things as well.
void Waiter::happen_for_all(const std::exception_ptr& error) noexcept {
  Waker* const waker = waker_;
  notify_and_close(Outcome{error});
  if (waker != nullptr) waker->happened(error);
}

void Waiter::wait(Token token, Place place) {
  struct Leave {
    Waiter& waiter;
    ~Leave() {
      waiter.waker_ = nullptr;
      waiter.leave();
    }
  } const leave{*this};
  if (token || is_closed()) {
    await(*this, token, place);
  } else {
    Scheduler::wait_only_for(*this, waker_, PackedPlace{place});
  }
  if (abandoned_ && !granted_) [[unlikely]]
    throw_destroyed();
}

/// Wakes without an error object, which would need memory: wait() makes it. One that was granted is
/// awake already.
void Waiter::abandon(PackedPlace created) noexcept {
  leave();
  abandoned_ = true;
  owner_ = nullptr;
  created_ = created;
  if (!granted_) happen(nullptr);
}

void Waiter::throw_destroyed() const {
  const Place created = created_.unpack();
  std::string text = what_;
  if (!created.is_of_standard_library()) text += " created at " + created.text();
  throw ObjectDestroyed{text + " was destroyed while a coroutine waited for it"};
}

std::string Waiter::describe() const { return owner_ != nullptr ? owner_->describe() : info(); }

void WaitList::abandon_all() noexcept {
  while (first_ != nullptr) first_->abandon(created_);
  while (kept_ != nullptr) kept_->abandon(created_);
}

void WaitList::refuse_second_line() noexcept {
  WEFT_ASSERT(false, "a waiter stands in one line at a time");
  std::abort();
}

void WaitList::push_front(Waiter& waiter) noexcept {
  if (waiter.is_listed()) refuse_second_line();
  waiter.list_ = this;
  waiter.previous_ = nullptr;
  waiter.next_ = first_;
  (first_ != nullptr ? first_->previous_ : last_) = &waiter;
  first_ = &waiter;
  ++size_;
}

bool WaitList::grant_first() noexcept {
  if (first_ == nullptr) return false;
  first_->grant();
  return true;
}

void WaitList::refuse_all(const std::exception_ptr& error) noexcept {
  while (first_ != nullptr) first_->refuse(error);
}

}  // namespace weft
