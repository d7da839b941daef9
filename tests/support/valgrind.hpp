#pragma once

#include <cstdlib>
#include <string_view>

namespace weft_test {

inline bool is_under_valgrind() {
  const char* const preloaded = std::getenv("LD_PRELOAD");
  return preloaded != nullptr &&
         std::string_view{preloaded}.find("vgpreload") != std::string_view::npos;
}

/// valgrind replaces vfork() by fork(): the child does not share our memory, so posix_spawn() does
/// not learn that exec failed.
inline constexpr const char* valgrind_hides_failed_starts =
    "under valgrind a child that cannot start ends with 127 instead";

}  // namespace weft_test
