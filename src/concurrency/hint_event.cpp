#include "weft/extend/hint_event.hpp"

#include <utility>

#include "base/current.hpp"
#include "weft/microtask.hpp"

namespace weft {

bool HintEvent::add_callback(Callback& callback) {
  const bool first = subscribers() == 0;
  if (!Event::add_callback(callback)) return false;
  if (first) was_ready_ = is_available();  // not kept up to date without callbacks
  return true;
}

bool HintEvent::is_ready() const noexcept {
  if (is_closed() || is_available()) return true;
  was_ready_ = false;  // the caller parks now and needs the next change
  return false;
}

void HintEvent::update() noexcept {
  if (is_closed() || !has_listeners()) return;
  const bool is_now = is_available();
  if (is_notifying()) {  // a callback made the change: notify later
    if (!is_now) was_ready_ = false;
    return update_later();
  }
  if (!std::exchange(was_ready_, is_now) && is_now) notify();
}

void HintEvent::update_later() noexcept {
  if (update_is_posted_ || is_closed() || !has_listeners()) return;
  if (current_thread.scheduler == nullptr) return;  // no coroutine can be waiting
  try {
    post_microtask([self = Ref<HintEvent>{this}] {
      self->update_is_posted_ = false;
      self->update();
    });
    update_is_posted_ = true;
  } catch (...) {
    leave_pending(std::current_exception());
  }
}

void HintEvent::end(const std::exception_ptr& error) noexcept {
  if (!has_listeners()) return close_quietly();
  notify_and_close(Outcome{error});
}

}  // namespace weft
