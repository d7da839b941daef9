#include "weft/extend/ready_face.hpp"

#include <utility>

#include "base/current.hpp"
#include "weft/microtask.hpp"

namespace weft {

bool ReadyFace::add_callback(Callback& callback) {
  const bool first = subscribers() == 0;
  if (!Event::add_callback(callback)) return false;
  if (first) was_ready_ = can_be_had();  // not kept up to date without callbacks
  return true;
}

bool ReadyFace::is_ready() const noexcept {
  if (is_closed() || can_be_had()) return true;
  was_ready_ = false;  // the caller parks now and needs the next change
  return false;
}

void ReadyFace::look() noexcept {
  if (is_closed() || !is_heard()) return;
  const bool is_now = can_be_had();
  if (callbacks().is_notifying()) {  // a callback made the change: notify later
    if (!is_now) was_ready_ = false;
    return look_later();
  }
  if (!std::exchange(was_ready_, is_now) && is_now) notify();
}

void ReadyFace::look_later() noexcept {
  if (looks_later_ || is_closed() || !is_heard()) return;
  if (current_thread.scheduler == nullptr) return;  // no coroutine can be waiting
  try {
    post_microtask([self = Ref<ReadyFace>{this}] {
      self->looks_later_ = false;
      self->look();
    });
    looks_later_ = true;
  } catch (...) {
    leave_pending(std::current_exception());
  }
}

void ReadyFace::end(const std::exception_ptr& error) noexcept {
  if (!is_heard()) return close_quietly();
  notify_and_close(Outcome{error});
}

}  // namespace weft
