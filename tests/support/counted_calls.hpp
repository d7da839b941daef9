#pragma once

#include <csignal>
#include <cstdint>
#include <optional>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

namespace weft_test {

/// Marks where counting begins and where it ends, with a signal that the tracer does not pass on.
inline void mark_calls() { ::kill(::getpid(), SIGUSR1); }

/// Runs `body` in a child process that is stopped at each system call. Returns how many it makes
/// between its two mark_calls(); nothing if the system does not permit tracing.
template <class F>
std::optional<std::uint64_t> count_system_calls(F body) {
  const pid_t child = ::fork();
  if (child < 0) return {};
  if (child == 0) {
    if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(1);
    ::raise(SIGSTOP);
    body();
    ::_exit(0);
  }
  constexpr int at_call = SIGTRAP | 0x80;
  int status = 0;
  int marks = 0;
  std::uint64_t stops = 0;
  ::waitpid(child, &status, 0);
  if (WIFSTOPPED(status)) ::ptrace(PTRACE_SETOPTIONS, child, nullptr, PTRACE_O_TRACESYSGOOD);
  while (WIFSTOPPED(status)) {
    const int signal = WSTOPSIG(status);
    if (signal == SIGUSR1) ++marks;
    if (signal == at_call && marks == 1) ++stops;
    const bool is_ours = signal == at_call || signal == SIGUSR1 || signal == SIGSTOP;
    ::ptrace(PTRACE_SYSCALL, child, nullptr, static_cast<long>(is_ours ? 0 : signal));
    ::waitpid(child, &status, 0);
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || marks != 2) return {};
  constexpr std::uint64_t of_the_mark = 2;
  return stops / 2 - of_the_mark;  // each call stops before and after
}

}  // namespace weft_test
