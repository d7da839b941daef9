#pragma once

#include <exception>
#include <optional>
#include <utility>

namespace weft::detail {

/// Moves the value out of `from`, which has one. With a single move, straight to the caller: if
/// that throws, the value is still there.
template <class T>
T move_out(std::optional<T>& from) {
  struct EmptyUnlessThrown {
    std::optional<T>& from;
    int in_flight = std::uncaught_exceptions();
    ~EmptyUnlessThrown() {
      if (std::uncaught_exceptions() == in_flight) from.reset();
    }
  } const guard{from};
  return std::move(*from);
}

}  // namespace weft::detail
