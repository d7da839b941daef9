#pragma once

#include <string>
#include <system_error>

namespace weft {

/// What libuv says about a lookup, as an error of <netdb.h> or of the system.
[[nodiscard]] std::error_code dns_code(int uv_status) noexcept;

}  // namespace weft
