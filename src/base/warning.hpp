#pragma once

#include <exception>
#include <string_view>

#include "base/for_siblings.hpp"
#include "weft/copyable_function.hpp"

namespace weft {

/// Where the warnings of a runtime go.
struct WarningSink {
  CopyableFunction<void(std::string_view)> write;
};

/// Reports something that is wrong but not fatal. Never throws.
WEFT_FOR_SIBLINGS void warn(std::string_view text) noexcept;
/// The same, followed by the text of `error`, if there is memory for it.
void warn_of(const char* text, const std::exception_ptr& error) noexcept;

}  // namespace weft
