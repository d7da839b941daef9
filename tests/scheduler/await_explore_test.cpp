#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "testing/scenario.hpp"

// Every schedule, and a cancellation at every suspension: each awaiter of a coroutine, alone or
// with others, gets its outcome, and none waits for ever.
namespace {

using weft_test::require;

/// How the awaited coroutine ends.
enum class End { value, error };

/// The outcomes that the awaiters have got; the destructor checks them.
struct Seen {
  explicit Seen(End how) : end{how} {}
  Seen(const Seen&) = delete;
  Seen& operator=(const Seen&) = delete;

  End end;
  bool ended = false;
  int values = 0;
  int errors = 0;
};

weft::Coroutine<std::string> target_of(const std::shared_ptr<Seen>& seen) {
  return weft::spawn([seen] {
    weft::suspend();
    seen->ended = true;
    if (seen->end == End::error) throw std::runtime_error{"lost"};
    return std::string{"a value that is kept on the heap"};
  });
}

/// Calls `wait`, and records and checks the outcome.
template <class F>
void check_await(const std::shared_ptr<Seen>& seen, const weft::AnyCoroutine& target, F wait) {
  try {
    require(wait() == "a value that is kept on the heap", "an await gives the value");
    require(seen->end == End::value && seen->ended, "a value comes after the end");
    ++seen->values;
  } catch (const std::runtime_error& error) {
    require(seen->end == End::error && seen->ended, "an error comes after the end");
    require(error.what() == std::string{"lost"}, "an await gives the error");
    ++seen->errors;
  } catch (const weft::Cancelled&) {
    require(target.is_cancelled() || weft::current().is_cancellation_requested(),
            "only a cancelled one throws Cancelled");
    throw;
  }
}

/// Awaits `target` until it has ended, so that its error has been read.
void check_end(const weft::Coroutine<std::string>& target) {
  for (;;) {
    try {
      weft::await(target);
      break;
    } catch (const std::runtime_error&) {
      break;
    } catch (const weft::Cancelled&) {
      if (target.is_completed()) break;
    }
  }
  require(target.base().subscribers() == 0, "no subscriber is left behind");
}

class ExploredAwaitTest : public ::testing::Test {
 protected:
  static void expect_all(weft::Function<void()> scenario) {
    const auto report = weft::testing::explore(
        std::move(scenario), {.cancel = weft_test::every_point, .fail_on_warning = true});
    EXPECT_TRUE(report.ok()) << report.first_failure();
    EXPECT_TRUE(report.complete());
    EXPECT_GT(report.schedules(), 10U);
  }
};
class ExploredAwaitsTest : public ExploredAwaitTest, public ::testing::WithParamInterface<End> {};
INSTANTIATE_TEST_SUITE_P(Ends, ExploredAwaitsTest, ::testing::Values(End::value, End::error));

// R-COR-10, R-CAN-6, R-WAK-13
TEST_P(ExploredAwaitsTest, TwoSeeTheSameEnd) {
  expect_all([end = GetParam()] {
    auto seen = std::make_shared<Seen>(end);
    auto target = target_of(seen);
    const auto wait = [seen, target] {
      check_await(seen, target, [&] { return weft::await(target); });
    };
    auto first = weft::spawn(wait);
    auto second = weft::spawn(wait);
    check_end(target);
  });
}

// R-COR-10: an awaiter subscribes while another is notified, or has just left.
TEST_P(ExploredAwaitsTest, OneMayComeWhileAnotherGoes) {
  expect_all([end = GetParam()] {
    auto seen = std::make_shared<Seen>(end);
    auto target = target_of(seen);
    const auto wait = [seen, target] {
      check_await(seen, target, [&] { return weft::await(target); });
    };
    auto first = weft::spawn(wait);
    auto second = weft::spawn([first, wait] {
      first.cancel();
      wait();
    });
    check_end(target);
  });
}

// R-AWT-2: a wait with a token beside one without.
TEST_P(ExploredAwaitsTest, AnotherMayWaitWithAToken) {
  expect_all([end = GetParam()] {
    auto seen = std::make_shared<Seen>(end);
    auto target = target_of(seen);
    auto token = weft::spawn([] {});
    auto alone = weft::spawn(
        [seen, target] { check_await(seen, target, [&] { return weft::await(target); }); });
    auto with_token = weft::spawn([seen, target, token] {
      check_await(seen, target, [&] {
        try {
          return weft::await(target, token);
        } catch (const weft::OperationCancelled&) {
          require(token.is_completed(), "a wait that a token ends has seen the token fire");
          return std::string{weft::await(target)};
        }
      });
    });
    check_end(target);
  });
}

// With a value only: if the waiter is cancelled, no coroutine would read an error.
TEST_F(ExploredAwaitTest, TheHandleMayGoMeanwhile) {
  expect_all([] {
    auto seen = std::make_shared<Seen>(End::value);
    auto target = std::make_shared<weft::Coroutine<std::string>>(target_of(seen));
    auto waiter = weft::spawn([seen, target] {
      if (!*target) return;
      const weft::AnyCoroutine any = weft::AnyCoroutine::observing(target->base());
      check_await(seen, any, [&] { return weft::await(*target); });
    });
    auto drop = weft::spawn([target] { *target = {}; });
    weft::await(waiter);
    weft::await(drop);
  });
}

}  // namespace
