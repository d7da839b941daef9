#pragma once

#include "weft/bridge.hpp"

namespace weft::bridge {

/// Whether a family is bridged.
[[nodiscard]] bool has_family(Family family) noexcept;
/// How often the bridge was installed.
[[nodiscard]] unsigned installations() noexcept;

/// Around a fork: the child has no other thread that could release the lock of install().
void lock_installation() noexcept;
void unlock_installation() noexcept;

}  // namespace weft::bridge
