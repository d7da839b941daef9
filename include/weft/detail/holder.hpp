#pragma once

namespace weft::detail {

/// The holder of a lock: a word to be compared and nothing else.
using Holder = const void*;

/// The current coroutine, or one common word for all code outside a coroutine: microtasks,
/// callbacks, and threads without a runtime. Never null.
[[nodiscard]] Holder this_holder() noexcept;

}  // namespace weft::detail
