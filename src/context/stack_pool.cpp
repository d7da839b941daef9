#include "context/stack_pool.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <string>
#include <sys/mman.h>

#include "base/current.hpp"
#include "context/stack_memory.hpp"
#include "weft/error.hpp"

namespace weft {
namespace {

constexpr std::size_t page = 4'096;
constexpr std::size_t slots_per_slab = 1'024;
constexpr std::size_t largest_size = std::size_t{1} << 40U;
constexpr std::size_t most_sizes = 256;  // the range of the byte that a coroutine keeps
// Getting memory back costs some microseconds a stack, so demand is remembered for some ten
// seconds.
constexpr Duration trim_every = std::chrono::seconds{1};
constexpr std::size_t forget_part = 16;
// A smaller surplus is not worth a system call.
constexpr std::size_t not_worth_it = 64;
// Memory that a pooled stack keeps after deeper use: enough for the runtime and a few calls.
// Trimming costs one system call per stack used, so it is rare.
constexpr std::size_t shallow_bytes = std::size_t{32} * 1024;
constexpr Duration make_shallow_every = std::chrono::seconds{8};

/// Rounds up to whole pages, and to the smallest size. Throws ValueError.
std::size_t usable_size(std::size_t asked_for) {
  if (asked_for > largest_size) throw ValueError{"A stack can have at most 1 TiB"};
  return (std::max(asked_for, StackPool::minimum_size) + page - 1) / page * page;
}

}  // namespace

StackPool::StackPool(std::size_t default_size, bool unguarded_allowed, StackPolicy* policy)
    : guards_{unguarded_allowed}, policy_{policy}, default_size_{usable_size(default_size)} {
  if (spare() != nullptr && spare()->guards()) guards_ = *spare()->guards();
  class_for(default_size_);
}

StackPool::~StackPool() {
  if (keeps_mapped_) return;
  for (const auto& sizes : classes_) {
    for (const StackSlab& slab : sizes->slabs) {
#if WEFT_ASAN || WEFT_TSAN || WEFT_VALGRIND
#if WEFT_VALGRIND && !WEFT_ASAN && !WEFT_TSAN
      const bool checked = RUNNING_ON_VALGRIND != 0;
#else
      const bool checked = true;
#endif
      for (std::byte* slot = slab.base; checked && slot < slab.fresh; slot += sizes->slot) {
        auto& context = *reinterpret_cast<Context*>(context_place(*sizes, slot));
        if (context.low() != nullptr) context.notes().died(context.low(), context.size());
      }
#endif
      if (spare() != nullptr && spare()->keep(sizes->slot, slab, guards_)) continue;
      ::munmap(slab.base, slab.bytes);
    }
  }
}

/// Slabs of earlier runtimes, asked before the system. Slots that may have a canary instead of a
/// guard are not passed on.
SpareStacks* StackPool::spare() const noexcept {
  return guards_.unguarded_allowed() ? nullptr : current_thread.spare_stacks;
}

std::uint8_t StackPool::class_for(std::size_t size) {
  const std::size_t wanted = size == 0 ? default_size_ : usable_size(size);
  const std::size_t usable = wanted + runtime_needs;
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    if (classes_[i]->usable == usable) return static_cast<std::uint8_t>(i);
  }
  if (classes_.size() == most_sizes) {
    throw ValueError{"A stack of " + std::to_string(wanted) +
                     " bytes would be one size too many: a runtime has stacks of at most 256 "
                     "different sizes; round yours"};
  }
  classes_.push_back(std::make_unique<SizeClass>(SizeClass{usable, usable + Guards::width}));
  return static_cast<std::uint8_t>(classes_.size() - 1);
}

// Stack tops at the same offset of their page would compete for the same cache sets, so each slot
// shifts its Context by a colour of its own, within the first page.
std::byte* StackPool::context_place(const SizeClass& sizes, std::byte* slot) noexcept {
  const std::size_t colour = (reinterpret_cast<std::uintptr_t>(slot) / sizes.slot) % 16 * 128;
  const auto top = reinterpret_cast<std::uintptr_t>(slot + sizes.slot) - sizeof(Context) - colour;
  return reinterpret_cast<std::byte*>(top & ~std::uintptr_t{63});
}

Context& StackPool::create(std::uint8_t stack_class) {
  SizeClass& sizes = *classes_[stack_class];
  bool guarded = false;
  std::byte* slot = take_slot(sizes, guarded);
  bool canary = false;
  try {
    if (!guarded) canary = guards_.install(slot) == GuardKind::canary;
  } catch (...) {
    sizes.slabs.back().fresh -= sizes.slot;  // the slot stays unused
    throw;
  }
  std::byte* low = slot + Guards::width;
  auto* context =
      ::new (context_place(sizes, slot)) Context{low, sizes.usable, stack_class, canary};
  count_use();
  ++created_;
  if (canary) has_unguarded_ = true;
  return *context;
}

std::byte* StackPool::take_slot(SizeClass& sizes, bool& guarded) {
  if (!sizes.cold.empty()) {
    std::byte* slot = sizes.cold.back();
    sizes.cold.pop_back();
    guarded = true;
    return slot;
  }
  if (sizes.slabs.empty() ||
      sizes.slabs.back().fresh == sizes.slabs.back().base + sizes.slabs.back().bytes) {
    add_slab(sizes);
  }
  StackSlab& slab = sizes.slabs.back();
  std::byte* slot = slab.fresh;
  slab.fresh += sizes.slot;
  guarded = slot < slab.guarded;
  return slot;
}

