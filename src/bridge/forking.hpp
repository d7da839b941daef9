#pragma once

#include <sys/types.h>

namespace weft::bridge {

/// The process, as it was when the bridge was installed or after the last fork().
[[nodiscard]] pid_t process_id() noexcept;
void watch_process_id() noexcept;

}  // namespace weft::bridge
