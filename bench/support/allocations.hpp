#pragma once

#include <cstdint>

namespace bench {

/// How often `operator new` was called so far. The program links support/allocations.cpp, which
/// replaces it.
[[nodiscard]] std::uint64_t allocations() noexcept;

}  // namespace bench
