#pragma once

#include "scheduler/park.hpp"
#include "weft/extend/wait_list.hpp"

namespace weft {

/// wait(), with the switch written into the calling function: for the operations that wait most.
[[gnu::always_inline]] inline void Waiter::wait_here(Token token, PackedPlace place) {
  struct Leave {
    Waiter& waiter;
    WaitList* const line = waiter.list_;
    ~Leave() {
      waiter.forget_waker();
      if (waiter.list_ != nullptr && waiter.list_ == line) waiter.leave();
    }
  } const leave{*this};
  if (over_ || token) [[unlikely]] {
    wait_with(token, place);
  } else {
    Scheduler::wait_for(*this, place);
  }
  if (abandoned_ && !granted_) [[unlikely]]
    throw_destroyed();
}

}  // namespace weft
