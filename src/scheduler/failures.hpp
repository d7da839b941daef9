#pragma once

#include <cstddef>

#include "scheduler/coroutine_list.hpp"

namespace weft {

class Ending;

/// Failed coroutines whose error has not been read. As long as a handle holds one, the error may
/// still be read; when the last handle goes, it goes to the owner, or ends the program.
class Failures {
 public:
  /// Warns of failures that handles hold when the runtime ends: later nothing reports them.
  void report_held() noexcept;
  void forget_all_held() noexcept;
  /// The same for failures whose last handle went.
  void report_dropped() noexcept;

  /// `coroutine` has failed, and a handle holds it.
  void hold(CoroutineBase& coroutine) noexcept;
  /// Its error was read, or the coroutine is destroyed.
  void forget(CoroutineBase& coroutine) noexcept;
  /// Its last handle went. True if its error was not read: the caller then has flush() called.
  bool handle_dropped(CoroutineBase& coroutine) noexcept;
  /// Hands the failures that cannot be read any more to their owners, or to `ending`.
  void flush(Ending& ending) noexcept;

  [[nodiscard]] bool has_dropped() const noexcept { return !dropped_.empty(); }
  [[nodiscard]] std::size_t dropped() const noexcept { return dropped_.size(); }

 private:
  static void report(CoroutineBase& coroutine) noexcept;
  static void unpin(CoroutineBase& coroutine) noexcept;

  CoroutineList held_;
  CoroutineList dropped_;
};

}  // namespace weft
