#include "weft/thread_select.hpp"

namespace weft::detail {

bool ThreadChannelCase::is_ready() noexcept {
  try {
    return attempt();
  } catch (...) {  // closed, or the move of the value threw: the outcome of the case
    failure_ = std::current_exception();
    return true;
  }
}

Event& ThreadChannelCase::join(const void* /*selecting*/) {
  return core_->join(waiter_.emplace(), side_, std::exchange(again_, false));
}

void ThreadChannelCase::leave() noexcept {
  if (!waiter_) return;
  core_->leave(*waiter_, side_);
  waiter_.reset();
}

SelectCase::Woken ThreadChannelCase::woken() {
  core_->arrive(*waiter_, side_);
  waiter_.reset();
  again_ = !is_ready();
  return again_ ? Woken::in_vain : Woken::may_try;
}

}  // namespace weft::detail
