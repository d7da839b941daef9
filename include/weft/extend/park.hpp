#pragma once

#include "weft/detail/abi.hpp"

#include <cstdint>
#include <exception>
#include <string>

#include "weft/extend/coroutine_base.hpp"
#include "weft/place.hpp"

// Waiting without exceptions, for hosts whose frames none may pass through.
namespace weft {

class Event;
class Waker;

/// How a wait by park() ended.
enum class Woken : std::uint8_t {
  event,      ///< an event, token or deadline; `waker.triggered()` says which
  cancelled,  ///< the calling coroutine is cancelled: see take_cancellation()
  failed,     ///< an event could not be started, or resume() came with an error: it is in `error`
  refused,    ///< no coroutine may suspend here: see can_suspend()
};

/// Why a coroutine is cancelled: a text, an error, or neither of them.
struct Cancellation {
  /// What requested it.
  CancelReason reason = CancelReason::none;
  std::string text = {};  ///< given to cancel() or shutdown()

  /// The same; for a Section, what is to be thrown to the frame that created it.
  std::exception_ptr error = {};
};

/// Whether the caller may suspend: not in callbacks, microtasks and switch handlers, not outside a
/// runtime, not in the child of a plain fork().
[[nodiscard]] bool can_suspend() noexcept;

/// Suspends until an event prepared in the current coroutine's `waker` happens, as suspend(waker)
/// does, but throws nothing: it returns how the wait ended, and `error` is the error of the event,
/// or null. Woken::cancelled means that the caller is cancelled, not what it waits for; until
/// take_cancellation() every further wait returns it at once.
[[nodiscard]] Woken park(Waker& waker, std::exception_ptr& error,
                         Place place = Place::here()) noexcept;
/// Suspends until `event` happens: the same with a single event.
[[nodiscard]] Woken park(Event& event, std::exception_ptr& error,
                         Place place = Place::here()) noexcept;
/// Suspends to let the other coroutines run, as suspend() does, and throws nothing. Woken::event:
/// they have run.
[[nodiscard]] Woken park(std::exception_ptr& error, Place place = Place::here()) noexcept;

/// Takes the pending cancellation of the current coroutine, which then counts as thrown: further
/// waits are ordinary ones again, and the coroutine still ends as a cancelled one. The reason is
/// `none` if nothing is pending or it is protected. If a Section and the whole coroutine are both
/// cancelled, the next wait is cancelled again. What is taken for a Section must be thrown to the
/// C++ frame that created it, which otherwise ends as if nothing had happened.
[[nodiscard]] Cancellation take_cancellation() noexcept;

}  // namespace weft
