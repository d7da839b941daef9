#pragma once

namespace weft {

/// If `address` lies in the guard of one of this thread's stacks: says on standard error which
/// coroutine overflowed, and returns true.
bool report_overflow(const void* address) noexcept;

}  // namespace weft
