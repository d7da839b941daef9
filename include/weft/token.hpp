#pragma once

#include "weft/detail/abi.hpp"

#include <concepts>
#include <type_traits>

#include "weft/detail/mistake.hpp"
#include "weft/extend/event.hpp"

namespace weft {

/// Ends a wait early: any event, usually a timeout(). The wait then throws TimedOut if the token
/// ended with a TimedOut, as a timeout() does, and OperationCancelled otherwise. A Token only
/// refers to its event; a temporary lives long enough for the call it is passed to. An empty one
/// ends nothing.
class Token {
 public:
  Token() noexcept = default;
  /// Any event, which must outlive the wait.
  template <class E>
  requires(std::convertible_to<E&&, Event&> || std::derived_from<std::remove_cvref_t<E>, Event>)
      // NOLINTNEXTLINE(google-explicit-constructor, bugprone-forwarding-reference-overload)
      Token(E&& event)
  noexcept(noexcept(static_cast<Event&>(event))) : event_{&static_cast<Event&>(event)} {}
  template <std::derived_from<Event> E>
  Token(const Ref<E>& event) noexcept  // NOLINT(google-explicit-constructor)
      : event_{event.get()} {}

  /// Rejects a duration, which is no event.
  template <class D>
  requires requires {
    typename D::rep;
    typename D::period;
  }
  Token(const D& /*duration*/) {  // NOLINT(google-explicit-constructor)
    static_assert(detail::always_false<D>,
                  "a token is an event: write timeout(50ms) where 50ms was given");
  }

  /// The event; null for no token.
  [[nodiscard]] Event* event() const noexcept { return event_; }
  explicit operator bool() const noexcept { return event_ != nullptr; }
  /// Marks the event as used, even if the wait needs no suspension: a future then does not warn.
  void mark_used() const {
    if (event_ != nullptr) resolve(*event_).set(Event::result_used_flag);
  }

 private:
  Event* event_ = nullptr;
};

}  // namespace weft
