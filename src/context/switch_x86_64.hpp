#pragma once

#include <cstddef>
#include <cstdint>

// The switch for x86-64. Inlined into the function that parks: the compiler saves only the live
// registers, once, and the way out is an indirect jump, which the CPU predicts, where a return
// would be mispredicted at every switch.
namespace weft {

/// A parked stack is the address of two words: the address to go on at, and its frame pointer.
[[gnu::always_inline]] inline void jump_to_stack(void** from_pointer, void* to_pointer) noexcept {
  asm volatile(
      "leaq -128(%%rsp), %%rsp\n\t"  // the red zone of this frame must stay as it is
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

/// The same from a stack that is not resumed.
[[noreturn, gnu::always_inline]] inline void leave_stack(void* to_pointer) noexcept {
  asm volatile(
      "movq %0, %%rsp\n\t"
      "popq %%rax\n\t"
      "jmp *%%rax\n\t"
      :
      : "S"(to_pointer)
      : "memory");
  __builtin_unreachable();
}

/// Prepares `top` (aligned to 16) so that a jump there begins `entry`, with a null return address,
/// at which unwinders and debuggers stop.
template <void (*entry)()>
void* first_frame(std::byte* top) noexcept {
  auto* words = reinterpret_cast<std::uintptr_t*>(top) - 2;
  words[0] = reinterpret_cast<std::uintptr_t>(entry);
  words[1] = 0;
  return words;
}

/// Rounding and exception modes of the floating-point units. They are callee-saved in the ABI, so
/// they belong to a stack. Every switch happens with the modes that the runtime started with: the
/// rare stack with other modes saves them before and loads them after.
struct FloatModes {
  std::uint32_t sse = 0x1f80;
  std::uint16_t x87 = 0x037f;

  [[gnu::always_inline]] static FloatModes read() noexcept {
    FloatModes modes;
    asm volatile("stmxcsr %0" : "=m"(modes.sse));
    asm volatile("fnstcw %0" : "=m"(modes.x87));
    return modes;
  }
  void load() const noexcept {
    asm volatile("ldmxcsr %0" : : "m"(sse));
    asm volatile("fldcw %0" : : "m"(x87));
  }
#ifdef WEFT_WATCH_SSE_MODES
  static constexpr bool watch_sse = true;
#else
  static constexpr bool watch_sse = false;
#endif
  static constexpr bool new_stack_has_them = true;
  /// For the next coroutine on this stack.
  [[gnu::always_inline]] void restore() const noexcept {
    if (!are_set()) [[unlikely]]
      load();
  }
  /// Whether these modes are set now. By default it reads the x87 unit alone: functions of the C
  /// library that set the rounding or enable exceptions set both units, and reading the SSE word
  /// costs a tenth of a yield.
  [[nodiscard, gnu::always_inline]] bool are_set() const noexcept {
    std::uint16_t now = 0;
    asm volatile("fnstcw %0" : "=m"(now));
    if constexpr (watch_sse) {
      // Exception status bits, not modes: masked, because any inexact result sets one.
      constexpr std::uint32_t flags = 0x3f;
      std::uint32_t sse_now = 0;
      asm volatile("stmxcsr %0" : "=m"(sse_now));
      if (((sse_now ^ sse) & ~flags) != 0) return false;
    }
    return now == x87;
  }
};

}  // namespace weft
