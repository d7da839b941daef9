#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support.hpp"

// Every schedule, and a cancellation at every suspension: a task runs at most once, no more than
// `limit` run at once, each outcome is delivered once, and no coroutine waits for ever.
namespace task_group_explore_test {

using weft::testing::every_point;
using weft::testing::explore;

void check(bool right, const char* what) {
  if (!right) weft::testing::fail(what);
}

/// Records the tasks of one scenario; its destructor checks them.
class Ledger {
 public:
  static constexpr std::size_t most = 4;
  explicit Ledger(std::size_t limit) : limit_{limit} {}
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;
  ~Ledger() {
    check(alive == 0, "a result is left");
    check(running_ == 0, "a task is left");
  }

  /// A result that cannot be copied, and is counted while it lives.
  class Parcel {
   public:
    Parcel(Ledger& ledger, std::size_t task) : ledger_{&ledger}, task_{task} { ++ledger.alive; }
    Parcel(Parcel&& other) noexcept
        : ledger_{std::exchange(other.ledger_, nullptr)}, task_{other.task_} {}
    Parcel& operator=(Parcel&& other) noexcept {
      std::swap(ledger_, other.ledger_);
      std::swap(task_, other.task_);
      return *this;
    }
    ~Parcel() {
      if (ledger_ != nullptr) --ledger_->alive;
    }
    [[nodiscard]] std::size_t task() const noexcept { return task_; }

   private:
    Ledger* ledger_;
    std::size_t task_;
  };

  /// The body of task `i`: suspends once in the middle.
  Parcel run(std::size_t i) {
    check(++started[i] == 1, "a task ran twice");
    check(++running_ <= limit_, "more ran than the limit allows");
    struct Leave {
      Ledger& ledger;
      ~Leave() { --ledger.running_; }
    } const leave{*this};
    weft::suspend();
    Parcel parcel{*this, i};
    ended[i] = true;
    return parcel;
  }
  void deliver(const Parcel& parcel) {
    check(ended[parcel.task()], "something was delivered that has not ended");
    check(++delivered[parcel.task()] == 1, "a result was delivered twice");
  }

  int alive = 0;
  std::array<int, most> started{};
  std::array<bool, most> ended{};
  std::array<int, most> delivered{};

 private:
  std::size_t limit_;
  std::size_t running_ = 0;
};
using Parcel = Ledger::Parcel;

/// A set of tasks and its ledger, shared by its users.
struct Shop {
  explicit Shop(std::size_t limit) : ledger{limit}, set{{.concurrency = limit, .queue_limit = 1}} {}
  Ledger ledger;
  weft::TaskSet<Parcel> set;

  /// False if the set was closed.
  bool spawn(std::size_t i) {
    try {
      set.spawn([this, i] { return ledger.run(i); });
      return true;
    } catch (const weft::MisuseError&) {
      check(set.is_closed(), "a spawn failed on an open set");
      return false;
    }
  }
  /// Delivers the outcomes that no user has read.
  void check_the_rest() {
    set.close();
    set.await_completion();
    for (auto each : set) {
      if (each.outcome) ledger.deliver(each.outcome.stored().value());
    }
    check(set.count() == 0, "something is left in the set");
    for (std::size_t i = 0; i < Ledger::most; ++i) {
      check(!ledger.ended[i] || ledger.delivered[i] == 1, "a result was never delivered");
    }
  }
};

/// Runs `users` as concurrent coroutines; when all have ended, check_the_rest(). If the explorer
/// cancels that, it is called again.
void open_shop(std::size_t limit, const std::vector<std::function<void(Shop&)>>& users) {
  auto shop = std::make_unique<Shop>(limit);
  std::vector<weft::Coroutine<void>> hands;
  for (const auto& user : users) {
    hands.push_back(weft::spawn([&shop = *shop, user] { user(shop); }));
  }
  const auto retry_cancelled = [](const auto& step) {
    for (;;) {
      try {
        return step();
      } catch (const weft::Cancelled&) {  // the explorer cancels once
      }
    }
  };
  for (const auto& hand : hands) {
    retry_cancelled([&] {
      if (!hand.is_completed()) weft::await(static_cast<weft::Event&>(hand));
    });
  }
  retry_cancelled([&] { shop->check_the_rest(); });
  shop.reset();
}

void spawn_three(Shop& shop) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (!shop.spawn(i)) return;
  }
}

