#pragma once

#include <csignal>

namespace weft {

/// Weft's handler of SIGSEGV, in front of what the program has set. There as long as one of these
/// lives; with the last one the program's own disposition comes back.
class FaultHandler {
 public:
  /// Called first, in the signal handler. Whether it was an overflow, which it has reported then.
  using Report = bool (*)(const void* address) noexcept;
  explicit FaultHandler(Report report);
  ~FaultHandler();
  FaultHandler(const FaultHandler&) = delete;
  FaultHandler& operator=(const FaultHandler&) = delete;

  // Around a fork: no other thread is in the middle of a change that its child would never see end.
  static void before_fork() noexcept;
  static void after_fork() noexcept;
};

}  // namespace weft