void StackPool::add_slab(SizeClass& sizes) {
  sizes.slabs.reserve(sizes.slabs.size() + 1);
  if (spare() != nullptr) {
    if (const std::optional<StackSlab> slab = spare()->take(sizes.slot)) {
      sizes.slabs.push_back(*slab);
      bytes_reserved_ += slab->bytes;
      return;
    }
  }
  std::byte* base = nullptr;
  std::size_t bytes = 0;
  // Where address space is short, a smaller slab is better than none.
  for (std::size_t slots = slots_per_slab; slots > 0 && base == nullptr; slots /= 4) {
    bytes = sizes.slot * slots;
    base = map_slots(bytes);
  }
  if (base == nullptr) {
    throw StackError{std::string{"No memory for the stack of a coroutine: "} +
                     std::strerror(errno)};
  }
  sizes.slabs.push_back({base, base, base, bytes});
  bytes_reserved_ += bytes;
  capacity_ += bytes / sizes.slot;
}

void StackPool::trim(TimePoint now) noexcept {
  if (now - last_trim_ < trim_every) return;
  last_trim_ = now;
  // The target rises with demand at once and decays slowly.
  target_ = std::max(peak_, target_ - (target_ + forget_part - 1) / forget_part);
  std::size_t keep = target_ > in_use_ ? target_ - in_use_ : 0;
  keep = std::max(keep, always_kept);
  const std::size_t pooled = this->pooled();
  if (policy_ != nullptr) keep = policy_->keep(in_use_, peak_, pooled);
  peak_since_shallow_ = std::max(peak_since_shallow_, peak_);
  peak_ = in_use_;
  const std::size_t slack = policy_ != nullptr ? 0 : std::max(not_worth_it, pooled / 8);
  if (pooled > keep + slack) {
    for (const auto& sizes : classes_) give_back(*sizes, keep);
  }
  if (now - last_shallow_ < make_shallow_every) return;
  last_shallow_ = now;
  const std::size_t used = peak_since_shallow_ - in_use_;
  peak_since_shallow_ = in_use_;
  for (const auto& sizes : classes_) make_shallow(*sizes, used);
}

/// Frees the lower pages of the pooled stacks that were used since the last call. The pool is
/// last-in, first-out, so they are its first `used` entries; `used` is the peak demand since then
/// minus the present use.
void StackPool::make_shallow(SizeClass& sizes, std::size_t used) noexcept {
  const std::size_t untouched = sizes.pooled_count > used ? sizes.pooled_count - used : 0;
  std::size_t deep = sizes.pooled_count - std::min(sizes.shallow_count, untouched);
  sizes.shallow_count = sizes.pooled_count;
  if (sizes.usable <= shallow_bytes + page) return;
  for (Context* context = sizes.pooled; deep > 0; context = context->next_pooled, --deep) {
    if (context->has_canary()) continue;
    release_slots(static_cast<std::byte*>(context->low()), 1, sizes.usable - shallow_bytes, 0);
  }
}

void StackPool::give_back(SizeClass& sizes, std::size_t keep) noexcept {
  Context** link = &sizes.pooled;
  for (std::size_t i = 0; i < keep && *link != nullptr; ++i) link = &(*link)->next_pooled;
  const std::size_t first = sizes.cold.size();
  try {
    std::size_t surplus = 0;
    for (Context* c = *link; c != nullptr; c = c->next_pooled) ++surplus;
    sizes.cold.reserve(first + surplus);
  } catch (...) {  // no memory for the list of slots: trims another time
    return;
  }
  while (Context* context = *link) {
    if (context->has_canary()) {  // a slot without a guard stays pooled
      link = &context->next_pooled;
      continue;
    }
    *link = context->next_pooled;
    sizes.cold.push_back(static_cast<std::byte*>(context->low()) - Guards::width);
    context->notes().died(context->low(), context->size());
    --sizes.pooled_count;
    if (sizes.shallow_count > 0) --sizes.shallow_count;  // these are at the end, too
  }
  // Adjacent slots are released in one call.
  std::sort(sizes.cold.begin() + static_cast<std::ptrdiff_t>(first), sizes.cold.end());
  for (std::size_t i = first; i < sizes.cold.size();) {
    std::size_t end = i + 1;
    while (end < sizes.cold.size() && sizes.cold[end] == sizes.cold[end - 1] + sizes.slot) ++end;
    release_slots(sizes.cold[i], end - i, sizes.slot, Guards::width);
    i = end;
  }
}

std::size_t StackPool::pooled() const noexcept {
  std::size_t count = 0;
  for (const auto& sizes : classes_) count += sizes->pooled_count;
  return count;
}

std::size_t StackPool::pooled_bytes() const noexcept {
  std::size_t bytes = 0;
  for (const auto& sizes : classes_) bytes += sizes->pooled_count * sizes->usable;
  return bytes;
}

bool StackPool::in_guard(const void* address, void*& low) const noexcept {
  const auto* at = static_cast<const std::byte*>(address);
  for (const auto& sizes : classes_) {
    for (const StackSlab& slab : sizes->slabs) {
      if (at < slab.base || at >= slab.fresh) continue;
      const auto offset = static_cast<std::size_t>(at - slab.base);
      std::byte* slot = slab.base + offset / sizes->slot * sizes->slot;
      low = slot + Guards::width;
      return at < slot + Guards::width;
    }
  }
  return false;
}

}  // namespace weft
