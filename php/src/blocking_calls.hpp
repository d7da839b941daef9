#pragma once

#include <string>

// Functions of PHP that block suspend their coroutine: the bridge of the library makes them do so,
// and has the VM state saved and loaded around each wait.
namespace weft_php {

/// After all extensions were loaded: patches them, unless weft.bridge is off.
void bridge_blocking_calls();
/// Takes the patches back. At the end of the process, because libraries may close descriptors when
/// the runtime's state of the thread is gone.
void leave_blocking_calls() noexcept;
/// Whether blocking functions suspend: from the first use of the API in a request to its end.
void take_part_in_blocking_calls(bool on) noexcept;
/// Whether the exception in flight is an exit, a cancellation, or one of another extension that a
/// cancellation has caused.
[[nodiscard]] bool is_call_cancelled() noexcept;
/// For phpinfo().
[[nodiscard]] std::string bridged_calls();

}  // namespace weft_php
