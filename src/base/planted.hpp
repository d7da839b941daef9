#pragma once

#include <cstdint>

namespace weft {

/// Bugs that a test build can switch on, to show that the tests would find them.
enum class Planted : std::uint8_t {
  none,
  lost_wakeup,             // a wake-up of a parked coroutine is lost now and then
  double_enqueue,          // a woken coroutine is queued although it is queued already
  callback_skipped,        // removal during a notification moves an unvisited callback out of it
  leaked_context,          // a finished coroutine's context does not return to the pool
  cancel_lost_in_protect,  // a cancellation deferred by protect() is forgotten at its end
  late_timer_kept,         // a cancelled wait leaves its timer armed
  // A reservation of a waiter that is cancelled before it runs does not go to the next waiter:
  value_not_handed_on,
  slot_not_handed_on,
  lock_not_handed_on,
  permit_not_handed_on,
  resource_not_handed_on,
};

#ifdef WEFT_ENABLE_PLANTED
inline Planted planted_bug = Planted::none;
#define WEFT_PLANTED(name) (::weft::planted_bug == ::weft::Planted::name)
#else
#define WEFT_PLANTED(name) false
#endif

}  // namespace weft
