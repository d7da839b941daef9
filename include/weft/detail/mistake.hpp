#pragma once

// Parts of the overloads for calls that cannot work, whose static_assert says in one sentence why.
namespace weft::detail {

/// False, but only once a template is instantiated: for a static_assert.
template <class... T>
inline constexpr bool always_false = false;

/// The result of a call that cannot work: converts to anything, so that one mistake is one error.
struct AnyResult {
  template <class T>
  operator T() const;  // NOLINT(google-explicit-constructor)
};

/// Replaces a function that was refused: can be called with anything.
struct AnyFunction {
  template <class... Args>
  void operator()(Args&&... /*args*/) const noexcept {}
};

}  // namespace weft::detail
