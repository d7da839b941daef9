#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/for_siblings.hpp"
#include "context/guard.hpp"

namespace weft {

/// Address space for many stacks of one size.
struct StackSlab {
  std::byte* base;
  std::byte* fresh;    // the slots from here on are unused, at least by this owner
  std::byte* guarded;  // the slots below have a guard from an earlier owner
  std::size_t bytes;
};

/// While one lives, the slabs of a runtime that ends on this thread are kept for the next one, with
/// their guards and memory: for programs that make thousands of small runtimes.
class SpareStacks {
 public:
  WEFT_FOR_SIBLINGS SpareStacks() noexcept;
  WEFT_FOR_SIBLINGS ~SpareStacks();
  SpareStacks(const SpareStacks&) = delete;
  SpareStacks& operator=(const SpareStacks&) = delete;

  /// Takes over a slab without live stacks whose used slots all have guards. False: no memory to
  /// keep it.
  bool keep(std::size_t slot, const StackSlab& slab, const Guards& guards) noexcept;
  /// A slab with slots of that size, if there is one.
  std::optional<StackSlab> take(std::size_t slot) noexcept;
  /// How the kept slabs are guarded; empty if none was ever kept.
  [[nodiscard]] const std::optional<Guards>& guards() const noexcept { return guards_; }

 private:
  struct Kept {
    std::size_t slot;
    StackSlab slab;
  };
  std::vector<Kept> kept_;
  std::optional<Guards> guards_;
  SpareStacks* outer_;
};

}  // namespace weft
