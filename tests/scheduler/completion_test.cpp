#include <algorithm>
#include <memory>
#include <stdexcept>

#include <gtest/gtest.h>

#include "support.hpp"
#include "weft/extend/embed.hpp"

namespace {

using weft_test::Call;
using weft_test::Doorbell;
using weft_test::Log;
using namespace std::chrono_literals;

// R-COR-10
TEST(CompletionTest, GivesItsValueToAnyNumberOfAwaits) {
  weft::testing::run([] {
    auto answer = weft::spawn([] { return std::string{"forty-two"}; });
    EXPECT_EQ(weft::await(answer), "forty-two");
    EXPECT_EQ(weft::await(answer), "forty-two");
    auto copy = answer;
    EXPECT_EQ(weft::await(copy), "forty-two");
  });
}

// R-COR-10
TEST(CompletionTest, ThrowsItsErrorAtAnyNumberOfAwaits) {
  weft::testing::run([] {
    auto failure = weft::spawn([] { throw std::out_of_range{"too far"}; });
    EXPECT_THROW(weft::await(failure), std::out_of_range);
    EXPECT_THROW(weft::await(failure), std::out_of_range);
    weft::Event& event = failure;
    EXPECT_THROW(weft::await(event), std::out_of_range);
  });
}

// R-COR-10
TEST(CompletionTest, MovesOutAValueThatCannotBeCopiedOnce) {
  weft::testing::run([] {
    auto owner = weft::spawn([] { return std::make_unique<int>(3); });
    EXPECT_EQ(*weft::await(owner), 3);
    EXPECT_THROW(weft::await(owner), weft::MisuseError);
  });
}

// R-COR-10
TEST(CompletionTest, WakesEveryAwaiter) {
  Log log;
  weft::testing::run([&] {
    Doorbell bell;
    auto source = weft::spawn([&] {
      weft::await(bell);
      return 9;
    });
    for (const char* name : {"a", "b", "c"}) {
      weft::spawn(
          [&log, name, source] { log.push_back(name + std::to_string(weft::await(source))); });
    }
    weft::suspend();
    EXPECT_TRUE(log.empty());
    bell.ring();
  });
  std::sort(log.begin(), log.end());  // an event keeps no order among its subscribers
  EXPECT_EQ(log, (Log{"a9", "b9", "c9"}));
}

struct Destroyed {
  Log* log;
  static void destroy(void* value) noexcept {
    static_cast<Destroyed*>(value)->log->push_back("internal value destroyed");
  }
};

// R-COR-8, R-COR-12
TEST(CompletionTest, EndsInAFixedOrder) {
  Log log;
  weft::testing::run([&] {
    static const char key_name[] = "completion test";
    Destroyed destroyed{&log};
    Call listener{[&](weft::Event& event, const weft::Outcome& outcome) {
      event.claim_error();
      log.push_back("notified" + std::string{event.is_closed() ? ", closed, " : ", open, "} +
                    weft::describe(outcome.error()));
    }};
    auto failing = weft::spawn([&] {
      log.push_back("body");
      throw std::runtime_error{"broken"};
    });
    failing.base().set_internal_value(weft::internal_key(key_name), &destroyed,
                                      &Destroyed::destroy);
    failing.add_switch_handler([&](const weft::AnyCoroutine& self, weft::Switch what) {
      if (what == weft::Switch::finish) {
        log.push_back(std::string{"finish"} + (self.is_completed() ? ", closed" : ", open") +
                      (self.exception() ? ", with outcome" : ", without outcome"));
      }
      return true;
    });
    failing.on_finally([&] { log.push_back("finally"); });
    failing.base().add_callback(listener);
    try {
      weft::await(failing);
    } catch (const std::runtime_error&) {
      log.push_back("awaiter");
    }
    // The coroutine and the one that ran its finally handler have left the registry.
    EXPECT_EQ(weft::stats().coroutines, 1U);
    failing.base().remove_callback(listener);
  });
  EXPECT_EQ(log, (Log{"body", "finish, closed, without outcome", "notified, closed, broken",
                      "internal value destroyed", "finally", "awaiter"}));
}

// R-COR-9
TEST(CompletionTest, RunsFinallyHandlersForSuccessFailureAndCancellation) {
  Log log;
  weft::testing::run([&] {
    Doorbell bell;
    auto success = weft::spawn([] {});
    auto failure = weft::spawn([] { throw std::runtime_error{"broken"}; });
    auto cancelled = weft::spawn([&] { weft::await(bell); });
    auto never_started = weft::spawn([&] { log.push_back("must not run"); });
    success.on_finally([&] { log.push_back("success"); });
    failure.on_finally([&] { log.push_back("failure"); });
    cancelled.on_finally([&] { log.push_back("cancelled"); });
    never_started.on_finally([&] { log.push_back("never started"); });
    never_started.cancel();
    EXPECT_NO_THROW(weft::await(success));
    EXPECT_THROW(weft::await(failure), std::runtime_error);
    EXPECT_THROW(weft::await(never_started), weft::Cancelled);
    cancelled.cancel();
    EXPECT_THROW(weft::await(cancelled), weft::Cancelled);
  });
  std::sort(log.begin(), log.end());
  EXPECT_EQ(log, (Log{"cancelled", "failure", "never started", "success"}));
}

// R-COR-9
TEST(CompletionTest, GivesFinallyHandlersTheCoroutineInAHighPriorityOneOfTheirOwn) {
  Log log;
  weft::testing::run([&] {
    auto worker = weft::spawn([] { return 4; });
    const std::uint64_t worker_id = worker.id();
    const std::uint64_t main_id = weft::current().id();
    worker.on_finally([&, worker_id, main_id](const weft::AnyCoroutine& ended) {
      EXPECT_EQ(ended.id(), worker_id);
      EXPECT_TRUE(ended.is_completed());
      EXPECT_NE(weft::current().id(), worker_id);
      EXPECT_NE(weft::current().id(), main_id);
      EXPECT_EQ(weft::current().base().priority(), weft::Priority::high);
      log.push_back("finally");
    });
    weft::spawn([&] { log.push_back("queued before the end"); });
    weft::await(worker);
  });
  EXPECT_EQ(log, (Log{"finally", "queued before the end"}));
}

// R-COR-9
TEST(CompletionTest, RunsFinallyHandlersInTheOrderOfRegistrationEvenIfOneSuspends) {
  Log log;
  weft::testing::run([&] {
    auto worker = weft::spawn([&] { log.push_back("body"); });
    worker.on_finally([&] {
      log.push_back("first begins");
      weft::delay(5ms);
      log.push_back("first ends");
    });
    worker.on_finally([&] { log.push_back("second"); });
    worker.on_finally([&] { log.push_back("third"); });
  });
  EXPECT_EQ(log, (Log{"body", "first begins", "first ends", "second", "third"}));
}

// R-COR-9
TEST(CompletionTest, CallsAFinallyHandlerOfAFinishedCoroutineAtOnce) {
  weft::testing::run([] {
    auto worker = weft::spawn([] {});
    weft::await(worker);
    std::uint64_t seen = 0;
    worker.on_finally([&](const weft::AnyCoroutine& ended) { seen = ended.id(); });
    EXPECT_EQ(seen, worker.id());
  });
}

// R-COR-11
TEST(CompletionTest, LeavesTheRegistryWithItsEndAndMainIsInItToo) {
  weft::testing::run([] {
    EXPECT_EQ(weft::stats().coroutines, 1U);
    EXPECT_EQ(weft::stats().active_coroutines, 1U);
    Doorbell bell;
    auto parked = weft::spawn([&] { weft::await(bell); });
    auto short_lived = weft::spawn([] {});
    auto dropped = weft::spawn([] {});
    EXPECT_EQ(weft::stats().coroutines, 4U);  // whether they have started or not
    EXPECT_EQ(weft::stats().active_coroutines, 4U);
    dropped.cancel();
    weft::await(short_lived);
    weft::suspend();
    EXPECT_EQ(weft::stats().coroutines, 2U);  // a handle does not keep it registered
    bell.ring();
    weft::await(parked);
    EXPECT_EQ(weft::stats().coroutines, 1U);
    EXPECT_EQ(weft::stats().active_coroutines, 1U);
  });
  EXPECT_EQ(weft::stats().coroutines, 0U);
}

int live_values = 0;
void count_down(void*) noexcept { --live_values; }

// R-COR-12
TEST(InternalValueTest, HasOneKeyPerNamePointer) {
  static const char first[] = "same text";
  static const char second[] = "same text";
  weft::testing::run([&] {
    const unsigned key = weft::internal_key(first);
    EXPECT_EQ(weft::internal_key(first), key);
    EXPECT_NE(weft::internal_key(second), key);
    EXPECT_EQ(weft::internal_key(first), key);
  });
}

// R-COR-12
TEST(InternalValueTest, BelongsToOneCoroutineAndDiesWithIt) {
  static const char name[] = "value of a coroutine";
  live_values = 0;
  weft::testing::run([&] {
    const unsigned key = weft::internal_key(name);
    const auto body = [key] {
      weft::CoroutineBase& self = weft::current().base();
      EXPECT_EQ(self.internal_value(key), nullptr);
      int mine = 0;
      ++live_values;
      self.set_internal_value(key, &mine, &count_down);
      weft::suspend();
      EXPECT_EQ(self.internal_value(key), &mine);
    };
    auto first = weft::spawn(body);
    auto second = weft::spawn(body);
    weft::suspend();
    EXPECT_EQ(live_values, 2);
    weft::await(first);
    weft::await(second);
    EXPECT_EQ(live_values, 0);
    EXPECT_EQ(weft::current().base().internal_value(key), nullptr);
  });
}

}  // namespace
