#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "weft/extend/choice.hpp"
#include "weft/options.hpp"

namespace weft_hostile {

/// What the intruder does at a suspension.
enum class Attack : std::uint8_t {
  none,             // only counts the suspensions
  shutdown,         // shutdown() is called
  deadlock,         // a deadlock is declared
  cancel,           // main is cancelled
  error,            // the wait fails with an error that the program does not know
  fork,             // the program calls fork() instead of weft::fork()
  leave_directory,  // the program changes to another directory, and its new files have no
                    // permissions
};

/// The Choice of a program's schedulers: counts the suspensions of all its runtimes and attacks at
/// one of them. Coroutines run in the order of production.
class Intruder final : public weft::Choice {
 public:
  Intruder(Attack attack, std::uint64_t point) noexcept : attack_{attack}, point_{point} {}

  std::size_t next_ready(std::size_t /*ready*/) noexcept override { return 0; }
  std::size_t next_due(std::size_t /*due*/) noexcept override { return 0; }
  void at_suspension(weft::CoroutineBase& coroutine) noexcept override;

  [[nodiscard]] std::uint64_t suspensions() const noexcept { return suspensions_; }

 private:
  Attack attack_;
  std::uint64_t point_;
  std::uint64_t suspensions_ = 0;
};

/// Every runtime that this thread makes from now on uses `intruder`, except in explorations.
void let_in(Intruder& intruder) noexcept;

}  // namespace weft_hostile
