#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

/// Counts the system calls of a process, all the threads it has now, from here on. The kernel
/// counts (tracepoint `raw_syscalls:sys_enter`), so the process is not slowed down as a tracer
/// would; that needs the rights to do so and a mounted tracefs.
class SystemCalls {
 public:
  explicit SystemCalls(pid_t process);
  ~SystemCalls();
  SystemCalls(const SystemCalls&) = delete;
  SystemCalls& operator=(const SystemCalls&) = delete;

  /// Since the beginning; nothing where the kernel does not let us count.
  [[nodiscard]] std::optional<std::uint64_t> count() const;
  /// Why count() has nothing.
  [[nodiscard]] const std::string& obstacle() const noexcept { return obstacle_; }

 private:
  std::string obstacle_;
  std::vector<int> counters_;
};
