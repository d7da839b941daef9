#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/probe.hpp"
#include "weft/extend/choice.hpp"
#include "weft/testing.hpp"

namespace weft::testing {

/// Memory shared with the process that explores, and read by its parent: when an assertion has
/// ended that process, the decisions of the run are here.
struct SharedRecord {
  static constexpr std::size_t most_decisions = 1U << 16U;
  static constexpr std::size_t most_text = 1U << 18U;

  std::uint64_t schedules = 0;
  std::uint64_t failures = 0;
  std::uint32_t decisions = 0;  // of the run in progress
  bool complete = false;        // all requested runs were made
  bool finished = false;        // the exploring process has ended by itself
  char failure[most_text] = {};
  char replay[7 * most_decisions + 8] = {};  // an answer takes seven characters at most
  char noted[4096] = {};                     // the first text of fail() in the run in progress
  char last_words[256] = {};                 // why the process was ended to stop a run
  std::uint16_t taken[most_decisions] = {};
  // Probes have the same address in the child and its parent.
  Probe::Count probes[256] = {};
};

/// The Choice of an exploration: answers the questions of one run after the other, and records the
/// answers.
///
/// A recorded line has the answers in order, separated by dots. A number says which of the ready
/// coroutines, or of the due timers, came next; c and a number which coroutine was cancelled at a
/// suspension (c0: none). Zeros at the end are left out; "fifo:" in front stands for the order of
/// production.
class Choices final : public Choice {
 public:
  Choices(const ExploreOptions& options, SharedRecord& record);

  void begin_run() noexcept;
  /// Prepares the next run. False if all requested runs were made.
  bool next_run() noexcept;
  /// The decisions of this run, as `replay()` takes them.
  [[nodiscard]] std::string recorded() const;
  /// Called when the run reads the clock. Ends the process if that happens too often.
  void step() noexcept {
    if (++steps_ > options_.max_steps)
      does_not_end("did not end within", options_.max_steps, "steps");
  }
  /// Keeps the text of a failure; the run goes on.
  void note(std::string_view text) noexcept;
  /// Why the answers did not fit the questions of this run; null if they did.
  [[nodiscard]] const char* record_error() const noexcept { return record_error_; }
  /// Whether a coroutine was cancelled in this run.
  [[nodiscard]] bool cancelled() const noexcept { return cancelled_; }
  /// The counters when the run ended, before the runtime cleaned up.
  [[nodiscard]] const Stats& at_end() const noexcept { return at_end_; }

  std::size_t next_ready(std::size_t ready) noexcept override;
  std::size_t next_due(std::size_t due) noexcept override;
  void at_suspension(CoroutineBase& coroutine) noexcept override;
  void at_end(const Stats& stats) noexcept override { at_end_ = stats; }

 private:
  using Answer = std::uint16_t;
  static constexpr Answer cancel_bit = 0x8000;  // an answer about cancellation, not about order
  static constexpr Answer value_mask = 0x7fff;
  static constexpr std::size_t most_options = value_mask;

  void parse(const std::string& line);
  [[noreturn]] void does_not_end(const char* before, std::uint64_t limit,
                                 const char* after) noexcept;
  std::size_t decide(std::size_t options, Answer kind) noexcept;
  bool has_room(std::size_t options) noexcept;
  std::size_t decide_order(std::size_t options) noexcept;

  const ExploreOptions& options_;
  SharedRecord& record_;
  Schedules::Mode mode_;
  bool fifo_;                   // ready coroutines run in the order of production
  bool cancels_;                // cancellations are explored
  std::vector<Answer> prefix_;  // the first answers of this run
  std::vector<Answer> width_;   // how many answers each question had
  std::vector<Answer> expected_width_;
  std::mt19937_64 random_;
  std::uint64_t suspensions_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t longest_ = 0;    // most suspensions of a run so far
  std::uint64_t cancel_at_ = 0;  // random mode: the suspension at which a coroutine is cancelled
  bool cancelled_ = false;
  const char* record_error_ = nullptr;
  Stats at_end_;
};

}  // namespace weft::testing
