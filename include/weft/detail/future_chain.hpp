#pragma once

#include <exception>
#include <functional>
#include <type_traits>
#include <utility>

#include "weft/extend/coroutine_base.hpp"
#include "weft/extend/future_state.hpp"

// The functions that map, recover and finally attach.
namespace weft::detail {

/// Records that `error` replaced `met`.
void chain_errors(const std::exception_ptr& error, const std::exception_ptr& met) noexcept;

/// What a function attached to a future of T may take: a const reference to the value, else the
/// value itself.
template <class F, class T>
inline constexpr bool looks_at_value =
    std::is_invocable_v<F&, std::add_lvalue_reference_t<const T>>;
template <class F>
inline constexpr bool looks_at_value<F, void> = false;

/// Whether map() can call `F` with the value of a Future<T>.
template <class F, class T>
constexpr bool can_map() {
  if constexpr (std::is_void_v<T>) {
    return std::is_invocable_v<F&>;
  } else {
    return looks_at_value<F, T> || std::is_invocable_v<F&, T>;
  }
}

template <class T, class F>
decltype(auto) call_with_value(F& function, FutureState<T>& source) {
  if constexpr (std::is_void_v<T>) {
    return std::invoke(function);
  } else if constexpr (!std::is_reference_v<T> && looks_at_value<F, T>) {
    return std::invoke(function, source.outcome().value());
  } else {
    return std::invoke(function, source.take());
  }
}

template <class T, class F>
using MapResult = decltype(call_with_value<T>(std::declval<F&>(), std::declval<FutureState<T>&>()));

/// What the three kinds of links have in common: errors become the outcome of the target.
template <class T, class R, class F>
class TypedLink : public FutureLink {
 public:
  template <class G>
  TypedLink(Ref<FutureState<R>> target, G&& function)
      : FutureLink{std::move(target)}, function_{std::forward<G>(function)} {}

 protected:
  using Source = FutureState<T>;

  void run(FutureBase& source) final {
    try {
      step(static_cast<Source&>(source));
    } catch (...) {
      result().prepare_error(std::current_exception());
    }
  }
  virtual void step(Source& source) = 0;

  [[nodiscard]] FutureState<R>& result() const noexcept {
    return static_cast<FutureState<R>&>(target());
  }
  template <class G>
  void store(G&& call) {
    if constexpr (std::is_void_v<R>) {
      call();
      result().prepare_value();
    } else {
      result().prepare_value(call());
    }
  }
  /// The source ended with `error`, and so does the target.
  void pass_on(const std::exception_ptr& error) noexcept { result().prepare_error(error); }

  F function_;  // NOLINT(readability-identifier-naming)
};

template <class T, class R, class F>
class MapLink final : public TypedLink<T, R, F> {
  using TypedLink<T, R, F>::TypedLink;
  void step(FutureState<T>& source) override {
    if (source.error() != nullptr) return this->pass_on(source.error());
    this->store([&]() -> R { return call_with_value<T>(this->function_, source); });
  }
};

template <class T, class F>
class RecoverLink final : public TypedLink<T, T, F> {
  using TypedLink<T, T, F>::TypedLink;
  void step(FutureState<T>& source) override {
    if (source.error() == nullptr) return this->store([&]() -> T { return source.take(); });
    this->store(
        [&]() -> T { return static_cast<T>(std::invoke(this->function_, source.error())); });
  }
};

template <class T, class F>
class FinallyLink final : public TypedLink<T, T, F> {
  using TypedLink<T, T, F>::TypedLink;
  [[nodiscard]] bool is_clean_up() const noexcept override { return true; }
  void step(FutureState<T>& source) override {
    try {
      if constexpr (std::is_invocable_v<F&, const Result<T>&>) {
        std::invoke(this->function_, source.outcome());
      } else {
        std::invoke(this->function_);
      }
    } catch (...) {
      chain_errors(std::current_exception(), source.error());
      throw;
    }
    if (source.error() != nullptr) return this->pass_on(source.error());
    this->store([&]() -> T { return source.take(); });
  }
};

}  // namespace weft::detail
