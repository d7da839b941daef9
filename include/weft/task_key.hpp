#pragma once

#include "weft/detail/abi.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace weft {

/// Names a task of a group: an integer or a text. 1 and "1" are different keys.
class TaskKey {
 public:
  TaskKey() noexcept = default;
  /// A number. Texts convert by themselves.
  template <std::integral I>
  TaskKey(I number) noexcept  // NOLINT(google-explicit-constructor)
      : value_{static_cast<std::int64_t>(number)} {}
  TaskKey(std::string text) noexcept  // NOLINT(google-explicit-constructor)
      : value_{std::move(text)} {}
  TaskKey(std::string_view text)  // NOLINT(google-explicit-constructor)
      : value_{std::string{text}} {}
  TaskKey(const char* text)  // NOLINT(google-explicit-constructor)
      : value_{std::string{text}} {}

  /// Whether it is a number, not a text.
  [[nodiscard]] bool is_number() const noexcept { return value_.index() == 0; }
  /// Throws std::bad_variant_access if it is the other kind.
  [[nodiscard]] std::int64_t number() const { return std::get<0>(value_); }
  /// The text. Throws std::bad_variant_access if it is a number.
  [[nodiscard]] const std::string& name() const { return std::get<1>(value_); }
  /// For messages: 3, or "name" in quotes.
  [[nodiscard]] std::string text() const {
    return is_number() ? std::to_string(number()) : '"' + name() + '"';
  }
  /// For hash tables; std::hash uses it.
  [[nodiscard]] std::size_t hash() const noexcept { return std::hash<Value>{}(value_); }

  friend bool operator==(const TaskKey& a, const TaskKey& b) noexcept = default;

 private:
  using Value = std::variant<std::int64_t, std::string>;
  Value value_;
};

}  // namespace weft
