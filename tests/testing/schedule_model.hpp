#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft_test {

/// Counts, without weft, the schedules of a program in which main spawns workers, which yield
/// `yields` times, and awaits them in order. With `cancelling`, each run cancels one coroutine at
/// one suspension, or none.
class ScheduleModel {
 public:
  static std::uint64_t count(const std::vector<int>& yields, bool cancelling) {
    State start;
    for (const int each : yields) {
      start.ready.push_back(start.workers.size());
      start.workers.push_back({each});
    }
    start.may_cancel = cancelling;
    return main_goes_on(start);
  }

 private:
  struct Worker {
    int yields = 0;
    bool started = false;
    bool cancelled = false;  // ends when it runs next
    bool failed = false;     // has ended with Cancelled
    bool ended = false;
  };
  enum class Main { runs, waits, queued, ended };
  static constexpr std::size_t main_id = ~std::size_t{0};
  struct State {
    std::vector<Worker> workers;
    std::vector<std::size_t> ready;
    Main main = Main::runs;
    std::size_t awaited = 0;
    bool main_cancelled = false;
    bool may_cancel = false;
  };

  static std::uint64_t main_goes_on(State state) {
    state.main = Main::runs;
    while (!state.main_cancelled && state.awaited < state.workers.size()) {
      const Worker& worker = state.workers[state.awaited];
      if (!worker.ended) {
        state.main = Main::waits;
        return suspension(state, main_id);
      }
      if (worker.failed) break;  // the await throws, which ends main
      ++state.awaited;
    }
    state.main = Main::ended;
    return next_turn(state);
  }

  static std::uint64_t suspension(const State& state, std::size_t who) {
    std::uint64_t total = next_turn(state);
    if (!state.may_cancel) return total;
    for (std::size_t victim = 0; victim < state.workers.size(); ++victim) {
      if (state.workers[victim].ended) continue;
      State changed = state;
      changed.may_cancel = false;
      changed.workers[victim].cancelled = true;
      total += next_turn(changed);
    }
    if (state.main == Main::ended) return total;
    State changed = state;
    changed.may_cancel = false;
    changed.main_cancelled = true;
    if (who == main_id) return total + main_goes_on(changed);  // main has not switched away yet
    if (changed.main == Main::waits) wake_main(changed);
    return total + next_turn(changed);
  }

  static std::uint64_t next_turn(const State& state) {
    if (state.ready.empty()) return 1;
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < state.ready.size(); ++i) {
      State changed = state;
      const std::size_t who = changed.ready[i];
      changed.ready.erase(changed.ready.begin() + static_cast<std::ptrdiff_t>(i));
      total += who == main_id ? main_goes_on(changed) : worker_goes_on(changed, who);
    }
    return total;
  }

  static std::uint64_t worker_goes_on(State& state, std::size_t who) {
    Worker& worker = state.workers[who];
    if (!worker.cancelled && worker.yields > 0) {
      --worker.yields;
      worker.started = true;
      state.ready.push_back(who);
      return suspension(state, who);
    }
    worker.ended = true;
    worker.failed = worker.cancelled;
    if (state.main == Main::waits && state.awaited == who) wake_main(state);
    return next_turn(state);
  }

  static void wake_main(State& state) {
    state.main = Main::queued;
    state.ready.push_back(main_id);
  }
};

}  // namespace weft_test
