#pragma once

#include "weft/detail/abi.hpp"

namespace weft {

class CoroutineBase;

// For code that closes descriptors, or hands them out, without weft's streams.

/// To be called before foreign code closes `descriptor`: coroutines of this thread's runtime that
/// wait for it are woken with std::system_error (EBADF), and the watch ends, so that the next file
/// with this number has its own. Does nothing outside a runtime.
void descriptor_closed(int descriptor) noexcept;

/// The first coroutine of this runtime that waits for something in `mask` of `descriptor`, as in
/// Poll::Mask, with a stream, a Poll or a bridged call; null if there is none.
[[nodiscard]] CoroutineBase* waiter_of(int descriptor, unsigned mask) noexcept;

}  // namespace weft
