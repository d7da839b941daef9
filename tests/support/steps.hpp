#pragma once

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

// Counts machine instructions by single-stepping: a measure of work that does not depend on what
// else the machine does. Each instruction traps, which takes a microsecond, so measure little.
namespace weft_test {

class Steps {
 public:
  Steps() {
    struct sigaction action {};
    action.sa_handler = [](int) { count_ = count_ + 1; };
    action.sa_flags = SA_ONSTACK;  // the stack of a coroutine may be small
    ::sigaction(SIGTRAP, &action, &handler_before_);
    stack_t stack{};
    stack.ss_sp = memory_.data();
    stack.ss_size = memory_.size();
    ::sigaltstack(&stack, &stack_before_);
  }
  ~Steps() {
    ::sigaltstack(&stack_before_, nullptr);
    ::sigaction(SIGTRAP, &handler_before_, nullptr);
  }
  Steps(const Steps&) = delete;
  Steps& operator=(const Steps&) = delete;

  /// The instructions of one call of `body`, which may suspend; coroutines that run meanwhile are
  /// counted too.
  template <class F>
  std::size_t of(F&& body) {
    count_ = 0;
    begin();
    std::forward<F>(body)();
    end();
    return count_;
  }
  /// The fewest instructions of several calls: without work that the runtime does now and then.
  template <class F>
  std::size_t fewest_of(int calls, F&& body) {
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    for (int i = 0; i < calls; ++i) fewest = std::min(fewest, of([&] { body(i); }));
    return fewest;
  }
  /// False where single-stepping is impossible, as under valgrind.
  [[nodiscard]] bool can_be_counted() {
    return of([] {}) > 0;
  }

 private:
#if defined(__x86_64__)
  static constexpr std::size_t trap_flag = 0x100;
  // The 128 bytes below the stack pointer (the red zone) may be in use.
  static void begin() noexcept {
    __asm__ volatile(
        "lea -128(%%rsp), %%rsp\n\tpushfq\n\torq %0, (%%rsp)\n\tpopfq\n\tlea 128(%%rsp), %%rsp" ::
            "i"(trap_flag)
        : "memory", "cc");
  }
  static void end() noexcept {
    __asm__ volatile(
        "lea -128(%%rsp), %%rsp\n\tpushfq\n\tandq %0, (%%rsp)\n\tpopfq\n\tlea 128(%%rsp), %%rsp" ::
            "i"(~trap_flag)
        : "memory", "cc");
  }
#else
  static void begin() noexcept {}
  static void end() noexcept {}
#endif

  static inline volatile std::size_t count_ = 0;
  std::array<char, 64 * 1024> memory_{};
  struct sigaction handler_before_ {};
  stack_t stack_before_{};
};

}  // namespace weft_test
