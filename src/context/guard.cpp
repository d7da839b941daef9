#include "context/guard.hpp"

#include <string>
#include <sys/mman.h>

#include "context/stack_memory.hpp"
#include "weft/error.hpp"

namespace weft {
namespace {

// Every protected page splits a mapping in two. The rest of the program needs some mappings too.
constexpr std::size_t maps_left_for_others = 4'096;

std::size_t page_guard_limit() noexcept {
  const std::size_t maps = mapping_limit();
  return maps > maps_left_for_others ? (maps - maps_left_for_others) / 2 : 0;
}

}  // namespace

GuardKind Guards::install(void* low) {
  if (kind_ == GuardKind::markers) {
    switch (install_marker(low, width)) {
      case MarkerResult::installed:
        return GuardKind::markers;
      case MarkerResult::no_memory:
        throw StackError{"No memory for the guard of a coroutine stack (madvise failed)"};
      case MarkerResult::not_supported:
        kind_ = GuardKind::pages;
    }
  }
  if (kind_ == GuardKind::pages) return install_page(low);
  return disable_guards("guards are switched off");
}

GuardKind Guards::install_page(void* low) {
  if (page_limit_ == 0) page_limit_ = page_guard_limit();
  if (pages_ >= page_limit_) {
    return disable_guards("the limit of memory maps is near: raise vm.max_map_count");
  }
  if (::mprotect(low, width, PROT_NONE) != 0) {
    return disable_guards("mprotect failed: raise vm.max_map_count");
  }
  ++pages_;
  return GuardKind::pages;
}

GuardKind Guards::disable_guards(const char* why) {
  if (unguarded_allowed_) return kind_ = GuardKind::canary;  // the last kind
  throw StackError{std::string{"No guarded stack for a coroutine, "} + why +
                   ", or set Options::unguarded_stacks"};
}

}  // namespace weft
