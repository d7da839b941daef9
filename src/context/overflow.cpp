#include "context/overflow.hpp"

#include <csignal>
#include <cstring>
#include <execinfo.h>
#include <sys/mman.h>
#include <unistd.h>

#include "context/sanitizer.hpp"

namespace weft {
namespace {

constexpr std::size_t alternate_size = std::size_t{64} * 1024;

}  // namespace

OverflowWatch::OverflowWatch(OverflowReporter report) {
  if (WEFT_ASAN != 0 || WEFT_TSAN != 0) return;  // the sanitizers report it themselves
  handler_.emplace(report);
  stack_t present{};
  if (::sigaltstack(nullptr, &present) == 0 && (present.ss_flags & SS_DISABLE) == 0) return;
  void* memory =
      ::mmap(nullptr, alternate_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  stack_t alternate{};
  alternate.ss_sp = memory;
  alternate.ss_size = alternate_size;
  if (::sigaltstack(&alternate, nullptr) == 0) {
    stack_ = memory;
  } else {
    ::munmap(memory, alternate_size);
  }
}

OverflowWatch::~OverflowWatch() {
  if (stack_ == nullptr) return;
#if WEFT_VALGRIND
  // Valgrind would go on to run handlers on this stack. The thread's next runtime takes it over.
  if (RUNNING_ON_VALGRIND != 0) return;
#endif
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  ::sigaltstack(&none, nullptr);
  ::munmap(stack_, alternate_size);
}

void write_safely(const char* text) noexcept {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, std::strlen(text));
}

void write_safely(unsigned long number) noexcept {
  char digits[24];
  char* at = digits + sizeof digits - 1;
  *at = '\0';
  do {
    *--at = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  write_safely(at);
}

void write_frames() noexcept {
  constexpr int most = 16;
  void* frames[most];
  const int count = ::backtrace(frames, most);
  ::backtrace_symbols_fd(frames, count, STDERR_FILENO);
}

}  // namespace weft
