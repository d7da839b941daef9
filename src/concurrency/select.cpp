#include <utility>

#include "scheduler/scheduler.hpp"
#include "weft/await.hpp"
#include "weft/detail/select_case.hpp"
#include "weft/error.hpp"
#include "weft/suspend.hpp"
#include "weft/timeout.hpp"

namespace weft::detail {

Event& ChannelCase::join_receivers(const void* selecting) {
  QueuedWaiter& waiter = waiter_.emplace("select: Channel::recv()", channel_, nullptr, selecting);
  channel_.join_receivers(waiter);
  return waiter.event();
}

Event& ChannelCase::join_senders(void* offer, const void* selecting) {
  QueuedWaiter& waiter = waiter_.emplace("select: Channel::send()", channel_, offer, selecting);
  channel_.join_senders(waiter, std::exchange(again_, false));
  return waiter.event();
}

void ChannelCase::leave() noexcept {
  if (!waiter_) return;
  if (!waiter_->is_dismissed()) channel_.leave(*waiter_);
  waiter_.reset();
}

SelectCase::Woken ChannelCase::woken() {
  if (waiter_->refused() != CloseReason::none) throw ChannelClosed{waiter_->refused()};
  if (waiter_->is_taken()) return Woken::done;
  channel_.end_promise(*waiter_);  // so the reservation is free, and this coroutine runs first
  waiter_.reset();
  again_ = !is_ready();
  return again_ ? Woken::in_vain : Woken::may_try;
}

Event& AnyEventCase::join(const void* /*selecting*/) {
  event_.set(Event::result_used_flag);
  return event_;
}

bool AnyEventCase::expects_error() const noexcept {
  return dynamic_cast<const Timeout*>(&event_) != nullptr;
}

void AnyEventCase::throw_error() {
  try {
    await(event_);
  } catch (const TimedOut&) {
    if (!expects_error()) throw;
  }
}

namespace {

/// Registers the cases of one wait. Its destructor takes all of them off their lists.
class Registration {
 public:
  Registration(SelectCase* const* cases, std::size_t count) noexcept
      : cases_{cases}, count_{count} {}
  ~Registration() { leave_all_but(count_); }
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;

  void join(Waker& waker) {
    for (std::size_t i = 0; i < count_; ++i) waker.resume_when(cases_[i]->join(this));
  }
  void leave_all_but(std::size_t winner) noexcept {
    for (std::size_t i = 0; i < count_; ++i) {
      if (i != winner) cases_[i]->leave();
    }
  }

 private:
  SelectCase* const* cases_;
  std::size_t count_;
};

}  // namespace

Selected wait_for_one(SelectCase* const* cases, std::size_t count) {
  for (bool again = false;; again = true) {
    for (std::size_t i = 0; again && i < count; ++i) {
      if (cases[i]->is_ready()) return {i, false};
    }
    Waker& waker = Scheduler::renewed_waker("select()");
    Registration registration{cases, count};
    registration.join(waker);
    try {
      suspend(waker, cases[0]->place());
    } catch (const TimedOut&) {
      const int triggered = waker.triggered();
      if (triggered < 0 || !cases[triggered]->expects_error()) throw;
    }
    if (waker.triggered() < 0) continue;  // resumed without a case
    const auto winner = static_cast<std::size_t>(waker.triggered());
    // The winner leaves last: its reservation must not be handed on when the others leave.
    registration.leave_all_but(winner);
    switch (cases[winner]->woken()) {
      case SelectCase::Woken::done:
        return {winner, true};
      case SelectCase::Woken::may_try:
        return {winner, false};
      case SelectCase::Woken::in_vain:
        break;
    }
  }
}

}  // namespace weft::detail
