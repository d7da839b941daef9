#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

/// Counts the system calls of a process, in all present threads, from its construction on. The
/// kernel counts (tracepoint `raw_syscalls:sys_enter`), which slows the process down less than a
/// tracer, but needs privileges and a mounted tracefs.
class SystemCalls {
 public:
  explicit SystemCalls(pid_t process);
  ~SystemCalls();
  SystemCalls(const SystemCalls&) = delete;
  SystemCalls& operator=(const SystemCalls&) = delete;

  /// The calls since the construction; nothing if the kernel does not permit counting.
  [[nodiscard]] std::optional<std::uint64_t> count() const;
  /// Why count() returns nothing.
  [[nodiscard]] const std::string& obstacle() const noexcept { return obstacle_; }

 private:
  std::string obstacle_;
  std::vector<int> counters_;
};
