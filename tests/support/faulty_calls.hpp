#pragma once

#include <cstdint>

namespace weft_test {

/// While it lives, system calls that read, write and accept are interrupted, or do less than was
/// asked for: all that the system may do to them at any time, in an order that `seed` repeats as
/// long as one thread calls. Defined in faulty_calls.cpp, which stands in front of those calls in a
/// test program that uses it.
class FaultyCalls {
 public:
  explicit FaultyCalls(std::uint64_t seed) noexcept;
  ~FaultyCalls();
  FaultyCalls(const FaultyCalls&) = delete;
  FaultyCalls& operator=(const FaultyCalls&) = delete;

  /// So far.
  static std::uint64_t interrupted() noexcept;
  static std::uint64_t cut_short() noexcept;
};

}  // namespace weft_test
