#include "weft/extend/event.hpp"

#include <cstdlib>

#include "base/assert.hpp"
#include "event/callback_phase.hpp"
#include "weft/error.hpp"

namespace weft {

void Event::destroyed_in_use() noexcept {
  WEFT_ASSERT(references_ <= 1, "an event was destroyed while there was a reference to it");
  fail_waiters();
}

void Event::fail_callbacks() noexcept {
  WEFT_ASSERT(!callbacks_.is_notifying(), "an event was destroyed by its own notification");
  std::exception_ptr error;
  try {
    error = std::make_exception_ptr(
        ObjectDestroyed{info() + " was destroyed while a coroutine waited for it"});
  } catch (...) {
    error = std::current_exception();
  }
  set(closed_flag);
  notify_callbacks(Outcome{error});
  callbacks_.clear();
}

void Event::set_notify_handler(Ref<NotifyHandler> handler) {
  callbacks_.set_handler(handler.get());
}

void Event::call_handler(const Outcome& outcome) noexcept {
  const Ref<Callback> handler{callbacks_.handler()};  // its own call may replace it
  const CallbackPhase phase;
  handler->on_notify(*this, outcome);
}

bool Event::add_callback(Callback& callback) {
  if (is_closed()) return false;
  return callbacks_.push(callback);
}

bool Event::remove_callback(Callback& callback) noexcept { return callbacks_.remove(callback); }

bool Event::start() { return true; }

bool Event::stop() noexcept { return true; }

bool Event::replay(Outcome& /*outcome*/) const { return false; }

bool Event::replay(Callback& callback) {
  Outcome outcome;
  if (!replay(outcome)) return false;
  const CallbackPhase phase;
  set(exception_handled_flag, false);
  callback.on_notify(*this, outcome);
  if (has(exception_handled_flag)) set(error_caught_flag);
  return true;
}

std::string Event::info() const { return "Event"; }

std::string Event::describe() const { return info(); }

void Event::notify(const Outcome& outcome) noexcept {
  if (is_closed()) return;
  deliver_outcome(outcome);
}

void Event::notify_and_close(const Outcome& outcome) noexcept {
  if (is_closed()) return;
  while (loop_references_ > 0) stop();
  set(closed_flag);
  deliver_outcome(outcome);
}

void Event::deliver_outcome(const Outcome& outcome) noexcept {
  retain();  // a callback may release the last reference of a user
  set(exception_handled_flag, false);
  if (outcome.error() == nullptr) {
    call_notify_handler(outcome);
  } else {
    // A callback may free the owner of the error, too.
    const Outcome own = outcome;  // NOLINT(performance-unnecessary-copy-initialization)
    call_notify_handler(own);
  }
  release();
}

void Event::dispose() noexcept {
  if (!has(no_free_memory_flag)) delete this;
}

void Event::release_last() noexcept {
  references_ = 0;
  if (has(disposing_flag)) return;  // already disposing: a callback took and dropped a reference
  set(disposing_flag);
  if (!callbacks_.empty()) callbacks_.clear();
  dispose();
}

std::string EventRef::info() const { return target_ ? target_->info() : "EventRef"; }

std::string EventRef::describe() const { return target_ ? target_->describe() : "EventRef"; }

Event& follow(Event& event) {
  Event* target = &event;
  while (target->has(Event::reference_flag)) {
    Event* next = static_cast<EventRef*>(target)->target();
    if (next == nullptr) throw MisuseError{"This object no longer refers to an event"};
    target = next;
  }
  return *target;
}

void* object_of(Event& event) noexcept {
  Event* target = &event;
  while (target != nullptr && target->has(Event::reference_flag)) {
    target = static_cast<EventRef*>(target)->target();
  }
  return target != nullptr ? target->host_object() : nullptr;
}

}  // namespace weft
