#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "all_schedules.hpp"
#include "failures.hpp"
#include "support.hpp"

// Sections that begin in a destructor while an exception or a cancellation unwinds: shielded from
// outer deadlines and cancellations, but ended by their own deadline or failure.
namespace deadline_in_destructor_test {

using namespace std::chrono_literals;
using weft::with_scope;
using weft::with_timeout;
using weft_test::error_of;
using weft_test::expect_all_schedules;
using weft_test::is;
using weft_test::Log;
using weft_test::require;
using weft_test::text;

/// Calls a function when it is destroyed.
template <class F>
struct Finally {
  F call;
  ~Finally() { call(); }
};
template <class F>
Finally(F) -> Finally<F>;

/// Runs `call` in a destructor while an exception unwinds.
template <class F>
void while_unwinding(F call) {
  try {
    const Finally cleanup{call};
    throw std::runtime_error{"unwinds"};
  } catch (const std::runtime_error&) {
  }
}

TEST(DeadlineInDestructor, EndsItsBodyWhileAnExceptionUnwinds) {
  weft::testing::run([] {
    const weft::TimePoint begin = weft::now();
    std::exception_ptr error;
    while_unwinding([&] { error = error_of([] { with_timeout(20ms, [] { weft::delay(1h); }); }); });
    EXPECT_TRUE(is<weft::TimedOut>(error)) << text(error);
    EXPECT_LT(weft::now() - begin, 30ms);
  });
}

TEST(DeadlineInDestructor, EndsItsBodyWhileACancellationUnwinds) {
  weft::testing::run([] {
    const weft::TimePoint begin = weft::now();
    std::exception_ptr error;
    auto victim = weft::spawn([&] {
      const Finally cleanup{
          [&] { error = error_of([] { with_timeout(20ms, [] { weft::delay(1h); }); }); }};
      weft::delay(1h);
    });
    weft::suspend();
    victim.cancel();
    EXPECT_TRUE(is<weft::Cancelled>(error_of([&] { weft::await(victim); })));
    EXPECT_TRUE(is<weft::TimedOut>(error)) << text(error);
    EXPECT_LT(weft::now() - begin, 30ms);
  });
}

TEST(DeadlineInDestructor, NestedDeadlinesEndEachAtItsOwnFrame) {
  weft::testing::run([] {
    Log log;
    while_unwinding([&] {
      const auto outer = error_of([&] {
        with_timeout(50ms, [&] {
          const auto inner = error_of([] { with_timeout(20ms, [] { weft::delay(1h); }); });
          log.push_back(text(inner));
          weft::delay(1h);
        });
      });
      log.push_back(text(outer));
    });
    EXPECT_EQ(log, (Log{"Timeout occurred after 20 milliseconds",
                        "Timeout occurred after 50 milliseconds"}));
  });
}

// While a second exception unwinds inside the section of the clean-up, destructors are shielded
// from the deadline of that section.
TEST(DeadlineInDestructor, ASecondUnwindingInsideIsShieldedFromTheFirstDeadline) {
  weft::testing::run([] {
    Log log;
    while_unwinding([&] {
      const auto outer = error_of([&] {
        with_timeout(20ms, [&] {
          while_unwinding([&] {
            weft::delay(100ms);  // past the deadline around it
            log.push_back("inner clean-up ended");
            const auto inner = error_of([] { with_timeout(5ms, [] { weft::delay(1h); }); });
            log.push_back(text(inner));
          });
          weft::delay(1h);
        });
      });
      log.push_back(text(outer));
    });
    EXPECT_EQ(log, (Log{"inner clean-up ended", "Timeout occurred after 5 milliseconds",
                        "Timeout occurred after 20 milliseconds"}));
  });
}

// The deadline around the whole block must not be thrown out of a destructor.
TEST(DeadlineInDestructor, ADeadlineAroundItStaysOutside) {
  weft::testing::run([] {
    Log log;
    const auto error = error_of([&] {
      with_timeout(10ms, [&] {
        while_unwinding([&] {
          with_timeout(1h, [] { weft::delay(50ms); });
          log.push_back("clean-up ended");
        });
        weft::delay(1h);
      });
    });
    EXPECT_EQ(log, Log{"clean-up ended"});
    EXPECT_TRUE(is<weft::TimedOut>(error)) << text(error);
  });
}

TEST(DeadlineInDestructor, ACancellationFromOutsideWaitsForTheSection) {
  weft::testing::run([] {
    Log log;
    auto victim = weft::spawn([&] {
      while_unwinding([&] {
        with_timeout(1h, [] { weft::delay(50ms); });
        log.push_back("clean-up ended");
      });
      weft::suspend();
      log.push_back("not reached");
    });
    weft::delay(10ms);
    victim.cancel();
    EXPECT_TRUE(is<weft::Cancelled>(error_of([&] { weft::await(victim); })));
    EXPECT_EQ(log, Log{"clean-up ended"});
  });
}

TEST(DeadlineInDestructor, AFailedChildInterruptsTheBodyOfItsScope) {
  weft::testing::run([] {
    const weft::TimePoint begin = weft::now();
    std::exception_ptr error;
    while_unwinding([&] {
      error = error_of([] {
        with_scope([](weft::Scope& scope) {
          scope.spawn([] {
            weft::delay(20ms);
            throw std::runtime_error{"child"};
          });
          weft::delay(1h);
        });
      });
    });
    EXPECT_EQ(text(error), "child");
    EXPECT_LT(weft::now() - begin, 30ms);
  });
}

TEST(DeadlineInDestructor, IterateThrowsTheErrorOfItsHandler) {
  weft::testing::run([] {
    const weft::TimePoint begin = weft::now();
    std::exception_ptr error;
    while_unwinding([&] {
      error = error_of([] {
        weft::iterate(std::vector<int>{1, 2}, {.concurrency = 2}, [](int value) {
          weft::delay(value == 2 ? 20ms : 1h);
          throw std::runtime_error{"handler"};
        });
      });
    });
    EXPECT_EQ(text(error), "handler");
    EXPECT_LT(weft::now() - begin, 30ms);
  });
}

TEST(DeadlineInDestructor, AwaitAllThrowsTheFirstErrorAtOnce) {
  weft::testing::run([] {
    const weft::TimePoint begin = weft::now();
    std::exception_ptr error;
    while_unwinding([&] {
      error = error_of([] {
        weft::await_all([] { weft::delay(1h); },
                        [] {
                          weft::delay(20ms);
                          throw std::runtime_error{"second"};
                        });
      });
    });
    EXPECT_EQ(text(error), "second");
    EXPECT_LT(weft::now() - begin, 30ms);
  });
}

TEST(DeadlineInDestructor, EndsTheHookOfAPoolWhoseLeaseGoesByAnException) {
  weft::testing::run([] {
    const auto hook = [](int&) {
      try {
        with_timeout(20ms, [] { weft::delay(1h); });
        return true;
      } catch (const weft::TimedOut&) {
        return false;
      }
    };
    weft::Pool<int> pool{{.max = 1, .create = [] { return 1; }, .before_release = hook}};
    const weft::TimePoint begin = weft::now();
    try {
      auto lease = pool.acquire();
      throw std::runtime_error{"connection reset"};
    } catch (const std::runtime_error&) {
    }
    EXPECT_LT(weft::now() - begin, 30ms);
    EXPECT_EQ(pool.idle(), 0U);
  });
}

// Cancelled at every suspension: the clean-up comes to its end, and so does its deadline.
TEST(DeadlineInDestructorExplore, ACleanUpWithADeadlineEndsUnderEverySchedule) {
  expect_all_schedules([] {
    for (int i = 0; i < 2; ++i) {
      weft::spawn([] {
        int ended = 0;
        const auto clean_up = [&] {
          try {
            with_timeout(1ms, [] {
              weft::suspend();
              weft::delay(1h);
            });
          } catch (const weft::TimedOut&) {
            ++ended;
          }
        };
        try {
          const Finally check{[&] { require(ended == 1, "the clean-up ended by its deadline"); }};
          const Finally cleanup{clean_up};
          weft::delay(1ms);
          throw std::runtime_error{"unwinds"};
        } catch (const std::runtime_error&) {
        }
      });
    }
  });
}

}  // namespace deadline_in_destructor_test
