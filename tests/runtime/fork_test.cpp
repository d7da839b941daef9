#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "context/sanitizer.hpp"
#include "failures.hpp"
#include "support.hpp"
#include "weft/extend/embed.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::is;

/// Runs `body` in the child and exits with its result; 99 after an exception.
template <class F>
[[noreturn]] void as_child(F body) {
  int code = 99;
  try {
    code = body();
  } catch (...) {
    code = 99;
  }
  _exit(code);
}

int exit_code_of(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// R-REA-13, trap 25
TEST(Fork, IsRefusedWhileOtherCoroutinesLive) {
  weft::testing::run([] {
    const auto try_to_fork = [] {
      if (weft::fork() == 0) _exit(99);
    };
    auto queued = weft::spawn([] { weft::delay(1ms); });
    EXPECT_TRUE(is<weft::MisuseError>(error_of(try_to_fork)));
    weft::suspend();  // parked now
    EXPECT_TRUE(is<weft::MisuseError>(error_of(try_to_fork)));
    auto inner = weft::spawn([&] { EXPECT_TRUE(is<weft::MisuseError>(error_of(try_to_fork))); });
    weft::await(inner);
    weft::await(queued);
  });
}

// R-REA-13, trap 25
TEST(Fork, GivesTheChildALoopOfItsOwn) {
  weft::testing::run([] {
    weft::await(weft::spawn([] { weft::delay(1ms); }));  // uses the loop before the fork
    const int child = weft::fork();
    if (child == 0) {
      as_child([] {
        auto sleeper = weft::spawn([] {
          weft::delay(5ms);
          return 7;
        });
        return weft::await(sleeper);
      });
    }
    EXPECT_EQ(exit_code_of(child), 7);
    weft::delay(5ms);
    EXPECT_EQ(weft::await(weft::spawn([] { return 3; })), 3);
  });
}

// R-REA-13: a trigger wakes the loop of its own process only.
TEST(Fork, SeparatesTheTriggersOfParentAndChild) {
  weft::run([] {
    weft::Trigger warm_up;
    warm_up.fire();
    weft::await(warm_up);
    const int child = weft::fork();
    const auto wait_for_a_thread = [] {
      weft::Trigger trigger;
      std::thread firing{[&] { trigger.fire(); }};
      weft::await(trigger);
      firing.join();
      return 7;
    };
    if (child == 0) as_child(wait_for_a_thread);
    EXPECT_EQ(wait_for_a_thread(), 7);
    EXPECT_EQ(exit_code_of(child), 7);
    EXPECT_EQ(wait_for_a_thread(), 7);
  });
}

template <class F>
bool is_refused(F body) {
  return is<weft::MisuseError>(error_of(body));
}

// R-REA-13, trap 25
TEST(Fork, OfThePlainKindMarksTheChildsRuntimeDead) {
  weft::testing::run([] {
    auto parked = weft::spawn([] { weft::delay(10ms); });
    auto ended = weft::spawn([] { return 5; });
    weft::await(ended);
    const pid_t child = ::fork();
    if (child == 0) {
      as_child([&] {
        Doorbell bell;
        if (!is_refused([] { weft::spawn([] {}); })) return 1;
        if (!is_refused([] { weft::suspend(); })) return 2;
        if (!is_refused([] { weft::delay(1ms); })) return 3;
        if (!is_refused([&] { weft::await(bell); })) return 4;
        if (!is_refused([&] { weft::await(parked); })) return 5;
        if (!is_refused([] { weft::post_microtask([] {}); })) return 6;
        if (!is_refused([] { weft::tick_reactor(); })) return 7;
        if (!is_refused([] {
              if (weft::fork() == 0) _exit(99);
            })) {
          return 8;
        }
        return 0;
      });
    }
    EXPECT_EQ(exit_code_of(child), 0);
    weft::await(parked);  // the parent goes on
  });
}

// R-REA-13, trap 25: the child has no runtime to return to, so it ends with the forking coroutine.
TEST(Fork, OfThePlainKindInsideACoroutineEndsTheChildWithIt) {
  weft::testing::run([] {
    int runs = 0;
    pid_t child = -1;
    auto forking = weft::spawn([&] {
      child = ::fork();
      ++runs;
      if (child == 0) {
        if (!is_refused([] { weft::suspend(); })) _exit(2);
        if (!is_refused([] { weft::spawn([] {}); })) _exit(3);
        return;  // ends the child, which has no runtime
      }
      weft::suspend();
    });
    const pid_t parent = ::getpid();
    weft::await(forking);
    if (::getpid() != parent) _exit(4);
    EXPECT_EQ(exit_code_of(child), 1);
    EXPECT_EQ(runs, 1);
    weft::delay(1ms);  // the parent goes on
  });
}

// trap 25: the other coroutines, and the events that they wait for, stay with the parent.
TEST(Fork, OfThePlainKindMayGoOnWithTheCallingCoroutineAlone) {
  weft::testing::run([] {
    bool other_ran = false;
    auto other = weft::spawn([&] {
      weft::delay(1ms);
      other_ran = true;
    });
    weft::suspend();
    auto forking = weft::spawn([&] {
      const pid_t child = ::fork();
      if (child == 0) {
        as_child([&] {
          weft::continue_alone_after_fork();
          weft::delay(5ms);
          auto inner = weft::spawn([] {
            weft::delay(1ms);
            return 7;
          });
          if (!is<weft::Cancelled>(error_of([&] { weft::await(other); }))) return 1;
          if (other_ran) return 2;
          if (weft::stats().coroutines != 2) return 3;
          return weft::await(inner);
        });
      }
      return exit_code_of(child);
    });
    EXPECT_EQ(weft::await(forking), 7);
    weft::await(other);
    EXPECT_TRUE(other_ran);
  });
}

TEST(Fork, IsNotWhatGoesOnAloneOutsideAChild) {
  EXPECT_TRUE(is_refused([] { weft::continue_alone_after_fork(); }));
  weft::testing::run([] { EXPECT_TRUE(is_refused([] { weft::continue_alone_after_fork(); })); });
}

// R-REA-13
TEST(Fork, OfThePlainKindBeforeTheRuntimeIsHarmless) {
  const pid_t child = ::fork();
  if (child == 0) {
    as_child([] {
      return weft::testing::run([] {
        weft::delay(1ms);
        return 7;
      });
    });
  }
  EXPECT_EQ(exit_code_of(child), 7);
}

// trap 74: a thread that holds a lock at the fork does not exist in the child, so nothing releases
// it.
TEST(StressForkTest, AChildMakesARuntimeWhileOtherThreadsMakeAndEndTheirs) {
  if (WEFT_TSAN) GTEST_SKIP() << "the thread sanitizer does not follow a fork with threads";
  std::vector<std::jthread> others;
  for (int i = 0; i < 3; ++i) {
    others.emplace_back([](const std::stop_token& stop) {
      while (!stop.stop_requested()) weft::run([] {});
    });
  }
  for (int i = 0; i < 3'000; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(10);
      as_child([] { return weft::run([] { return 7; }); });
    }
    ASSERT_EQ(exit_code_of(child), 7) << "in fork " << i;
  }
}

}  // namespace
