#pragma once

#include "weft/detail/abi.hpp"

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace weft {

/// A callable that can be copied, together with what it holds. Made of a null pointer or an empty
/// std::function, it is empty and must not be called. Options uses it because the header of
/// std::function is 11,000 lines.
template <class Signature>
class CopyableFunction;

template <class R, class... Args>
class CopyableFunction<R(Args...)> {
 public:
  CopyableFunction() noexcept = default;
  /// Empty. A callable converts by itself.
  CopyableFunction(std::nullptr_t) noexcept {}  // NOLINT(google-explicit-constructor)

  template <class F, std::enable_if_t<!std::same_as<std::decay_t<F>, CopyableFunction> &&
                                          std::is_invocable_r_v<R, std::decay_t<F>&, Args...>,
                                      int> = 0>
  CopyableFunction(F&& callable) {  // NOLINT(google-explicit-constructor,
                                    // bugprone-forwarding-reference-overload)
    using Given = std::decay_t<F>;
    if constexpr (std::is_pointer_v<Given> || requires { callable.operator bool(); }) {
      if (!callable) return;
    }
    body_ = new Stored<Given>{std::in_place, std::forward<F>(callable)};
  }
  CopyableFunction(const CopyableFunction& other)
      : body_{other.body_ == nullptr ? nullptr : other.body_->clone()} {}
  CopyableFunction(CopyableFunction&& other) noexcept
      : body_{std::exchange(other.body_, nullptr)} {}
  CopyableFunction& operator=(CopyableFunction other) noexcept {
    std::swap(body_, other.body_);
    return *this;
  }
  ~CopyableFunction() { delete body_; }

  explicit operator bool() const noexcept { return body_ != nullptr; }
  friend bool operator==(const CopyableFunction& a, std::nullptr_t) noexcept {
    return a.body_ == nullptr;
  }
  /// Calls the callable, which must not be empty.
  R operator()(Args... args) const { return body_->call(std::forward<Args>(args)...); }

 private:
  struct Body {
    virtual ~Body() = default;
    [[nodiscard]] virtual Body* clone() const = 0;
    virtual R call(Args&&... args) = 0;
  };
  template <class F>
  struct Stored final : Body {
    template <class G>
    Stored(std::in_place_t /*tag*/, G&& given) : callable(std::forward<G>(given)) {}
    [[nodiscard]] Body* clone() const override { return new Stored{std::in_place, callable}; }
    R call(Args&&... args) override {
      return static_cast<R>(callable(std::forward<Args>(args)...));
    }
    F callable;
  };

  Body* body_ = nullptr;
};

}  // namespace weft
