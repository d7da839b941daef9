#pragma once

#include <cstddef>
#include <cstdint>

namespace weft_test {

/// Counts calls of the replaced operator new, and can make the k-th one fail. Defined in
/// allocations.cpp, which a test program must contain to use it.
struct Allocations {
  /// Whether operator new is replaced: valgrind brings an operator new of its own.
  static bool are_counted();
  static std::uint64_t count() noexcept;          ///< allocations so far
  static std::uint64_t live() noexcept;           ///< allocations not freed
  static void fail_at(std::uint64_t k) noexcept;  ///< the k-th from now fails; 1: the next
  static void fail_never() noexcept;
  static bool failed() noexcept;  ///< whether the planned failure happened
};

}  // namespace weft_test
