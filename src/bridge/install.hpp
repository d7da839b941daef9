#pragma once

#include "weft/bridge.hpp"

namespace weft::bridge {

/// Whether a family is bridged.
[[nodiscard]] bool has_family(Family family) noexcept;
/// How often the bridge was installed.
[[nodiscard]] unsigned installations() noexcept;

}  // namespace weft::bridge
