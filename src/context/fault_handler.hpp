#pragma once

#include <csignal>

namespace weft {

/// The SIGSEGV handler of weft, in front of the program's. Installed while one of these lives; the
/// last one restores the program's disposition.
class FaultHandler {
 public:
  /// Called first, in the signal handler. True: the fault was a stack overflow, and is reported.
  using Report = bool (*)(const void* address) noexcept;
  explicit FaultHandler(Report report);
  ~FaultHandler();
  FaultHandler(const FaultHandler&) = delete;
  FaultHandler& operator=(const FaultHandler&) = delete;

  // Around a fork: hold the lock, so that the child gets it unlocked and the data whole.
  static void before_fork() noexcept;
  static void after_fork() noexcept;
};

}  // namespace weft
