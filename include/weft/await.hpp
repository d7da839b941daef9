#pragma once

#include "weft/coroutine.hpp"
#include "weft/extend/event.hpp"
#include "weft/place.hpp"
#include "weft/suspend.hpp"
#include "weft/token.hpp"

namespace weft {

/// Suspends until `event` happens, and throws its error if that is how it happens. A closed event
/// answers at once with its stored outcome; one that keeps none gives a warning and returns.
void await(Event& event, Place place = Place::here());
/// The same; when `token` comes first, throws TimedOut for a timeout and OperationCancelled for
/// another event; previous() is the token's own error. A completed event wins over a token.
void await(Event& event, Token token, Place place = Place::here());

/// Suspends until `coroutine` has ended; returns its value or throws its error, any number of
/// times. A value that cannot be copied is moved out by the first await. Never switches if it has
/// ended already.
template <class T>
T await(const Coroutine<T>& coroutine, Place place = Place::here()) {
  detail::ResultCoroutine<T>& base = coroutine.typed();
  if (base.is_closed()) return base.take();
  const Ref<CoroutineBase> keep{&base};  // the handle may go while we wait
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
/// The same for a coroutine of unknown type: only its end and its error.
inline void await(const AnyCoroutine& coroutine, Place place = Place::here()) {
  CoroutineBase& base = coroutine.base();
  if (base.is_closed()) return base.throw_outcome();
  const Ref<CoroutineBase> keep{&base};
  base.await_end(PackedPlace{place});
  base.throw_outcome();
}

}  // namespace weft