void join_one(Shop& shop) {
  try {
    if (shop.set.count() > 0) shop.ledger.deliver(weft::await(shop.set.join_next()));
  } catch (const weft::MisuseError&) {  // other coroutines have read all outcomes
  }
}

void expect_kept(weft::Function<void()> scenario, weft::testing::ExploreOptions options = {}) {
  options.cancel = every_point;
  const weft::testing::Report report = explore(std::move(scenario), options);
  EXPECT_TRUE(report.ok()) << report.first_failure();
  EXPECT_TRUE(report.complete());
  ::testing::Test::RecordProperty("schedules", std::to_string(report.schedules()));
}

class ExploredTasksTest : public ::testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Limit, ExploredTasksTest, ::testing::Values(1U, 2U));

// R-TGR-1, R-TGR-2, trap 1, trap 2, trap 13
TEST_P(ExploredTasksTest, RunOnceWhicheverIsCancelled) {
  expect_kept([limit = GetParam()] { open_shop(limit, {spawn_three}); });
}

// R-TGR-10, trap 1, trap 3
TEST_P(ExploredTasksTest, AreDeliveredOnceToOneJoin) {
  expect_kept([limit = GetParam()] {
    open_shop(limit, {[](Shop& shop) {
                shop.spawn(0);
                shop.spawn(1);
                join_one(shop);
              }});
  });
}

// R-TGR-10, trap 1, trap 3
TEST_P(ExploredTasksTest, AreDeliveredOnceToTwoJoins) {
  expect_kept([limit = GetParam()] {
    open_shop(limit, {[](Shop& shop) {
                        shop.spawn(0);
                        join_one(shop);
                      },
                      join_one});
  });
}

// R-TGR-8, R-TGR-10, trap 1, trap 3
TEST_P(ExploredTasksTest, AreDeliveredOnceToALoopAndOneJoin) {
  expect_kept([limit = GetParam()] {
    open_shop(limit, {[](Shop& shop) {
                        shop.spawn(0);
                        shop.set.close();
                        for (auto each : shop.set) {
                          if (each.outcome) shop.ledger.deliver(each.outcome.stored().value());
                        }
                      },
                      join_one});
  });
}

// R-TGR-2, R-TGR-5: the set is closed at any moment, as the schedule says.
TEST_P(ExploredTasksTest, RunOnceWhenTheSetIsClosedAtAnyMoment) {
  expect_kept([limit = GetParam()] {
    open_shop(limit, {spawn_three, [](Shop& shop) { shop.set.close(); }});
  });
}

// R-TGR-2, R-TGR-5
TEST_P(ExploredTasksTest, RunOnceWhenTheSetIsCancelledAtAnyMoment) {
  expect_kept([limit = GetParam()] {
    open_shop(limit, {spawn_three, [](Shop& shop) { shop.set.cancel(); }});
  });
}

// R-TGR-2, trap 2, trap 3
TEST_P(ExploredTasksTest, RunOnceWhenTwoSpawn) {
  expect_kept([limit = GetParam()] {
    open_shop(limit, {[](Shop& shop) { shop.spawn(0) && shop.spawn(1); },
                      [](Shop& shop) { shop.spawn(2); }});
  });
}

// R-TGR-5: the group is destroyed while its tasks are in any state.
TEST_P(ExploredTasksTest, EndBeforeTheirGroupDoes) {
  expect_kept([limit = GetParam()] {
    Ledger ledger{limit};
    weft::TaskGroup<Parcel> group{{.concurrency = limit}};
    for (std::size_t i = 0; i < 3; ++i) group.spawn([&ledger, i] { return ledger.run(i); });
    weft::suspend();
    auto race = group.race();
    race.ignore();
    weft::suspend();
  });
}

// R-TGR-4
TEST_P(ExploredTasksTest, AnswerAllRaceAndAny) {
  expect_kept([limit = GetParam()] {
    weft::TaskGroup<int> group{{.concurrency = limit}};
    for (int i = 0; i < 2; ++i) {
      group.spawn([i] {
        weft::suspend();
        return i;
      });
    }
    auto all = group.all().ignore();
    auto race = group.race().ignore();
    auto any = group.any().ignore();
    try {
      const int first = weft::await(any);
      check(first == 0 || first == 1, "any() gave something else");
      check(race.is_completed(), "any() came before race()");
      check(weft::await(all).size() == 2, "all() gave something else");
    } catch (const weft::CompositeError&) {  // a task was cancelled
    }
  });
}

}  // namespace task_group_explore_test
