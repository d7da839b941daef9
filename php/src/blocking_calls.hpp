#pragma once

#include <string>

// Functions of PHP that block suspend their coroutine: the bridge of the library makes them do so,
// and saves and loads the state of the engine around each wait.
namespace weft_php {

/// After all extensions were loaded: patches them, unless weft.bridge is off.
void bridge_blocking_calls();
/// At the end of the process: libraries close descriptors after the state of the thread is gone.
void leave_blocking_calls() noexcept;
/// From the first use of the API in a request to its end.
void take_part_in_blocking_calls(bool on) noexcept;
/// Whether an error in flight was thrown by such a call: a cancellation, or what one has caused.
[[nodiscard]] bool is_call_cancelled() noexcept;
/// For phpinfo().
[[nodiscard]] std::string bridged_calls();

}  // namespace weft_php
