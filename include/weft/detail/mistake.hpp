#pragma once

// Some calls that cannot work have an overload of their own, whose static_assert says in one
// sentence why. These are what such overloads are made of.
namespace weft::detail {

/// False, but not before a template is instantiated: for a static_assert that is a sentence.
template <class... T>
inline constexpr bool always_false = false;

/// The result of a call that cannot work: converts to anything, so that one mistake is one error.
struct AnyResult {
  template <class T>
  operator T() const;  // NOLINT(google-explicit-constructor)
};

/// Stands for a function that was refused: can be called with anything.
struct AnyFunction {
  template <class... Args>
  void operator()(Args&&... /*args*/) const noexcept {}
};

}  // namespace weft::detail
