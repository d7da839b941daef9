#pragma once

#include <cstdint>

namespace bench {

/// How often `operator new` was called so far. The program must link support/allocations.cpp, which
/// replaces that operator.
[[nodiscard]] std::uint64_t allocations() noexcept;

}  // namespace bench
