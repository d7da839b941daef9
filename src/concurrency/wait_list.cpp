#include "weft/wait_list.hpp"

#include <cstdlib>

#include "base/assert.hpp"
#include "scheduler/park.hpp"
#include "concurrency/live_token.hpp"
#include "weft/error.hpp"
#include "weft/suspend.hpp"

namespace weft {

void Waiter::refuse(const std::exception_ptr& error) noexcept {
  leave();
  over_ = true;
  if (waker() != nullptr) {
    waker()->complete(error);
  } else {
    tell_others(error);
  }
}

void Waiter::wait(Token token, Place place) {
  struct Leave {
    Waiter& waiter;
    ~Leave() {
      waiter.forget_waker();
      waiter.leave();
    }
  } const leave{*this};
  if (over_) {
    token.mark_used();
  } else if (token) {
    wait_with(token, place);
  } else {
    Scheduler::wait_for(*this, PackedPlace{place});
  }
  if (abandoned_ && !granted_) [[unlikely]]
    throw_destroyed();
}

void Waiter::wait_with(Token token, Place place) {
  Event& ending = live_event_of(token);
  Waker& waker = Scheduler::renewed_waker("await()");
  waker.resume_when(*this);
  waker.resume_when(ending, Wake::cancel);
  suspend(waker, place);
}

/// Wakes without an error object, which would need memory: wait() makes it. One that was granted is
/// awake already.
void Waiter::abandon(PackedPlace created) noexcept {
  leave();
  abandoned_ = true;
  owner_ = nullptr;
  created_ = created;
  if (!granted_) happen();
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
