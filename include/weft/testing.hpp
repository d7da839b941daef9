#pragma once

#include "weft/detail/abi.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "weft/extend/clock.hpp"
#include "weft/function.hpp"
#include "weft/runtime.hpp"

namespace weft::testing {

/// A clock that stands still while coroutines run (1 us per scheduler pass) and jumps to the next
/// timer when all coroutines wait.
class VirtualClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() noexcept override { return now_; }
  [[nodiscard]] bool is_virtual() const noexcept override { return true; }
  void jump_to(TimePoint moment) noexcept override {
    if (moment > now_) now_ = moment;
  }
  void passed(unsigned passes) noexcept override { now_ += std::chrono::microseconds{passes}; }
  /// Moves the clock on, as if the caller had computed for `duration`.
  void advance(Duration duration) noexcept { now_ += duration; }

 private:
  TimePoint now_{std::chrono::seconds{1'000}};
};

/// Moves the virtual clock of the running test on, as if the caller had computed for `duration`.
void advance(Duration duration);

/// Suspends until every other coroutine is parked or has ended, without letting time pass.
void settle();

/// The orders in which ready coroutines run.
class Schedules {
 public:
  /// The production order (`fifo`), `all` orders, `random` ones, or the `replay` of one.
  enum class Mode : std::uint8_t { fifo, all, random, replay };
  /// Which orders.
  Mode mode = Mode::fifo;
  /// How many random ones.
  std::uint64_t count = 0;
  /// What the random ones begin with.
  std::uint64_t seed = 0;
  /// The run to replay.
  std::string recorded = {};
};
/// The production order only.
inline const Schedules fifo{};
/// Every order of the ready queue. For small scenarios: the number grows like a factorial.
inline const Schedules all{Schedules::Mode::all, 0, 0, {}};
/// `count` random orders; the seed repeats them.
[[nodiscard]] inline Schedules random(std::uint64_t count, std::uint64_t seed = 1) {
  return {Schedules::Mode::random, count, seed, {}};
}
/// One recorded run, as a failure printed it.
[[nodiscard]] inline Schedules replay(std::string recorded) {
  return {Schedules::Mode::replay, 0, 0, std::move(recorded)};
}

/// Where cancellations are injected: `nowhere`, or at `every_point`.
enum class Cancel : std::uint8_t { nowhere, every_point };
/// One run for every suspension and every coroutine alive at it: that coroutine is cancelled there.
inline constexpr Cancel every_point = Cancel::every_point;

/// What explore() runs, and what it counts as a failure.
struct ExploreOptions {
  /// The orders to run.
  Schedules schedules = all;
  /// Where to cancel.
  Cancel cancel = Cancel::nowhere;
  /// Stop with a failure after this many runs: the scenario is too large to enumerate.
  std::uint64_t max_runs = 2'000'000;
  /// A run that makes more suspensions than this counts as a livelock.
  std::uint64_t max_suspensions = 100'000;
  /// A run that takes more steps than this counts as endless. A step is a read of the clock: every
  /// scheduler pass takes a few, even when no coroutine is left and only a timer fires again and
  /// again.
  std::uint64_t max_steps = 2'000'000;
  /// Explore in a child process, so that a failed assertion is reported as a failure.
  bool in_child = true;
  /// A warning of the runtime is a failure.
  bool fail_on_warning = false;
  /// Count all failures instead of stopping at the first.
  bool keep_going = false;
};

/// What an exploration found.
class Report {
 public:
  /// Whether no run failed.
  [[nodiscard]] bool ok() const noexcept { return failure_.empty(); }
  /// How many schedules were run.
  [[nodiscard]] std::uint64_t schedules() const noexcept { return schedules_; }
  /// Whether every schedule asked for was run: none was left out after a failure or at a limit.
  [[nodiscard]] bool complete() const noexcept { return complete_; }
  /// How many of them failed; exploration stops at the first unless `keep_going` is set.
  [[nodiscard]] std::uint64_t failures() const noexcept { return failures_; }
  /// What went wrong first, and the line that replays it.
  [[nodiscard]] const std::string& first_failure() const noexcept { return failure_; }
  /// The text for `replay(...)`; empty if nothing failed.
  [[nodiscard]] const std::string& replay_line() const noexcept { return replay_; }

 private:
  friend class Explorer;
  std::uint64_t schedules_ = 0;
  std::uint64_t failures_ = 0;
  bool complete_ = false;
  std::string failure_;
  std::string replay_;
};

/// Runs `scenario` as a main coroutine under every schedule asked for. A failure is: an exception
/// that leaves the scenario, a deadlock, a counter that does not return to zero, a failed
/// WEFT_ASSERT, a call of fail(), a livelock. A Cancelled that leaves the scenario is no failure if
/// the scenario was asked to end, or the explorer cancelled a coroutine.
[[nodiscard]] Report explore(Function<void()> scenario, ExploreOptions options = {});

/// Marks the explored run in progress as failed with `text`; the run goes on. For places that must
/// not throw, and for the expectations of a test library. Returns false outside an exploration.
bool fail(std::string_view text) noexcept;

template <class F>
requires(!std::invocable<F>) auto run(F&& body, Options options = {}) {
  return weft::run(std::forward<F>(body), std::move(options));  // its static_assert says why
}
/// run() on a virtual clock. exit() throws ExitRequested from here.
template <std::invocable F>
std::invoke_result_t<F> run(F&& body, Options options = {}) {
  VirtualClock clock;
  options.clock = &clock;
  options.reactor_every_switches = 1;
  options.exit_throws = true;
  return weft::run(std::forward<F>(body), std::move(options));
}

/// How often the rare state that WEFT_PROBE names was reached in this process, explorations in a
/// child included if the child ended by itself.
[[nodiscard]] std::uint64_t probe_count(std::string_view name) noexcept;

}  // namespace weft::testing
