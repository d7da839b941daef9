#include "weft/wait_list.hpp"

#include "base/assert.hpp"
#include "weft/await.hpp"

namespace weft {

Waiter::~Waiter() { leave(); }

void Waiter::leave() noexcept {
  if (list_ != nullptr) list_->remove(*this);
}

void Waiter::grant() noexcept {
  leave();
  granted_ = true;
  notify_and_close();
}

void Waiter::refuse(const std::exception_ptr& error) noexcept {
  leave();
  notify_and_close(Outcome{error});
}

void Waiter::wait(Token token, Place place) {
  struct Leave {
    Waiter& waiter;
    ~Leave() { waiter.leave(); }
  } const leave{*this};
  await(*this, token, place);
}

WaitList::~WaitList() {
  WEFT_ASSERT(is_empty(), "something was destroyed while coroutines waited for it");
}

void WaitList::push_back(Waiter& waiter) noexcept {
  WEFT_ASSERT(!waiter.is_listed(), "a waiter stands in one line at a time");
  waiter.list_ = this;
  waiter.previous_ = last_;
  waiter.next_ = nullptr;
  (last_ != nullptr ? last_->next_ : first_) = &waiter;
  last_ = &waiter;
  ++size_;
}

void WaitList::push_front(Waiter& waiter) noexcept {
  WEFT_ASSERT(!waiter.is_listed(), "a waiter stands in one line at a time");
  waiter.list_ = this;
  waiter.previous_ = nullptr;
  waiter.next_ = first_;
  (first_ != nullptr ? first_->previous_ : last_) = &waiter;
  first_ = &waiter;
  ++size_;
}

void WaitList::remove(Waiter& waiter) noexcept {
  WEFT_ASSERT(waiter.list_ == this, "a waiter leaves the line it stands in");
  (waiter.previous_ != nullptr ? waiter.previous_->next_ : first_) = waiter.next_;
  (waiter.next_ != nullptr ? waiter.next_->previous_ : last_) = waiter.previous_;
  waiter.list_ = nullptr;
  waiter.previous_ = waiter.next_ = nullptr;
  --size_;
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
