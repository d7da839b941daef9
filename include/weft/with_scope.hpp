#pragma once

#include "weft/detail/abi.hpp"

#include <concepts>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "weft/detail/mistake.hpp"
#include "weft/detail/scope_block.hpp"
#include "weft/place.hpp"
#include "weft/scope.hpp"

namespace weft {

/// Suspends until every coroutine of a new scope has ended; runs `body` with that scope and returns
/// its result. The first failure, of the body or of a coroutine, cancels the rest and is thrown
/// here; a later one is written as a warning. A cancellation of the caller cancels them too.
template <std::invocable<Scope&> F>
std::invoke_result_t<F, Scope&> with_scope(F&& body, Place place = Place::here()) {
  using R = std::invoke_result_t<F, Scope&>;
  detail::ScopeBlock block{place};
  if constexpr (std::is_void_v<R>) {
    try {
      std::forward<F>(body)(block.scope());
    } catch (...) {
      block.fail(std::current_exception());
    }
    block.finish(place);
  } else if constexpr (std::is_lvalue_reference_v<R>) {
    std::remove_reference_t<R>* result = nullptr;
    try {
      result = std::addressof(std::forward<F>(body)(block.scope()));
    } catch (...) {
      block.fail(std::current_exception());
    }
    block.finish(place);
    return *result;
  } else {
    std::optional<R> result;
    try {
      result.emplace(std::forward<F>(body)(block.scope()));
    } catch (...) {
      block.fail(std::current_exception());
    }
    block.finish(place);
    return std::move(*result);
  }
}

template <class F>
requires(!std::invocable<F, Scope&>) auto with_scope(F&& /*body*/, Place /*place*/ = {}) {
  static_assert(detail::always_false<F>,
                "with_scope() calls its body with the new scope: the body takes a "
                "weft::Scope&");
  return detail::AnyResult{};
}

}  // namespace weft
