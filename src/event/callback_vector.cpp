#include "weft/detail/callback_vector.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/assert.hpp"
#include "base/current.hpp"
#include "base/pending_errors.hpp"
#include "base/planted.hpp"
#include "base/probe.hpp"
#include "base/warning.hpp"
#include "event/callback_phase.hpp"

namespace weft {

void Callback::destroyed_in_use() noexcept {
  WEFT_ASSERT(false, "a callback was destroyed while an event still held it");
  std::abort();
}

namespace detail {

void CallbackVector::free_all() noexcept {
  if (size_ > 0) clear();
  if (capacity_ == 1) return;
  if (Callback* handler = std::exchange(many_[handler_cell], nullptr)) handler->release();
  free_many();
}

Callback** CallbackVector::allocate(std::uint32_t capacity) {
  auto** cells = new Callback*[std::size_t{capacity} + 1];
  cells[0] = nullptr;
  return cells + 1;
}

void CallbackVector::free_many() noexcept { delete[](many_ + handler_cell); }

Callback* CallbackVector::first() noexcept {
  for (std::uint32_t i = 0; i < size_; ++i) {
    if (data()[i] != nullptr) return data()[i];  // null: removed during the present notification
  }
  return nullptr;
}

void CallbackVector::set_handler(Callback* handler) {
  if (capacity_ == 1) {
    if (handler == nullptr) return;
    grow();
  }
  if (handler != nullptr) handler->retain();
  if (Callback* old = std::exchange(many_[handler_cell], handler)) old->release();
}

void CallbackVector::place(Callback* callback, std::uint32_t position) noexcept {
  data()[position] = callback;
  callback->position_ = position;
}

void CallbackVector::grow() {
  const std::uint32_t capacity = capacity_ == 1 ? 4 : capacity_ * 2;
  auto** bigger = allocate(capacity);
  std::copy_n(data(), size_, bigger);
  bigger[handler_cell] = handler();
  if (capacity_ > 1) free_many();
  many_ = bigger;
  capacity_ = capacity;
}

bool CallbackVector::push(Callback& callback) {
  if (callback.is_subscribed()) return false;
  if (size_ == capacity_) grow();
  callback.retain();
  place(&callback, size_++);
  return true;
}

bool CallbackVector::remove(Callback& callback) noexcept {
  const std::uint32_t position = callback.position_;
  if (position >= size_ || data()[position] != &callback) return false;
  callback.position_ = Callback::nowhere;
  if (round_ != nullptr && !WEFT_PLANTED(callback_skipped)) {
    if (position >= round_->next) WEFT_PROBE("callback removed before its turn");
    data()[position] = nullptr;
    ++round_->holes;
  } else {
    const std::uint32_t last = --size_;
    if (position != last) place(data()[last], position);
  }
  callback.dispose();
  if (round_ != nullptr && round_->called == &callback && !callback.is_counted()) {
    round_->called = nullptr;  // its object may be freed before the call returns
    callback.release();
  }
  callback.release();
  return true;
}

bool CallbackVector::notify(Event& event, const Outcome& outcome) noexcept {
  if (round_ != nullptr) {
    warn("an event was notified from inside its own notification; this has no effect");
    return false;
  }
  if (size_ == 0) return true;
  const CallbackPhase phase;
  const PendingErrors* pending = current_thread.pending;
  const std::size_t failures = pending != nullptr ? pending->count() : 0;
  Round round;
  round_ = &round;
  while (round.next < size_) {
    Callback* callback = data()[round.next++];
    if (callback == nullptr) continue;
    callback->retain();
    round.called = callback;
    callback->on_notify(event, outcome);
    if (round.called != nullptr) callback->release();
    // Its own error ends the notification; one that was pending before is of another event.
    if (pending != nullptr && pending->count() != failures) [[unlikely]]
      break;
  }
  if (round.holes == size_) {
    size_ = 0;
  } else if (round.holes > 0) {
    close_holes();
  }
  round_ = nullptr;
  return true;
}

void CallbackVector::close_holes() noexcept {
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < size_; ++i) {
    Callback* callback = data()[i];
    if (callback != nullptr) place(callback, kept++);
  }
  size_ = kept;
}

bool CallbackVector::clear() noexcept {
  if (round_ != nullptr) {
    warn("the callbacks of an event cannot be cleared while it notifies them");
    return false;
  }
  while (size_ > 0) {
    Callback& callback = *data()[--size_];
    callback.position_ = Callback::nowhere;
    callback.dispose();
    callback.release();
  }
  return true;
}

}  // namespace detail

void leave_pending(std::exception_ptr error) noexcept {
  PendingErrors* pending = current_thread.pending;
  if (pending == nullptr) {
    warn("an error was left pending outside a runtime and is lost");
  } else if (pending->add(std::move(error))) {
    *current_thread.countdown = 1;  // the next pass handles the error
  } else {
    warn("an error was left pending while another was, and is lost: no memory");
  }
}

}  // namespace weft
