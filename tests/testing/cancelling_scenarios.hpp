#pragma once

#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/assert.hpp"
#include "scenario.hpp"

// Cancelling, protecting, cleaning up.
namespace weft_test {

inline bool is_reason(const weft::Cancelled& cancelled, const std::string& reason) {
  // The explorer gives no reason of its own when it cancels a coroutine.
  return cancelled.reason() == reason ||
         std::strcmp(cancelled.reason(), "Coroutine cancelled") == 0;
}

inline void one_cancels_a_sleeper() {
  auto sleeper = weft::spawn([] {
    try {
      weft::delay(1h);
    } catch (const weft::Cancelled& cancelled) {
      require(is_reason(cancelled, "enough"), "a cancellation says why");
      throw;
    }
  });
  auto other = weft::spawn([sleeper] {
    weft::suspend();
    sleeper.cancel("enough");
    require(sleeper.is_completed() || sleeper.is_cancellation_requested(),
            "the cancellation was requested");
  });
}

inline void one_cancels_itself() {
  auto self = weft::spawn([] {
    weft::current().cancel("had enough");
    weft::suspend();
    require(false, "the next suspension throws");
  });
  auto other = weft::spawn([] { weft::suspend(); });
  try {
    weft::await(self);
    require(false, "a cancelled coroutine has no value");
  } catch (const weft::Cancelled& cancelled) {
    require(is_reason(cancelled, "had enough"), "a cancellation says why");
  }
}

inline void one_is_cancelled_before_or_after_its_start() {
  struct Steps {
    int done = 0;
    weft::Coroutine<void> victim;
    ~Steps() { WEFT_ASSERT(victim.is_started() == (done > 0), "an ignored body never runs"); }
  };
  auto steps = std::make_shared<Steps>();
  steps->victim = weft::spawn([steps] {
    ++steps->done;
    weft::suspend();
    ++steps->done;
  });
  auto canceller = weft::spawn([steps] { steps->victim.cancel(); });
}

/// The coroutine that runs first cancels the other, which has been woken too: at most one goes on.
inline void two_cancel_each_other() {
  struct Pair {
    std::array<weft::Coroutine<void>, 2> both;
    int came_through = 0;
    ~Pair() { WEFT_ASSERT(came_through <= 1, "a cancelled coroutine does not go on"); }
  };
  auto pair = std::make_shared<Pair>();
  const weft::TimePoint moment = weft::now() + 1ms;
  for (std::size_t i = 0; i < 2; ++i) {
    pair->both[i] = weft::spawn([pair, moment, i] {
      weft::delay_until(moment);
      ++pair->came_through;
      pair->both[1 - i].cancel();
    });
  }
}

// R-CAN-6: a coroutine that is cancelled after it was woken, before it runs, does not get the
// value.
inline void a_cancellation_beats_a_value() {
  auto door = std::make_shared<Door>();
  auto waiter = weft::spawn([door] {
    weft::await(door->bell);
    require(false, "a coroutine that is cancelled before it runs sees no value");
  });
  auto both = weft::spawn([at_end = AtEnd{[door, waiter] {
                             door->bell.ring();
                             waiter.cancel();
                           }}] { weft::suspend(); });
}

inline void two_cancel_one_and_the_first_says_why() {
  auto first_reason = std::make_shared<std::string>();
  auto sleeper = weft::spawn([first_reason] {
    try {
      weft::delay(1h);
    } catch (const weft::Cancelled& cancelled) {
      require(is_reason(cancelled, *first_reason), "the first reason is kept");
    }
  });
  const auto cancel = [sleeper, first_reason](const std::string& reason) {
    if (first_reason->empty()) *first_reason = reason;
    sleeper.cancel(reason);
  };
  auto one = weft::spawn(cancel, std::string{"one"});
  auto two = weft::spawn(cancel, std::string{"two"});
}

inline void a_cancelled_wait_leaves_the_awaited_alone() {
  auto done = std::make_shared<bool>(false);
  auto worker = weft::spawn([done] {
    weft::delay(1ms);
    *done = true;
  });
  auto awaiter = weft::spawn([worker] { weft::await(worker); });
  auto canceller = weft::spawn([awaiter] { awaiter.cancel(); });
  weft::await(worker);
  require(*done, "a coroutine that was not cancelled runs to its end");
}

/// Only the explorer cancels, once in a run.
inline void a_swallowed_cancellation_does_not_come_again() {
  struct Steps {
    bool swallowed = false;
    bool reached = false;
    ~Steps() { WEFT_ASSERT(!swallowed || reached, "a cancellation is delivered once"); }
  };
  auto steps = std::make_shared<Steps>();
  auto stubborn = weft::spawn([steps] {
    try {
      weft::delay(1ms);
    } catch (const weft::Cancelled&) {
      steps->swallowed = true;
    }
    weft::suspend();
    weft::delay(1ms);
    steps->reached = true;
  });
  auto other = weft::spawn([] { weft::suspend(); });
}

inline void protection_defers() {
  struct Steps {
    int done = 0;
    ~Steps() { WEFT_ASSERT(done == 0 || done == 3, "a protected section is not cut in two"); }
  };
  auto steps = std::make_shared<Steps>();
  auto worker = weft::spawn([steps] {
    weft::protect([&] {
      ++steps->done;
      weft::suspend();
      ++steps->done;
      weft::delay(1ms);
      ++steps->done;
    });
    require(!weft::current().is_cancellation_requested(), "the end of the section throws");
  });
  auto canceller = weft::spawn([worker] { worker.cancel(); });
}

inline void nested_protection_ends_with_the_outermost() {
  struct Steps {
    int done = 0;
    ~Steps() { WEFT_ASSERT(done == 0 || done == 2, "the inner end throws nothing"); }
  };
  auto steps = std::make_shared<Steps>();
  auto worker = weft::spawn([steps] {
    weft::protect([&] {
      weft::protect([&] {
        ++steps->done;
        weft::suspend();
      });
      weft::suspend();
      ++steps->done;
    });
    require(!weft::current().is_cancellation_requested(), "the outer end throws");
  });
  auto canceller = weft::spawn([worker] {
    weft::suspend();
    worker.cancel();
  });
}

/// A second cancellation during the clean-up: the clean-up is protected and runs to its end.
inline void cleaning_up_is_protected() {
  struct Steps {
    int caught = 0;
    int cleaned = 0;
    ~Steps() { WEFT_ASSERT(caught == cleaned, "a protected clean-up ends"); }
  };
  auto steps = std::make_shared<Steps>();
  auto worker = weft::spawn([steps] {
    try {
      weft::delay(1h);
    } catch (const weft::Cancelled&) {
      ++steps->caught;
      weft::protect([&] {
        weft::suspend();
        ++steps->cleaned;
      });
    }
  });
  auto canceller = weft::spawn([worker] {
    worker.cancel();
    weft::suspend();
    worker.cancel();
  });
}

inline void finally_runs_once() {
  struct Runs {
    int count = 0;
    ~Runs() { WEFT_ASSERT(count == 1, "a finally handler runs exactly once"); }
  };
  auto runs = std::make_shared<Runs>();
  auto worker = weft::spawn([] { weft::suspend(); });
  worker.on_finally([runs](const weft::AnyCoroutine& ended) {
    ++runs->count;
    require(ended.is_completed(), "a finally handler runs after the end");
    weft::suspend();
  });
  auto canceller = weft::spawn([worker] { worker.cancel(); });
}

/// Even if the coroutine that runs the handlers is cancelled in the first one.
inline void all_finally_handlers_run_in_order() {
  struct Order {
    std::vector<int> handlers;
    ~Order() { WEFT_ASSERT((handlers == std::vector<int>{1, 2}), "all handlers run, in order"); }
  };
  auto order = std::make_shared<Order>();
  auto worker = weft::spawn([] { weft::suspend(); });
  for (const int number : {1, 2}) {
    worker.on_finally([order, number] {
      order->handlers.push_back(number);
      weft::suspend();
    });
  }
  auto other = weft::spawn([] { weft::suspend(); });
}

inline constexpr Scenario cancelling_scenarios[] = {
    {"OneCancelsASleeper", one_cancels_a_sleeper},
    {"OneCancelsItself", one_cancels_itself},
    {"OneIsCancelledBeforeOrAfterItsStart", one_is_cancelled_before_or_after_its_start},
    {"TwoCancelEachOther", two_cancel_each_other},
    {"ACancellationBeatsAValue", a_cancellation_beats_a_value},
    {"TwoCancelOneAndTheFirstSaysWhy", two_cancel_one_and_the_first_says_why},
    {"ACancelledWaitLeavesTheAwaitedAlone", a_cancelled_wait_leaves_the_awaited_alone},
    {"ASwallowedCancellationDoesNotComeAgain", a_swallowed_cancellation_does_not_come_again},
    {"ProtectionDefers", protection_defers},
    {"NestedProtectionEndsWithTheOutermost", nested_protection_ends_with_the_outermost},
    {"CleaningUpIsProtected", cleaning_up_is_protected},
    {"FinallyRunsOnce", finally_runs_once},
    {"AllFinallyHandlersRunInOrder", all_finally_handlers_run_in_order},
};

}  // namespace weft_test
