#pragma once

namespace weft {

/// Whether the calling thread is the one that the program began with.
[[nodiscard]] bool is_first_thread() noexcept;

/// From now on a std::exit() that ends the process under living coroutines is reported.
void report_std_exit() noexcept;

}  // namespace weft
