#include "context/spare_stacks.hpp"

#include <algorithm>
#include <new>
#include <sys/mman.h>

#include "base/current.hpp"
#include "context/sanitizer.hpp"

namespace weft {

SpareStacks::SpareStacks() noexcept : outer_{current_thread.spare_stacks} {
  current_thread.spare_stacks = this;
}

SpareStacks::~SpareStacks() {
  current_thread.spare_stacks = outer_;
  for (const Kept& kept : kept_) {
    StackNotes::allow(kept.slab.base, kept.slab.guarded);
    ::munmap(kept.slab.base, kept.slab.bytes);
  }
}

bool SpareStacks::keep(std::size_t slot, const StackSlab& slab, const Guards& guards) noexcept {
  try {
    kept_.push_back({slot, slab});
  } catch (const std::bad_alloc&) {
    return false;
  }
  StackSlab& kept = kept_.back().slab;
  kept.guarded = std::max(kept.guarded, kept.fresh);
  kept.fresh = kept.base;
  StackNotes::forbid(kept.base, kept.guarded);
  guards_ = guards;
  return true;
}

std::optional<StackSlab> SpareStacks::take(std::size_t slot) noexcept {
  for (auto kept = kept_.begin(); kept != kept_.end(); ++kept) {
    if (kept->slot != slot) continue;
    const StackSlab slab = kept->slab;
    StackNotes::allow(slab.base, slab.guarded);
    kept_.erase(kept);
    return slab;
  }
  return std::nullopt;
}

}  // namespace weft
