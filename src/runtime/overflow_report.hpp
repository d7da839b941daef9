#pragma once

namespace weft {

/// If `address` is in the guard of one of this thread's stacks: writes to standard error which
/// coroutine overflowed, and returns true.
bool report_overflow(const void* address) noexcept;

}  // namespace weft
