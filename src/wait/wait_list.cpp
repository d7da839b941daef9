#include "weft/extend/wait_list.hpp"

#include <cstdlib>

#include "base/assert.hpp"
#include "wait/live_token.hpp"
#include "wait/wait_here.hpp"
#include "weft/error.hpp"
#include "weft/suspend.hpp"

namespace weft {

void Waiter::leave_at_end() noexcept { leave(); }

void Waiter::refuse(const std::exception_ptr& error) noexcept {
  leave();
  over_ = true;
  if (waker() != nullptr) {
    waker()->complete(error);
  } else {
    notify_others(error);
  }
}

void Waiter::wait(const char* operation, Token token, Place place) {
  wait_here(operation, token, PackedPlace{place});
}

/// Waits with a token, or returns at once if the wait is over already.
void Waiter::wait_with(const char* operation, Token token, PackedPlace place) {
  if (over_) return token.mark_used();
  Event& ending = live_event_of(token);
  Waker& waker = Scheduler::renewed_waker(operation);
  waker.resume_when(*this);
  waker.resume_when(ending, Wake::cancel);
  detail::suspend_at(waker, place);
}

/// Wakes without an error object, which would allocate: wait() makes it. A granted waiter is awake
/// already.
void Waiter::abandon(PackedPlace created) noexcept {
  leave();
  abandoned_ = true;
  created_ = created;
  if (!granted_) complete();
}

void Waiter::throw_destroyed() const {
  const Place created = created_.unpack();
  std::string text = what_;
  if (!created.is_of_standard_library()) text += " created at " + created.text();
  throw ObjectDestroyed{text + " was destroyed while a coroutine waited for it"};
}

std::string Waiter::describe() const {
  return !abandoned_ && owner_ != nullptr ? owner_->describe() : info();
}

std::string Waiter::brief() const {
  return !abandoned_ && owner_ != nullptr ? owner_->brief() : info();
}

void WaitList::abandon_all() noexcept {
  while (!waiting_.empty()) waiting_.first()->abandon(created_);
  while (!kept_.empty()) kept_.first()->abandon(created_);
}

void WaitList::refuse_second_queue() noexcept {
  WEFT_ASSERT(false, "a waiter is in one queue at a time");
  std::abort();
}

void WaitList::push_front(Waiter& waiter) noexcept {
  if (waiter.is_listed()) refuse_second_queue();
  waiter.list_ = this;
  waiting_.push_front(waiter);
  ++size_;
}

bool WaitList::grant_first() noexcept {
  if (waiting_.empty()) return false;
  waiting_.first()->grant();
  return true;
}

void WaitList::refuse_all(const std::exception_ptr& error) noexcept {
  while (!waiting_.empty()) waiting_.first()->refuse(error);
}

}  // namespace weft
