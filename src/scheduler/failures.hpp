#pragma once

#include <cstddef>

#include "scheduler/coroutine_list.hpp"

namespace weft {

class Ending;

/// Failed coroutines whose error has not been read. While a handle holds one it may still be; when
/// the last handle goes, the failure goes to its owner, or ends the program.
class Failures {
 public:
  /// Of those that are still held, when the runtime ends: later there is no way to tell of them.
  void report_held() noexcept;
  void forget_all_held() noexcept;
  /// The same for those whose last handle went.
  void report_dropped() noexcept;

  /// `coroutine` has failed, and a handle holds it.
  void hold(CoroutineBase& coroutine) noexcept;
  /// Its error was read, or the coroutine goes.
  void forget(CoroutineBase& coroutine) noexcept;
  /// Its last handle went. True if its error was not read: then flush() is to be called.
  bool handle_dropped(CoroutineBase& coroutine) noexcept;
  /// Hands the failures that cannot be read any more to their owners, or to `ending`.
  void flush(Ending& ending) noexcept;

  [[nodiscard]] bool has_dropped() const noexcept { return !dropped_.empty(); }
  [[nodiscard]] std::size_t dropped() const noexcept { return dropped_.size(); }

 private:
  static void report(CoroutineBase& coroutine) noexcept;
  static void let_go(CoroutineBase& coroutine) noexcept;

  CoroutineList held_;
  CoroutineList dropped_;
};

}  // namespace weft
