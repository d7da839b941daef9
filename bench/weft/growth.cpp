// Claim: what an operation costs does not depend on how many coroutines there are: from 10 to
// 1,000,000 of them, a spawn, a wake, a timer and a cancellation stay within 1.5 of their cost
// among few.
//
// Usage: bench_weft_growth COUNT [ROUNDS [OPERATION]]
// A round spawns COUNT coroutines that wait for a semaphore (spawn), wakes each of them once (wake)
// and cancels them all (cancel). Then COUNT coroutines sleep for 1 to 2 s each on a clock that is
// set forward, so that all of them are due at once and sleep again (timer). Every operation
// visits all COUNT coroutines before it returns to the first, so the cost includes cache misses.
// The first round is not measured: it makes the stacks. Prints "OPERATION nanoseconds" of CPU time.
//
// With OPERATION only that operation is measured, for callgrind with --instr-atstart=no, which then
// counts no other instructions. Also prints "operations NUMBER". Of many coroutines only some,
// evenly chosen, are cancelled then, because a throw takes long under callgrind.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <random>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#endif

#include "weft/extend/clock.hpp"
#include "weft/extend/stack_policy.hpp"
#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;

// The smallest stacks: a million larger ones do not fit into memory under valgrind.
constexpr weft::SpawnOptions small_stack{.stack_size = std::size_t{16} * 1024};

double cpu_nanoseconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

/// The cost of the two clock readings of one measurement.
double stopwatch_nanoseconds() {
  constexpr int readings = 10'000;
  const double begin = cpu_nanoseconds();
  for (int i = 1; i < readings; ++i) cpu_nanoseconds();
  return (cpu_nanoseconds() - begin) / readings;
}

/// The cost of one operation, summed over the rounds.
class Meter {
 public:
  Meter(const char* name, std::string_view counted) : name_{name}, counted_{counted == name} {}

  /// Runs `work`, which makes `operations` operations, and measures it unless this is the first
  /// round.
  template <class Work>
  void measure(bool warm, std::size_t operations, const Work& work) {
    if (!warm) return work();
    if (counted_) CALLGRIND_START_INSTRUMENTATION;
    const double begin = cpu_nanoseconds();
    work();
    nanoseconds_ += cpu_nanoseconds() - begin - stopwatch_;
    if (counted_) CALLGRIND_STOP_INSTRUMENTATION;
    operations_ += operations;
  }
  void print(std::string_view counted) const {
    if (counted_) std::printf("operations %zu\n", operations_);
    if (counted.empty()) {
      std::printf("%s %.3f\n", name_, nanoseconds_ / static_cast<double>(operations_));
    }
  }

 private:
  const char* name_;
  bool counted_;
  double stopwatch_ = stopwatch_nanoseconds();
  double nanoseconds_ = 0;
  std::size_t operations_ = 0;
};

/// A clock that stands still until it is set forward.
class HandClock final : public weft::Clock {
 public:
  [[nodiscard]] weft::TimePoint now() noexcept override { return now_; }
  void advance(std::chrono::milliseconds time) noexcept { now_ += time; }

 private:
  weft::TimePoint now_ = weft::Clock::real().now();
};

/// Keeps all stacks for the next round.
class KeepAll final : public weft::StackPolicy {
 public:
  std::size_t keep(std::size_t, std::size_t, std::size_t) noexcept override {
    return std::numeric_limits<std::size_t>::max();
  }
};

