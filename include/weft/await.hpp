#pragma once

#include "weft/detail/abi.hpp"

#include <concepts>
#include <type_traits>

#include "weft/coroutine.hpp"
#include "weft/detail/mistake.hpp"
#include "weft/extend/event.hpp"
#include "weft/extend/packed_place.hpp"
#include "weft/place.hpp"
#include "weft/suspend.hpp"
#include "weft/token.hpp"

namespace weft {

/// Suspends until `event` happens; throws its error if it fails. A closed event returns its stored
/// outcome at once; if it stores none, await() writes a warning and returns.
void await(Event& event, Place place = Place::here());
/// The same; throws, when `token` fires first, TimedOut for a timeout, otherwise
/// OperationCancelled; previous() is the token's own error. A completed event wins over a token.
void await(Event& event, Token token, Place place = Place::here());

/// Suspends until `coroutine` has ended; returns its value or throws its error, any number of
/// times. A value that cannot be copied is moved out by the first await. Does not switch if
/// `coroutine` has ended already.
template <class T>
T await(const Coroutine<T>& coroutine, Place place = Place::here()) {
  detail::ResultCoroutine<T>& base = coroutine.typed();
  if (base.is_closed()) return base.take();
  const Ref<CoroutineBase> keep{&base};  // the handle may be destroyed while we wait
  base.await_end(PackedPlace{place});
  return base.take();
}
template <class T>
T await(const Coroutine<T>& coroutine, Token token, Place place = Place::here()) {
  detail::ResultCoroutine<T>& base = coroutine.typed();
  token.mark_used();
  if (base.is_closed()) return base.take();
  const Ref<CoroutineBase> keep{&base};
  await(static_cast<Event&>(base), token, place);
  return base.take();
}
/// The same for a coroutine of unknown type: returns nothing, throws its error.
inline void await(const AnyCoroutine& coroutine, Place place = Place::here()) {
  CoroutineBase& base = coroutine.base();
  if (base.is_closed()) return base.throw_outcome();
  const Ref<CoroutineBase> keep{&base};
  base.await_end(PackedPlace{place});
  base.throw_outcome();
}

namespace detail {

template <class T>
inline constexpr bool is_ref = false;
template <class E>
inline constexpr bool is_ref<Ref<E>> = true;

}  // namespace detail

// For arguments that cannot be awaited: the static_assert says why.

template <class T>
requires(!std::convertible_to<std::remove_cvref_t<T>&, Event&> &&
         !detail::is_ref<std::remove_cvref_t<T>>) auto await(T&& /*awaited*/, Token /*token*/ = {},
                                                             Place /*place*/ = {}) {
  static_assert(detail::always_false<T>,
                "await() waits for an event, a coroutine or a future, and this is "
                "none: spawn() a function first, and delay() for a time");
  return detail::AnyResult{};
}
template <class E>
auto await(const Ref<E>& /*awaited*/, Token /*token*/ = {}, Place /*place*/ = {}) {
  static_assert(detail::always_false<E>,
                "await() waits for the event, not for a Ref to it: write "
                "await(*ref)");
  return detail::AnyResult{};
}
template <std::derived_from<Event> E>
requires(!std::is_lvalue_reference_v<E>) auto await(E&& /*awaited*/, Token /*token*/ = {},
                                                    Place /*place*/ = {}) {
  static_assert(detail::always_false<E>,
                "await() of a temporary event: it would be gone before it is "
                "waited for; give it a name first");
  return detail::AnyResult{};
}

}  // namespace weft
