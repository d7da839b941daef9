#pragma once

#include "scheduler/park.hpp"
#include "weft/extend/wait_list.hpp"

namespace weft {

/// wait(), with the switch inlined into the caller: for the operations that wait most.
[[gnu::always_inline]] inline void Waiter::wait_here(const char* operation, Token token,
                                                     PackedPlace place) {
  struct Leave {
    Waiter& waiter;
    WaitList* const line = waiter.list_;
    ~Leave() {
      waiter.forget_waker();
      if (waiter.list_ != nullptr && waiter.list_ == line) waiter.leave();
    }
  } const leave{*this};
  if (over_ || token) [[unlikely]] {
    wait_with(operation, token, place);
  } else {
    Scheduler::wait_for(*this, operation, place);
  }
  if (abandoned_ && !granted_) [[unlikely]]
    throw_destroyed();
}

/// grant(), with the wake-up inlined into the caller.
[[gnu::always_inline]] inline void Waiter::grant_here() noexcept {
  if (waker() == nullptr) [[unlikely]]
    return grant();
  move_to_granted();
  granted_ = true;
  over_ = true;
  waker()->complete_here();
}

}  // namespace weft