/// Yields until `condition` holds; throws if it does not after many yields.
template <class Condition>
void turns_until(const Condition& condition) {
  for (int turn = 0; !condition(); ++turn) {
    if (turn == 10'000) throw std::runtime_error{"some coroutines did not get where they should"};
    weft::suspend();
  }
}

/// The operation to measure; all if `counted` is empty.
struct Plan {
  std::size_t count;
  int rounds;
  std::string_view counted;

  [[nodiscard]] bool has(std::string_view operation) const {
    return counted.empty() || counted == operation;
  }
  /// Every how many coroutines one is cancelled.
  [[nodiscard]] std::size_t cancel_step() const {
    constexpr std::size_t enough = 10'000;
    return counted.empty() || count < enough ? 1 : count / enough;
  }
};

struct Meters {
  explicit Meters(std::string_view counted)
      : spawn{"spawn", counted},
        wake{"wake", counted},
        timer{"timer", counted},
        cancel{"cancel", counted} {}
  Meter spawn, wake, timer, cancel;
};

/// COUNT coroutines that wait for a semaphore in a loop.
class Line {
 public:
  explicit Line(std::size_t count) : count_{count} { handles_.reserve(count); }

  void spawn() {
    for (std::size_t i = 0; i < count_; ++i) {
      handles_.push_back(weft::spawn(small_stack, [this] { stand(); }));
    }
    turns_until([&] { return permits_.waiting() == count_; });
  }
  void wake() {
    woken_ = 0;
    for (std::size_t i = 0; i < count_; ++i) permits_.release();
    turns_until([&] { return woken_ == count_ && permits_.waiting() == count_; });
  }
  void cancel(std::size_t step) {
    const std::size_t left = weft::stats().coroutines - cancelled(step);
    for (std::size_t i = 0; i < count_; i += step) std::exchange(handles_[i], {}).cancel();
    turns_until([&] { return weft::stats().coroutines == left; });
  }
  [[nodiscard]] std::size_t cancelled(std::size_t step) const { return (count_ + step - 1) / step; }
  /// Ends the coroutines that were not cancelled.
  void end() {
    over_ = true;
    while (permits_.waiting() > 0) permits_.release();
    for (const auto& handle : handles_) {
      if (handle) weft::await(handle);
    }
  }

 private:
  void stand() {
    for (;;) {
      permits_.acquire();
      if (over_) return;
      ++woken_;
    }
  }

  std::size_t count_;
  weft::Semaphore permits_{0};
  std::size_t woken_ = 0;
  bool over_ = false;
  std::vector<weft::Coroutine<void>> handles_;
};

void line_round(const Plan& plan, bool warm, Meters& meters) {
  Line line{plan.count};
  meters.spawn.measure(warm, plan.count, [&] { line.spawn(); });
  if (plan.has("wake")) meters.wake.measure(warm, plan.count, [&] { line.wake(); });
  if (plan.has("cancel")) {
    const std::size_t step = plan.cancel_step();
    meters.cancel.measure(warm, line.cancelled(step), [&] { line.cancel(step); });
  }
  line.end();
}

void timer_rounds(const Plan& plan, HandClock& clock, Meter& meter) {
  std::mt19937 generator{1};
  std::uniform_int_distribution<int> milliseconds{1000, 2000};
  std::size_t woken = 0;
  bool over = false;
  std::vector<weft::Coroutine<void>> sleepers;
  sleepers.reserve(plan.count);
  for (std::size_t i = 0; i < plan.count; ++i) {
    sleepers.push_back(
        weft::spawn(small_stack, [&, each = std::chrono::milliseconds{milliseconds(generator)}] {
          for (; !over; ++woken) weft::delay(each);
        }));
  }
  turns_until([&] { return weft::stats().armed_timers >= plan.count; });
  for (int round = 0; round <= plan.rounds; ++round) {
    clock.advance(2001ms);
    const std::size_t wanted = woken + plan.count;
    meter.measure(round > 0, plan.count, [&] { turns_until([&] { return woken == wanted; }); });
  }
  over = true;
  clock.advance(2001ms);
  for (const auto& sleeper : sleepers) weft::await(sleeper);
}

void measure(const Plan& plan, HandClock& clock, Meters& meters) {
  for (int round = 0; round <= plan.rounds && plan.counted != "timer"; ++round) {
    line_round(plan, round > 0, meters);
  }
  if (plan.has("timer")) timer_rounds(plan, clock, meters.timer);
  for (const Meter* meter : {&meters.spawn, &meters.wake, &meters.timer, &meters.cancel}) {
    meter->print(plan.counted);
  }
  std::fflush(stdout);
  // Skips the destruction: callgrind would search its list of stacks for each of them.
  if (!plan.counted.empty()) std::_Exit(0);
}

}  // namespace

int main(int argc, char** argv) {
  const Plan plan{.count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 0,
                  .rounds = argc > 2 ? std::atoi(argv[2]) : 1,
                  .counted = argc > 3 ? argv[3] : ""};
  if (plan.count == 0 || plan.rounds < 1) {
    std::fputs("usage: bench_weft_growth COUNT [ROUNDS [spawn|wake|timer|cancel]]\n", stderr);
    return 2;
  }
  HandClock clock;
  KeepAll policy;
  weft::Options options;
  options.clock = &clock;
  options.stack_policy = &policy;
  options.reactor_every_switches = 1;  // due timers fire in the pass after the clock was set
  Meters meters{plan.counted};
  weft::run([&] { measure(plan, clock, meters); }, options);
}
