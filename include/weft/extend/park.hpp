#pragma once

#include <cstdint>
#include <exception>
#include <string>

#include "weft/extend/coroutine_base.hpp"
#include "weft/place.hpp"

// Waiting without exceptions: for hosts through whose frames none may pass.
namespace weft {

class Event;
class Waker;

/// How a wait by park() ended.
enum class Woken : std::uint8_t {
  event,      ///< one of them; `waker.triggered()` says which, tokens and deadlines included
  cancelled,  ///< the calling coroutine is to end: see take_cancellation()
  failed,     ///< an event could not be started, or resume() came with an error: it is in `error`
  refused,    ///< no coroutine may suspend here: see can_suspend()
};

/// Why a coroutine is to end: with a text, an error, or neither of them.
struct Cancellation {
  CancelReason reason = CancelReason::none;
  std::string text = {};  ///< given to cancel() or shutdown()
  /// The same; for a part of a coroutine, what is to be thrown to the frame that made the part.
  std::exception_ptr error = {};
};

/// Whether a coroutine runs here that may suspend: not in callbacks, microtasks and switch
/// handlers, not outside a runtime, not in the child of a plain fork().
[[nodiscard]] bool can_suspend() noexcept;

/// Suspends until an event prepared in the current coroutine's `waker` happens, as suspend(waker)
/// does, but throws nothing: it says how the wait ended, and `error` is what the awaited ended
/// with, or null. A cancellation is that of the caller, never that of the awaited; until it is
/// taken with take_cancellation(), every further wait ends at once as cancelled.
[[nodiscard]] Woken park(Waker& waker, std::exception_ptr& error,
                         Place place = Place::here()) noexcept;
/// Suspends until `event` happens: the same with a wait for it alone.
[[nodiscard]] Woken park(Event& event, std::exception_ptr& error,
                         Place place = Place::here()) noexcept;
/// Suspends to let the other coroutines run, as suspend() does, and throws nothing. Woken::event:
/// they have run.
[[nodiscard]] Woken park(std::exception_ptr& error, Place place = Place::here()) noexcept;

/// The pending cancellation of the current coroutine, which counts as thrown from now on: further
/// waits are ordinary ones again, and the coroutine still ends as a cancelled one. Its reason is
/// `none` if nothing is pending or it is protected. A part of the coroutine and the whole may both
/// have to end: then the next wait is cancelled again. What is taken for a part must be thrown to
/// the C++ frame that made the part, which else ends as if nothing had happened.
[[nodiscard]] Cancellation take_cancellation() noexcept;

}  // namespace weft
