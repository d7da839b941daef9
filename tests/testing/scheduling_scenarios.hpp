#pragma once

#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>

#include "base/assert.hpp"
#include "scenario.hpp"
#include "weft/extend/embed.hpp"

// Switches, microtasks, priorities, stacks, and a resume by a host.
namespace weft_test {

inline void microtasks_run_in_the_order_of_posting() {
  auto posted = std::make_shared<int>(0);
  auto run = std::make_shared<int>(0);
  const auto post = [posted, run] {
    for (int i = 0; i < 2; ++i) {
      const int number = ++*posted;
      weft::post_microtask(
          [run, number] { require(++*run == number, "microtasks run in the order of posting"); });
    }
    weft::suspend();
    require(*run == *posted, "and before any other runs");
  };
  auto first = weft::spawn(post);
  auto second = weft::spawn(post);
}

inline void a_microtask_rings() {
  auto door = std::make_shared<Door>();
  auto waiter = weft::spawn([door] {
    while (!door->open) weft::await(door->bell);
  });
  auto poster =
      weft::spawn([at_end = AtEnd{[door] { weft::post_microtask([door] { door->open_it(); }); }}] {
        weft::suspend();
      });
}

inline void switch_handlers_see_every_switch() {
  struct Seen {
    bool inside = false;
    bool finished = false;
    ~Seen() { WEFT_ASSERT(finished, "the end of a coroutine is notified"); }
    bool note(weft::Switch what) {
      WEFT_ASSERT(!finished, "nothing is notified after the end");
      WEFT_ASSERT(what != weft::Switch::enter || !inside, "a coroutine that enters was outside");
      WEFT_ASSERT(what != weft::Switch::leave || inside, "a coroutine that leaves was inside");
      inside = what == weft::Switch::enter;
      finished = what == weft::Switch::finish;
      return true;
    }
  };
  for (int i = 0; i < 2; ++i) {
    auto seen = std::make_shared<Seen>();
    auto worker = weft::spawn([seen] {
      require(seen->inside, "a coroutine that runs is inside");
      weft::suspend();
      require(seen->inside, "a coroutine that runs is inside");
    });
    worker.add_switch_handler([seen](weft::Switch what) { return seen->note(what); });
  }
}

inline void high_priority_waits_as_well() {
  auto door = std::make_shared<Door>();
  const auto wait = [door] {
    while (!door->open) weft::await(door->bell);
    weft::suspend();
  };
  auto urgent = weft::spawn({.priority = weft::Priority::high}, wait);
  auto normal = weft::spawn(wait);
  auto ringer = weft::spawn([at_end = AtEnd{[door] { door->open_it(); }}] {});
}

/// A coroutine begins on the stack of the one that has just ended.
inline void generations_hand_their_stack_over() {
  auto born = std::make_shared<int>(0);
  const auto grandchild = [born] { ++*born; };
  const auto child = [born, grandchild] {
    ++*born;
    weft::spawn(grandchild);
  };
  const auto parent = [born, child] {
    weft::spawn(child);
    weft::suspend();
    ++*born;
  };
  auto first = weft::spawn(parent);
  auto second = weft::spawn([] { weft::suspend(); });
}

inline void two_borrow_the_stack_of_main() {
  auto calls = std::make_shared<int>(0);
  const auto borrow = [calls] {
    weft::suspend();
    weft::run_on_main_stack([&] { ++*calls; });
  };
  auto first = weft::spawn(borrow);
  auto second = weft::spawn(borrow);
  weft::await(first);
  weft::await(second);
  require(*calls == 2, "both calls were made");
}

/// A host resumes a waiter with an error while its event may happen: the waiter gets one of the
/// two.
inline void a_resume_against_an_event() {
  auto door = std::make_shared<Door>();
  auto waiter = weft::spawn([door] {
    try {
      while (!door->open) weft::await(door->bell);
    } catch (const std::runtime_error& error) {
      require(std::strcmp(error.what(), "resumed") == 0, "the error is the one given");
    }
  });
  auto host = weft::spawn([waiter] {
    if (waiter.is_started() && waiter.is_suspended()) {
      weft::resume(waiter.base(), std::make_exception_ptr(std::runtime_error{"resumed"}));
    }
  });
  auto ringer = weft::spawn([at_end = AtEnd{[door] { door->open_it(); }}] {});
}

inline constexpr Scenario scheduling_scenarios[] = {
    {"MicrotasksRunInTheOrderOfPosting", microtasks_run_in_the_order_of_posting},
    {"AMicrotaskRings", a_microtask_rings},
    {"SwitchHandlersSeeEverySwitch", switch_handlers_see_every_switch},
    {"HighPriorityWaitsAsWell", high_priority_waits_as_well},
    {"GenerationsHandTheirStackOver", generations_hand_their_stack_over},
    {"TwoBorrowTheStackOfMain", two_borrow_the_stack_of_main},
    {"AResumeAgainstAnEvent", a_resume_against_an_event},
};

}  // namespace weft_test
