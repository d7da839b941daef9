#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "weft/address.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"

namespace weft {

/// The addresses of `host`, in the order in which to try them. Throws std::system_error.
[[nodiscard]] std::vector<Address> addresses_of_host(std::string_view host, std::uint16_t port,
                                                     Token token, Place place);

}  // namespace weft
