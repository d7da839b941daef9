#pragma once

#include <exception>

#include "weft/error.hpp"

namespace weft {

/// Whether the calling thread is the first one of the program.
[[nodiscard]] bool is_first_thread() noexcept;

/// The ExitRequested in `error`. Throws `error` if it is another one.
[[nodiscard]] ExitRequested exit_request(const std::exception_ptr& error);
/// Ends the process with the code or by the signal of `request`. Called when no runtime is left.
/// Returns if that signal has no effect.
void end_process(const ExitRequested& request);

/// From now on a std::exit() while coroutines live is reported.
void report_std_exit() noexcept;

}  // namespace weft
