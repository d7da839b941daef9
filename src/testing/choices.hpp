#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "scheduler/choice.hpp"
#include "weft/testing.hpp"

namespace weft::testing {

/// Memory that survives the death of the exploring process: a failed assertion leaves its
/// decisions.
struct SharedRecord {
  static constexpr std::size_t most_decisions = 1U << 16U;
  static constexpr std::size_t most_text = 1U << 18U;

  std::uint64_t schedules = 0;
  std::uint64_t failures = 0;
  std::uint32_t decisions = 0;  // of the run in progress
  char failure[most_text] = {};
  char replay[most_text] = {};
  std::uint16_t taken[most_decisions] = {};
};

/// Answers the questions of the seam for one run after the other and records the answers.
class Choices final : public Choice {
 public:
  Choices(const ExploreOptions& options, SharedRecord& record);

  void begin_run() noexcept;
  /// Prepares the next run. False: everything asked for has been run.
  bool next_run() noexcept;
  /// The decisions of this run, as `replay()` takes them.
  [[nodiscard]] std::string recorded() const;
  [[nodiscard]] bool livelocked() const noexcept { return livelocked_; }

  std::size_t next_ready(std::size_t ready) noexcept override;
  std::size_t next_due(std::size_t due) noexcept override;
  void at_suspension(Scheduler& scheduler, CoroutineBase& coroutine) noexcept override;

 private:
  std::size_t decide(std::size_t options) noexcept;

  const ExploreOptions& options_;
  SharedRecord& record_;
  std::vector<std::uint16_t> prefix_;  // what to answer first in this run
  std::vector<std::uint16_t> width_;   // how many answers each question had
  std::mt19937_64 random_;
  std::uint64_t suspensions_ = 0;
  std::uint64_t cancel_at_ = 0;  // random mode: the suspension that cancels somebody
  std::uint64_t last_suspensions_ = 1;
  bool cancelled_ = false;
  bool livelocked_ = false;
};

}  // namespace weft::testing
