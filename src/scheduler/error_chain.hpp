#pragma once

#include <exception>

namespace weft {

/// Remembers that `error` met `met`; `previous(error)` finds it. A later link goes to the end of
/// the chain.
void link_errors(const std::exception_ptr& error, std::exception_ptr met) noexcept;

}  // namespace weft
