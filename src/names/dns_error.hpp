#pragma once

#include <string>
#include <system_error>

namespace weft {

/// The status of a lookup as an error code of <netdb.h> or of the system.
[[nodiscard]] std::error_code dns_code(int uv_status) noexcept;

}  // namespace weft
