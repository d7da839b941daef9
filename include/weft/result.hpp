#pragma once

#include "weft/detail/abi.hpp"

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "weft/detail/move_out.hpp"
#include "weft/error.hpp"

namespace weft {

/// A T as an element of a vector or a tuple: std::monostate for void, std::reference_wrapper for a
/// reference, else T itself.
template <class T>
using AsElement =
    std::conditional_t<std::is_void_v<T>, std::monostate,
                       std::conditional_t<std::is_reference_v<T>,
                                          std::reference_wrapper<std::remove_reference_t<T>>, T>>;

/// How a coroutine, future or task ended: with a value or with an error. `T` may be void or a
/// reference.
template <class T>
class Result {
 public:
  /// How a T is stored.
  using Stored = std::conditional_t<
      std::is_void_v<T>, std::monostate,
      std::conditional_t<std::is_reference_v<T>, std::remove_reference_t<T>*, T>>;
  /// What value() returns.
  using Reference = std::conditional_t<std::is_void_v<T> || std::is_reference_v<T>, T,
                                       std::add_lvalue_reference_t<const T>>;

  Result() = default;

  /// Whether it ended without an error.
  [[nodiscard]] bool is_success() const noexcept { return error_ == nullptr; }
  explicit operator bool() const noexcept { return is_success(); }
  /// The error; null for a success.
  [[nodiscard]] const std::exception_ptr& error() const noexcept { return error_; }

  /// Returns the value or throws the error.
  Reference value() const {
    check();
    if constexpr (std::is_reference_v<T>) {
      return static_cast<T>(**stored_);
    } else if constexpr (!std::is_void_v<T>) {
      return *stored_;
    }
  }
  /// Returns a copy of the value; a value that cannot be copied is moved out, once.
  T take() {
    check();
    if constexpr (std::is_void_v<T>) {
      return;
    } else if constexpr (std::is_reference_v<T>) {
      return static_cast<T>(**stored_);
    } else if constexpr (std::is_copy_constructible_v<T>) {
      return *stored_;
    } else {
      return detail::move_out(stored_);
    }
  }

  /// Stores a value that is constructed of `args`.
  template <class... Args>
  void set_value(Args&&... args) {
    if constexpr (std::is_reference_v<T>) {
      stored_.emplace(std::addressof(args)...);
    } else {
      stored_.emplace(std::forward<Args>(args)...);
    }
  }
  /// Stores an error.
  void set_error(std::exception_ptr error) noexcept { error_ = std::move(error); }
  /// Destroys the value.
  void drop_value() noexcept { stored_.reset(); }
  /// The value as it is stored; empty if there is none.
  [[nodiscard]] const std::optional<Stored>& stored() const noexcept { return stored_; }

 private:
  void check() const {
    if (error_ != nullptr) [[unlikely]]
      std::rethrow_exception(error_);
    if (!stored_) [[unlikely]]
      throw MisuseError{"There is no value to give: an earlier await moved it out"};
  }

  std::optional<Stored> stored_;
  std::exception_ptr error_;
};

}  // namespace weft
