#pragma once

#include <array>
#include <memory>
#include <string>

#include "base/assert.hpp"
#include "scenario.hpp"
#include "weft/extend/embed.hpp"

// Spawning, awaiting, and the events that wake.
namespace weft_test {

inline void spawned_ones_run_once() {
  struct Runs {
    int first = 0;
    int second = 0;
    ~Runs() { WEFT_ASSERT(first <= 1 && second <= 1, "a body ran twice"); }
  };
  auto runs = std::make_shared<Runs>();
  auto first = weft::spawn([runs] { ++runs->first; });
  auto second = weft::spawn([runs] { ++runs->second; });
  weft::await(first);
  require(runs->first == 1, "an awaited body ran");
  weft::await(second);
  require(runs->second == 1, "an awaited body ran");
}

inline void a_value_is_awaited() {
  auto worker = weft::spawn([] {
    weft::suspend();
    return 7;
  });
  auto other = weft::spawn([] { weft::suspend(); });
  require(weft::await(worker) == 7, "an await gives the value");
  require(worker.is_completed(), "an await returns after the end");
  weft::await(other);
}

inline void a_chain_of_awaits() {
  auto last = weft::spawn([] {
    weft::suspend();
    return 1;
  });
  auto middle = weft::spawn([last] { return weft::await(last) + 1; });
  auto first = weft::spawn([middle, last] {
    const int sum = weft::await(middle) + 1;
    require(last.is_completed(), "the end of a chain comes before its beginning");
    return sum;
  });
  require(weft::await(first) == 3, "a value comes up the chain");
}

inline void two_await_one() {
  auto worker = weft::spawn([] {
    weft::suspend();
    return std::string{"seven"};
  });
  const auto look = [worker] {
    try {
      require(weft::await(worker) == "seven", "both see the value");
    } catch (const weft::Cancelled&) {
      require(worker.is_cancelled() || weft::current().is_cancellation_requested(),
              "only a cancelled one throws Cancelled");
      throw;
    }
  };
  auto first = weft::spawn(look);
  auto second = weft::spawn(look);
}

/// A value that cannot be copied: the await that comes second is refused.
inline void two_await_what_can_be_had_once() {
  auto taken = std::make_shared<int>(0);
  auto worker = weft::spawn([] {
    weft::suspend();
    return std::make_unique<int>(7);
  });
  const auto take = [worker, taken] {
    try {
      require(*weft::await(worker) == 7, "the value is moved out whole");
      require(++*taken == 1, "only one awaiter gets the value");
    } catch (const weft::MisuseError&) {
      require(*taken == 1, "the other awaiter has the value");
    }
  };
  auto first = weft::spawn(take);
  auto second = weft::spawn(take);
}

inline void yields_return_once_each() {
  auto counts = std::make_shared<std::array<int, 2>>();
  const auto yields = [counts](std::size_t mine) {
    for (int i = 0; i < 2; ++i) {
      weft::suspend();
      ++(*counts)[mine];
    }
  };
  auto first = weft::spawn(yields, std::size_t{0});
  auto second = weft::spawn(yields, std::size_t{1});
  weft::await(first);
  require((*counts)[0] == 2, "each yield returns once");
  weft::await(second);
  require((*counts)[1] == 2, "each yield returns once");
}

inline void the_shorter_delay_ends_first() {
  auto shorter = weft::spawn([] { weft::delay(1ms); });
  auto longer = weft::spawn([shorter] {
    weft::delay(2ms);
    require(shorter.is_completed(), "the shorter delay ends first");
  });
}

inline void delays_to_one_moment() {
  const weft::TimePoint moment = weft::now() + 1ms;
  const auto sleep = [moment] {
    weft::delay_until(moment);
    require(weft::now() >= moment, "no delay ends early");
    require(weft::now() < moment + 1ms, "nor late");
  };
  for (int i = 0; i < 3; ++i) weft::spawn(sleep);
}

inline void a_ring_is_never_lost() {
  auto door = std::make_shared<Door>();
  auto waiter = weft::spawn([door] {
    while (!door->open) weft::await(door->bell);
  });
  auto ringer = weft::spawn([at_end = AtEnd{[door] { door->open_it(); }}] { weft::suspend(); });
}

inline void one_ring_wakes_all() {
  auto door = std::make_shared<Door>();
  auto wakes = std::make_shared<int>(0);
  const auto wait = [door, wakes] {
    if (door->open) return;
    weft::await(door->bell);
    require(door->open, "none wakes before the ring");
    require(++*wakes <= 2, "a ring wakes each once");
  };
  auto first = weft::spawn(wait);
  auto second = weft::spawn(wait);
  auto ringer = weft::spawn([at_end = AtEnd{[door] { door->open_it(); }}] { weft::suspend(); });
}

/// A trigger that fires before the wait.
inline void a_firing_is_kept() {
  auto bell = weft::make_ref<weft::Trigger>();
  auto waiter = weft::spawn([bell] { weft::await(*bell); });
  auto firing = weft::spawn([at_end = AtEnd{[bell] { bell->fire(); }}] { weft::suspend(); });
}

inline void an_event_against_its_timeout() {
  auto door = std::make_shared<Door>();
  const weft::TimePoint moment = weft::now() + 5ms;
  auto waiter = weft::spawn([door, moment] {
    weft::Timer deadline{moment - weft::now()};
    const AtEnd check{[&deadline] {
      WEFT_ASSERT(!deadline.is_armed(), "a decided wait leaves nothing armed");
      WEFT_ASSERT(deadline.subscribers() == 0, "a decided wait leaves no subscription");
    }};
    try {
      weft::await(door->bell, deadline);
      require(door->open, "it is the bell that rang");
    } catch (const weft::OperationCancelled&) {
      require(deadline.is_closed() && weft::now() >= moment, "it is the time that passed");
    }
  });
  auto ringer = weft::spawn([door, moment] {
    weft::delay_until(moment);
    door->open_it();
  });
}

// trap 15: when one of two waits ends, the token that they share stays started.
inline void two_waits_share_a_token() {
  auto door = std::make_shared<Door>();
  auto token = weft::make_ref<weft::Timer>(5ms);
  const auto wait = [door, token] {
    try {
      weft::await(door->bell, *token);
      require(false, "it is not rung");
    } catch (const weft::OperationCancelled&) {
      require(token->is_closed(), "the token has fired");
    }
  };
  auto first = weft::spawn(wait);
  auto second = weft::spawn(wait);
}

// A wait that its event has decided leaves no timer in the loop.
inline void a_decided_wait_leaves_no_timer() {
  auto door = std::make_shared<Door>();
  auto deadline = weft::make_ref<weft::Timer>(1h);
  auto waiter = weft::spawn([door, deadline] {
    try {
      if (!door->open) weft::await(door->bell, *deadline);
    } catch (const weft::OperationCancelled&) {  // the ringer was cancelled before it rang
    }
    require(!deadline->is_armed(), "the deadline is not armed any more");
  });
  auto ringer = weft::spawn([door] { door->open_it(); });
}

inline void a_coroutine_is_a_token() {
  auto door = std::make_shared<Door>();
  auto token = weft::spawn([] { weft::suspend(); });
  auto waiter = weft::spawn([door, token] {
    try {
      weft::await(door->bell, token);
      require(false, "it is not rung");
    } catch (const weft::OperationCancelled&) {
      require(token.is_completed(), "the token has ended");
    }
  });
  auto other = weft::spawn([] { weft::suspend(); });
}

inline void a_period_is_awaited_twice() {
  auto ticking = std::make_shared<weft::Timer>(2ms, weft::Timer::Kind::periodic);
  const auto wait = [ticking] {
    for (int i = 1; i <= 2; ++i) {
      const weft::TimePoint before = weft::now();
      weft::await(*ticking);
      require(weft::now() - before <= 2ms + 100us, "a period is no longer than it should be");
    }
  };
  auto first = weft::spawn(wait);
  auto second = weft::spawn(wait);
}

/// The timer of a delay fires while other coroutines are ready.
inline void a_delay_ends_while_others_are_ready() {
  const weft::TimePoint start = weft::now();
  auto sleeper = weft::spawn([start] {
    weft::delay(1ms);
    require(weft::now() - start >= 1ms, "no delay ends early");
  });
  auto busy = weft::spawn([] {
    weft::testing::advance(2ms);
    weft::tick_reactor();
    weft::suspend();
  });
  auto other = weft::spawn([] { weft::suspend(); });
}

inline constexpr Scenario waiting_scenarios[] = {
    {"SpawnedOnesRunOnce", spawned_ones_run_once},
    {"AValueIsAwaited", a_value_is_awaited},
    {"AChainOfAwaits", a_chain_of_awaits},
    {"TwoAwaitOne", two_await_one},
    {"TwoAwaitWhatCanBeHadOnce", two_await_what_can_be_had_once},
    {"YieldsReturnOnceEach", yields_return_once_each},
    {"TheShorterDelayEndsFirst", the_shorter_delay_ends_first},
    {"DelaysToOneMoment", delays_to_one_moment},
    {"ARingIsNeverLost", a_ring_is_never_lost},
    {"OneRingWakesAll", one_ring_wakes_all},
    {"AFiringIsKept", a_firing_is_kept},
    {"AnEventAgainstItsTimeout", an_event_against_its_timeout},
    {"TwoWaitsShareAToken", two_waits_share_a_token},
    {"ADecidedWaitLeavesNoTimer", a_decided_wait_leaves_no_timer},
    {"ACoroutineIsAToken", a_coroutine_is_a_token},
    {"APeriodIsAwaitedTwice", a_period_is_awaited_twice},
    {"ADelayEndsWhileOthersAreReady", a_delay_ends_while_others_are_ready, every_point, true},
};

}  // namespace weft_test
