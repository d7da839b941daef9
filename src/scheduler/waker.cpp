#include "weft/extend/waker.hpp"

#include <cstdlib>
#include <new>

#include "base/assert.hpp"
#include "base/planted.hpp"
#include "base/probe.hpp"
#include "scheduler/cold_state.hpp"
#include "scheduler/error_chain.hpp"
#include "scheduler/park.hpp"
#include "weft/error.hpp"

namespace weft {

Subscription& Waker::at(std::size_t index) noexcept {
  if (!holds(spilled)) [[likely]]
    return inline_[index];
  const WaitSpill& spill = *coroutine().cold_state_->spill;
  if (index < spill.own.size() && spill.own[index]) return *spill.own[index];
  return index < 2 ? inline_[index] : *spill.more[index - 2];
}

const Subscription& Waker::at(std::size_t index) const noexcept {
  return const_cast<Waker*>(this)->at(index);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

WaitSpill& Waker::spill() {
  std::unique_ptr<WaitSpill>& spill = coroutine().cold_state().spill;
  if (spill == nullptr) spill = std::make_unique<WaitSpill>();
  holds_ |= spilled;
  return *spill;
}

void Waker::refuse_to_renew() noexcept {
  WEFT_ASSERT(false, "a waker can only be prepared by its running coroutine");
  std::abort();
}

void Waker::resume_when(Event& event, Wake kind) { subscribe(resolve(event), kind, nullptr); }

void Waker::resume_when(Ref<Event> event, Wake kind) {
  Event& target = *event;  // subscribe() takes a reference of its own
  subscribe(resolve(target), kind, nullptr);
}

void Waker::resume_when(Event& event, Ref<Subscription> callback, Wake kind) {
  subscribe(resolve(event), kind, std::move(callback));
}

void Waker::complete(std::int16_t which, Wake kind, const void* value) noexcept {
  DirectWait* const direct = holds(direct_wait) ? direct_ : nullptr;
  end(which, kind, value);
  // Once the wait is decided: what it undoes may try to complete it.
  if (direct != nullptr) direct->on_wait_ended();
}

void Waker::keep_error(const std::exception_ptr& error) noexcept {
  if (!error) return;
  error_ = error;
  special_ = true;
}

void Waker::abandon() noexcept {
  if (holds(direct_wait)) {
    direct_->on_wait_ended();
    clear(direct_wait);
    value_ = nullptr;
  }
  if (holds(subscribed)) detach_events();
}

void Waker::interrupt() noexcept { complete(-1, Wake::resolve, nullptr); }

void Waker::complete(const void* value) noexcept {
  if (is_waiting()) end(static_cast<std::int16_t>(count_), Wake::resolve, value);
}

void Waker::complete(const std::exception_ptr& error, const void* value) noexcept {
  if (!is_waiting()) return;
  keep_error(error);
  end(static_cast<std::int16_t>(count_), Wake::resolve, value);
}

void Waker::on_clean(Function<void()> hook) { spill().on_clean = std::move(hook); }

void Waker::subscribe(Event& event, Wake kind, Ref<Subscription> own) {
  try {
    const bool completed = event.is_closed();
    if (Outcome kept; completed && !event.has(Event::hint_flag) && !event.replay(kept)) {
      throw MisuseError{"The event cannot be used after it has been terminated"};
    }
    const std::size_t index = count_;
    if (index == max_events) throw ValueError{"A wait can have at most 32,767 events"};
    Subscription& subscription = own ? keep(index, std::move(own)) : plain(index);
    unsigned tag = static_cast<unsigned>(kind) | Subscription::first_bit;
    for (std::size_t i = 0; i < index; ++i) {
      if (at(i).event_ == &event) tag &= ~Subscription::first_bit;
    }
    subscription.coroutine_ = &coroutine();
    subscription.event_ = &event;
    if (!completed && !event.add_callback(subscription)) {  // else it is replayed when suspending
      throw MisuseError{"The event refuses this callback: it is subscribed already"};
    }
    // A reference cannot keep an event on a stack alive, so none is taken of such events.
    const bool refer =
        (tag & Subscription::first_bit) != 0 &&
        (!event.has(Event::no_free_memory_flag) || event.has(Event::host_object_flag));
    if (refer) {
      event.retain();
      tag |= Subscription::referenced_bit;
      holds_ |= referenced;
    }
    subscription.set_tag(tag);
    ++count_;
    holds_ |= subscribed;
  } catch (...) {
    forget();
    throw;
  }
}

Subscription& Waker::keep(std::size_t index, Ref<Subscription> own) {
  WaitSpill& more = spill();
  if (more.own.size() <= index) more.own.resize(index + 1);
  more.own[index] = std::move(own);
  return *more.own[index];
}

/// From the third on they are on the heap, made once and reused.
Subscription& Waker::plain(std::size_t index) {
  if (index < 2) return inline_[index];
  WaitSpill& more = spill();
  while (more.more.size() <= index - 2) more.more.push_back(make_ref<Inline>());
  return *more.more[index - 2];
}

void Waker::listen_to(CoroutineBase& coroutine) {
  coroutine.add_callback(inline_[0]);
  clear(direct_wait);
  holds_ |= subscribed;
  inline_[0].event_ = &coroutine;
  inline_[0].set_tag(static_cast<unsigned>(Wake::resolve) | Subscription::first_bit);
  value_ = nullptr;
  count_ = 1;
}

void Waker::start_events() {
  Subscription* starting = nullptr;
  try {
    for (std::size_t i = 0; i < count_ && status_ == Status::waiting; ++i) {
      Subscription& subscription = at(i);
      Event& event = *subscription.event_;
      if (event.is_closed()) {  // closed between subscription and suspension
        if (!event.replay(subscription)) subscription.wake({});  // it will never notify
        continue;
      }
      if (event.has(Event::passive_flag)) continue;
      if (event.has(Event::hint_flag) && event.is_ready()) {
        subscription.wake({});
        continue;
      }
      if ((subscription.tag() & Subscription::first_bit) == 0) continue;
      starting = &subscription;
      subscription.set_tag(subscription.tag() | Subscription::started_bit);
      event.start();
      starting = nullptr;
    }
  } catch (...) {
    if (starting != nullptr) {  // it did not start, so it is not stopped
      starting->set_tag(starting->tag() & ~Subscription::started_bit);
    }
    status_ = Status::none;
    forget();
    throw;
  }
}

void Waker::detach_events() noexcept {
  clear(subscribed);
  for (std::size_t i = 0; i < count_; ++i) {
    Subscription& subscription = at(i);
    const unsigned tag = subscription.tag();
    Event& event = *subscription.event_;
    if ((tag & Subscription::started_bit) != 0 && !WEFT_PLANTED(late_timer_kept)) {
      subscription.set_tag(tag & ~Subscription::started_bit);
      event.stop();
    }
    event.remove_callback(subscription);
  }
}

void Waker::release_events() noexcept {
  clear(referenced);
  for (std::size_t i = 0; i < count_; ++i) {
    Subscription& subscription = at(i);
    const unsigned tag = subscription.tag();
    if ((tag & Subscription::referenced_bit) == 0) continue;
    subscription.set_tag(tag & ~Subscription::referenced_bit);
    Event& event = *subscription.event_;
    if (event.has(Event::host_object_flag)) [[unlikely]] {
      // The waker still holds the outcome: the host's release must not begin another wait.
      const SchedulerPhase phase{*current_thread.scheduler};
      event.release();
    } else {
      event.release();
    }
  }
}

void Waker::forget_events() noexcept {
  if (holds(subscribed)) detach_events();
  if (holds(referenced)) release_events();
  const bool has_spilled = holds(spilled);
  holds_ = 0;
  value_ = nullptr;
  count_ = 0;
  if (has_spilled) {
    WaitSpill& spill = *coroutine().cold_state_->spill;
    spill.own.clear();
    if (Function<void()> hook = std::move(spill.on_clean)) {
      try {
        hook();
      } catch (...) {
        leave_pending(std::current_exception());
      }
    }
  }
}

void Waker::merge_error(std::exception_ptr error) noexcept {
  CoroutineBase& me = coroutine();
  // The cancellation of a section stays pending: the frame of the section waits for it.
  const bool cancelled =
      me.deferred_ != CancelReason::none && me.deferred_ != CancelReason::section;
  special_ = true;
  if (error_ == nullptr && !cancelled) {
    error_ = std::move(error);
    return;
  }
  if (is_cancellation(error)) return;  // a second cancellation is dropped
  Scheduler& scheduler = *current_thread.scheduler;
  std::exception_ptr first = std::exchange(error_, nullptr);
  if (cancelled) {
    first = scheduler.cancellation_of(me, std::move(first));
  }
  link_errors(error, std::move(first));
  error_ = std::move(error);
}

template <class NameWait, class NameEvent>
std::vector<std::string> Waker::name_awaited(NameWait name_wait, NameEvent name_event) const {
  std::vector<std::string> texts;
  const auto add = [&texts](const auto& awaited, const auto& name) {
    try {
      texts.push_back(name(awaited));
    } catch (const std::bad_alloc&) {
      throw;
    } catch (...) {  // a failed description does not suppress the others
      texts.push_back("an event whose info() failed: " + weft::describe(std::current_exception()));
    }
  };
  if (holds(direct_wait)) add(*direct_, name_wait);
  for (std::size_t i = 0; holds(subscribed) && i < count_; ++i) add(*at(i).event_, name_event);
  return texts;
}

std::vector<std::string> Waker::awaiting() const {
  return name_awaited([](const DirectWait& wait) { return wait.describe(); },
                      [](const Event& event) { return event.describe(); });
}

std::vector<std::string> Waker::awaiting_info() const {
  return name_awaited([](const DirectWait& wait) { return wait.brief(); },
                      [](const Event& event) { return event.info(); });
}

void Subscription::on_notify(Event& /*event*/, const Outcome& outcome) noexcept { wake(outcome); }

void Subscription::wake(const Outcome& outcome) noexcept {
  Waker& waker = coroutine_->waker_;
  if (!waker.is_waiting()) return;  // the first outcome counts
  std::int16_t which = -1;
  for (std::size_t i = 0; i < waker.count_; ++i) {
    if (&waker.at(i) == this) which = static_cast<std::int16_t>(i);
  }
  if (outcome.error() != nullptr) {
    event_->claim_error();
    waker.keep_error(outcome.error());
  }
  waker.complete(which, static_cast<Wake>(tag() & kind_mask), outcome.raw_value());
}

}  // namespace weft
