#pragma once

namespace weft::detail {

/// The owner of a lock: a word to be compared and nothing else.
using LockOwner = const void*;

/// The current coroutine, or one common word for all code outside a coroutine: microtasks,
/// callbacks, and threads without a runtime. Never null.
[[nodiscard]] LockOwner this_lock_owner() noexcept;

}  // namespace weft::detail
