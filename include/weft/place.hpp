#pragma once

#include "weft/detail/abi.hpp"

#include <string>
#include <string_view>

namespace weft {

/// A line of source code: where something was spawned, suspended or created.
/// Functions that remember their caller take one as a trailing default argument.
struct Place {
  /// The file, as the compiler was given it.
  const char* file = "";
  /// The line; 0 for no place.
  unsigned line = 0;

  /// The line of the caller, as a default argument.
  static constexpr Place here(const char* file = __builtin_FILE(),
                              unsigned line = __builtin_LINE()) noexcept {
    return Place{file, line};
  }

  /// "file:line", or an empty text for no place.
  [[nodiscard]] std::string text() const {
    return line == 0 ? std::string{} : std::string{file} + ":" + std::to_string(line);
  }

  /// Whether the place is unknown, or in a template of the standard library instead of its caller.
  [[nodiscard]] bool is_of_standard_library() const noexcept {
    return line == 0 || std::string_view{file}.find("/include/c++/") != std::string_view::npos;
  }

  friend bool operator==(const Place&, const Place&) = default;
};

}  // namespace weft
