#pragma once

#include <optional>

#include "context/fault_handler.hpp"

namespace weft {

/// Names the coroutine whose stack overflowed. Called in a signal handler on a stack of its own.
using OverflowReporter = FaultHandler::Report;

/// While one lives, an access to a stack guard prints what `report` prints and then aborts; any
/// other fault takes its usual course. Each thread with a runtime gets an alternate signal stack.
class OverflowWatch {
 public:
  explicit OverflowWatch(OverflowReporter report);
  ~OverflowWatch();
  OverflowWatch(const OverflowWatch&) = delete;
  OverflowWatch& operator=(const OverflowWatch&) = delete;

 private:
  std::optional<FaultHandler> handler_;
  void* stack_ = nullptr;  // null if the thread had one
};

/// Writes text to standard error with nothing but async-signal-safe calls.
void write_safely(const char* text) noexcept;
void write_safely(unsigned long number) noexcept;
/// The frames of the interrupted code, innermost first.
void write_frames() noexcept;

}  // namespace weft
