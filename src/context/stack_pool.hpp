#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "context/context.hpp"
#include "context/guard.hpp"
#include "context/spare_stacks.hpp"
#include "weft/extend/stack_policy.hpp"
#include "weft/time.hpp"

namespace weft {

/// Hands out stacks. Address space is reserved in slabs of many slots; a slot is a guard, then the
/// stack, with its Context at the top. Contexts of finished coroutines are kept, newest first; what
/// recent demand did not need is given back in bulk when the scheduler is idle.
class StackPool {
 public:
  static constexpr std::size_t minimum_size = std::size_t{16} * 1024;
  /// What the runtime itself may need on a stack beyond the user's size: a poll of the reactor runs
  /// on the stack of the coroutine that suspends, and libuv alone puts 12 KiB there.
  static constexpr std::size_t runtime_needs = std::size_t{20} * 1024;

  StackPool(std::size_t default_size, bool unguarded_allowed, StackPolicy* policy);
  ~StackPool();
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;

  /// The class of stacks with at least `size` bytes for the user; 0 is the default size. Throws
  /// ValueError if there are too many different sizes.
  std::uint8_t class_for(std::size_t size);
  /// A context, pooled or new. Throws StackError if the system has none.
  Context& acquire(std::uint8_t stack_class) {
    Context* const pooled = take_pooled(stack_class);
    return pooled != nullptr ? *pooled : create(stack_class);
  }
  /// A pooled context, or null.
  [[nodiscard]] Context* take_pooled(std::uint8_t stack_class) noexcept {
    SizeClass& sizes = of(stack_class);
    Context* const context = sizes.pooled;
    if (context == nullptr) [[unlikely]]
      return nullptr;
    sizes.pooled = context->next_pooled;
    // Stacks lie far apart, and the next acquire() often follows soon.
    __builtin_prefetch(sizes.pooled);
    --sizes.pooled_count;
    count_use();
    ++reused_;
    context->notes().reuse();
    return context;
  }
  /// A new context. Throws StackError if the system has none.
  Context& create(std::uint8_t stack_class);
  /// Takes back the context of a coroutine that has ended. Its stack may be in use until the next
  /// switch, so nothing is unmapped here.
  void release(Context& context) noexcept {
    SizeClass& sizes = of(context.stack_class());
    context.next_pooled = sizes.pooled;
    sizes.pooled = &context;
    ++sizes.pooled_count;
    --in_use_;
  }
  /// Coroutines were left behind on their stacks: the slabs stay mapped when the pool is destroyed.
  void keep_mapped() noexcept { keeps_mapped_ = true; }
  /// Gives back what recent demand did not need, and the lower pages of the stacks it keeps. Called
  /// when the scheduler is idle.
  void trim(TimePoint now) noexcept;
  /// Gives back all that is unused now.
  void trim_all() noexcept {
    for (const auto& sizes : classes_) give_back(*sizes, 0);
  }

  /// Whether `address` lies in the guard of a stack; `low` gets the stack's lower end.
  [[nodiscard]] bool in_guard(const void* address, void*& low) const noexcept;

  Guards& guards() noexcept { return guards_; }
  /// Whether a stack has a canary instead of a guard.
  [[nodiscard]] bool has_unguarded() const noexcept { return has_unguarded_; }
  [[nodiscard]] std::size_t default_size() const noexcept { return default_size_; }
  [[nodiscard]] std::size_t in_use() const noexcept { return in_use_; }
  [[nodiscard]] std::size_t pooled() const noexcept;
  [[nodiscard]] std::size_t target() const noexcept { return target_; }
  /// Slots in all slabs, used or not.
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  /// Contexts that trim() always keeps; 0 if a policy decides.
  [[nodiscard]] std::size_t minimum() const noexcept {
    return policy_ == nullptr ? always_kept : 0;
  }
  [[nodiscard]] std::uint64_t created() const noexcept { return created_; }
  [[nodiscard]] std::uint64_t reused() const noexcept { return reused_; }
  [[nodiscard]] std::size_t bytes_reserved() const noexcept { return bytes_reserved_; }
  [[nodiscard]] std::size_t pooled_bytes() const noexcept;
  [[nodiscard]] GuardKind guard_kind() const noexcept {
    return created_ == 0 ? GuardKind::none : guards_.kind();
  }

 private:
  static constexpr std::size_t always_kept = 16;

  struct SizeClass {
    std::size_t usable;  // bytes of a stack, runtime needs and Context included
    std::size_t slot;    // with the guard
    Context* pooled = nullptr;
    std::size_t pooled_count = 0;
    std::size_t shallow_count = 0;  // at the end of the list, without memory in their lower pages
    std::vector<StackSlab> slabs = {};
    std::vector<std::byte*> cold = {};  // slots whose memory was given back
  };

  /// Unchecked: `stack_class` came from class_for().
  [[nodiscard]] SizeClass& of(std::uint8_t stack_class) const noexcept {
    return *classes_.data()[stack_class].get();
  }
  void count_use() noexcept {
    if (++in_use_ > peak_) [[unlikely]]
      peak_ = in_use_;
  }
  std::byte* take_slot(SizeClass& sizes, bool& guarded);
  void add_slab(SizeClass& sizes);
  [[nodiscard]] SpareStacks* spare() const noexcept;
  void give_back(SizeClass& sizes, std::size_t keep) noexcept;
  void make_shallow(SizeClass& sizes, std::size_t used) noexcept;
  static std::byte* context_place(const SizeClass& sizes, std::byte* slot) noexcept;

  std::vector<std::unique_ptr<SizeClass>> classes_;
  Guards guards_;
  StackPolicy* policy_;
  std::size_t default_size_;
  bool has_unguarded_ = false;
  bool keeps_mapped_ = false;
  std::size_t in_use_ = 0;
  std::size_t peak_ = 0;  // of in_use_ since the last trim
  std::size_t target_ = 0;
  std::size_t capacity_ = 0;
  std::uint64_t created_ = 0;
  std::uint64_t reused_ = 0;
  std::size_t bytes_reserved_ = 0;
  std::size_t peak_since_shallow_ = 0;
  TimePoint last_trim_{};
  TimePoint last_shallow_{};
};

}  // namespace weft
