#pragma once

#include "weft/detail/abi.hpp"

#include <concepts>
#include <type_traits>
#include <utility>

#include "weft/extend/packed_place.hpp"
#include "weft/place.hpp"

namespace weft {

class Waker;

namespace detail {

// Underneath suspend(): the place is packed where it is a constant, and one call leads to the
// switch.
void suspend_at(PackedPlace place);
void suspend_at(Waker& waker, PackedPlace place);

/// Defers cancellation of the current coroutine while it lives. Nests. Underneath protect().
class Protection {
 public:
  Protection() noexcept;
  ~Protection() { leave(); }
  Protection(const Protection&) = delete;
  Protection& operator=(const Protection&) = delete;
  /// Ends the section; throws the deferred Cancelled if it was the outermost.
  void finish();

 private:
  void leave() noexcept;
  bool active_;
};

}  // namespace detail

/// Suspends to let other coroutines run: this one goes to the tail of the run queue. Returns at
/// once if no other is ready. Throws Cancelled, and MisuseError outside a coroutine.
inline void suspend(Place place = Place::here()) { detail::suspend_at(PackedPlace{place}); }

/// Suspends until an event prepared in the current coroutine's `waker` happens; returns at once if
/// one already has, or if nothing was prepared. Throws the outcome's error and Cancelled.
inline void suspend(Waker& waker, Place place = Place::here()) {
  detail::suspend_at(waker, PackedPlace{place});
}

/// Throws Cancelled if a cancellation of the current coroutine is pending. Never suspends.
void cancellation_point();

/// Runs `body` and returns its result; a cancellation that arrives meanwhile is deferred to its end
/// and thrown there, and then the result is lost. Sections nest. Outside a coroutine it is a plain
/// call. Graceful shutdown and deadlock resolution are not deferred.
template <std::invocable F>
std::invoke_result_t<F> protect(F&& body) {
  detail::Protection protection;
  if constexpr (std::is_void_v<std::invoke_result_t<F>>) {
    std::forward<F>(body)();
    protection.finish();
  } else {
    std::invoke_result_t<F> result = std::forward<F>(body)();
    protection.finish();
    return static_cast<std::invoke_result_t<F>>(std::forward<std::invoke_result_t<F>>(result));
  }
}

}  // namespace weft
