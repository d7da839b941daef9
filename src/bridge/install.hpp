#pragma once

#include "weft/bridge.hpp"

namespace weft::bridge {

/// Whether a family is bridged.
[[nodiscard]] bool has_family(Family family) noexcept;

}  // namespace weft::bridge
