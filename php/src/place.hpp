#pragma once

#include "engine.hpp"

namespace weft_php {

/// The line of PHP code that runs now; empty if there is none. Valid as long as the request.
[[nodiscard]] weft::Place place_here() noexcept;
/// `[file, line]` as PHP sees it; `[null, 0]` for no place.
void file_and_line(weft::Place place, zval* result);
/// "file:line", or "unknown".
void location(weft::Place place, zval* result);

}  // namespace weft_php
