#pragma once

#include <string>

namespace weft_php {

/// What every coroutine waits for, as printed when a deadlock is found. From anywhere.
[[nodiscard]] std::string deadlock_report();

}  // namespace weft_php
