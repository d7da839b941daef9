#pragma once

#include <exception>

namespace weft {

/// Makes `previous(error)` find `met`, an earlier error. A later link goes to the end of the chain.
/// Links of the error that ends the program are kept when older ones are dropped.
void link_errors(const std::exception_ptr& error, std::exception_ptr met,
                 bool of_exit_error = false) noexcept;

}  // namespace weft
