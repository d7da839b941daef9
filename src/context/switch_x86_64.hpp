#pragma once

#include <cstddef>
#include <cstdint>

// The switch for x86-64. Written into the function that parks instead of called: the compiler saves
// what is live there, nothing is saved twice, and the way out is an indirect jump, which the CPU
// predicts, where a return would go wrong on every switch.
namespace weft {

/// A parked stack is the address of two words: where to go on, and its frame pointer.
[[gnu::always_inline]] inline void jump_to_stack(void** from_pointer, void* to_pointer) noexcept {
  asm volatile(
      "leaq -128(%%rsp), %%rsp\n\t"  // the red zone of this frame is not ours
      "pushq %%rbp\n\t"
      "leaq 1f(%%rip), %%rax\n\t"
      "pushq %%rax\n\t"
      "movq %%rsp, (%%rdi)\n\t"
      "movq %%rsi, %%rsp\n\t"
      "popq %%rax\n\t"
      "jmp *%%rax\n\t"
      ".p2align 4\n"
      "1:\n\t"
      "endbr64\n\t"
      "popq %%rbp\n\t"
      "leaq 128(%%rsp), %%rsp\n\t"
      : "+D"(from_pointer), "+S"(to_pointer)
      :
      : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "cc",
        "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
        "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"
#ifdef __AVX512F__
        ,
        "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",
        "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6",
        "k7"
#endif
  );
}

/// Prepares `top` (aligned to 16) so that a jump there begins `entry`, with a null return address:
/// unwinders and debuggers stop there.
template <void (*entry)()>
void* first_frame(std::byte* top) noexcept {
  auto* words = reinterpret_cast<std::uintptr_t*>(top) - 2;
  words[0] = reinterpret_cast<std::uintptr_t>(entry);
  words[1] = 0;
  return words;
}

/// Rounding and exception modes of the floating-point units. The ABI has a callee keep them, so
/// they belong to a stack. Reading them is slow and loading slower, so a stack that is left notes
/// them once, and the one that goes on loads its own only if they differ.
struct FloatModes {
  std::uint32_t sse = 0x1f80;
  std::uint16_t x87 = 0x037f;

  /// Notes what the units have, here and in `shared`. Field by field: one wide load of what two
  /// narrow stores have just written would stall.
  [[gnu::always_inline]] void note(FloatModes& shared) noexcept {
    asm volatile("stmxcsr %0" : "=m"(sse));
    asm volatile("fnstcw %0" : "=m"(x87));
    const std::uint32_t sse_now = sse;
    const std::uint16_t x87_now = x87;
    asm volatile("movl %1, %0" : "=m"(shared.sse) : "r"(sse_now));
    asm volatile("movw %1, %0" : "=m"(shared.x87) : "r"(x87_now));
  }
  /// Loads these, where the units are known to have `now`.
  [[gnu::always_inline]] void restore(const FloatModes& now) const noexcept {
    if (now.sse != sse) [[unlikely]] {
      asm volatile("ldmxcsr %0" : : "m"(sse));
    }
    if (now.x87 != x87) [[unlikely]] {
      asm volatile("fldcw %0" : : "m"(x87));
    }
  }
};

}  // namespace weft
