#pragma once

namespace weft::detail {

/// Who holds a lock: a word to be compared and nothing else.
using Holder = const void*;

/// Whoever runs now: the coroutine, or one and the same word for all code outside a coroutine, that
/// is microtasks, callbacks, and threads without a runtime. Never null.
[[nodiscard]] Holder this_holder() noexcept;

}  // namespace weft::detail
