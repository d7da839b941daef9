#include "weft/wait_list.hpp"

#include <cstdlib>

#include "base/assert.hpp"
#include "scheduler/scheduler.hpp"
#include "weft/await.hpp"

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
  if (token || is_closed()) return await(*this, token, place);
  Scheduler::wait_only_for(*this, waker_, PackedPlace{place});
}

std::string Waiter::describe() const { return owner_ != nullptr ? owner_->describe() : info(); }

WaitList::~WaitList() {
  WEFT_ASSERT(is_empty(), "something was destroyed while coroutines waited for it");
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
