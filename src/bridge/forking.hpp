#pragma once

#include <sys/types.h>

namespace weft::bridge {

/// The process, as it was when the bridge was installed or after the last fork().
[[nodiscard]] pid_t process_id() noexcept;
void watch_process_id() noexcept;
/// In the child of a hooked fork(), at a call that may wait: its coroutine goes on alone. False:
/// there is nothing to continue, or it is not possible, and calls block.
[[nodiscard]] bool continue_alone() noexcept;

}  // namespace weft::bridge
