#pragma once

#include <cstdint>

namespace weft_test {

/// While it lives, system calls that read, write and accept are interrupted or transfer less than
/// asked for, as the system may do at any time. The order is given by `seed` as long as one thread
/// makes calls. Defined in faulty_calls.cpp, which replaces these calls in a test program.
class FaultyCalls {
 public:
  explicit FaultyCalls(std::uint64_t seed) noexcept;
  ~FaultyCalls();
  FaultyCalls(const FaultyCalls&) = delete;
  FaultyCalls& operator=(const FaultyCalls&) = delete;

  /// How many calls were interrupted so far.
  static std::uint64_t interrupted() noexcept;
  static std::uint64_t cut_short() noexcept;
};

}  // namespace weft_test
