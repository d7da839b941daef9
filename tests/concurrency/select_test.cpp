#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

namespace {

using ::testing::ElementsAre;
using weft::Channel;
using weft::on;
using weft::on_recv;
using weft::on_send;
using weft::otherwise;
using weft::select;
using weft::testing::settle;
using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using namespace std::chrono_literals;

/// A case handler that logs `text`.
auto note(Log& log, std::string text) {
  return [&log, text = std::move(text)] { log.push_back(text); };
}
auto note_value(Log& log) {
  return [&log](int value) { log.push_back(std::to_string(value)); };
}

TEST(SelectTest, TakesTheFirstReadyCase) {
  weft::testing::run([] {
    Log log;
    Channel<int> empty{1};
    Channel<int> a{1};
    Channel<int> b{1};
    a.send(1);
    b.send(2);
    const auto suspensions = weft::stats().suspensions;
    EXPECT_EQ(select(on_recv(empty, note_value(log)), on_recv(b, note_value(log)),
                     on_recv(a, note_value(log))),
              1U);
    EXPECT_EQ(select(on_recv(empty, note_value(log)), on_send(b, 3, note(log, "sent")),
                     on_recv(a, note_value(log))),
              1U);
    EXPECT_EQ(weft::stats().suspensions, suspensions);
    EXPECT_THAT(log, ElementsAre("2", "sent"));
    EXPECT_EQ(a.recv(), 1);
    EXPECT_EQ(b.recv(), 3);
    EXPECT_TRUE(empty.is_empty());
  });
}

TEST(SelectTest, WaitsForTheFirstToHappen) {
  weft::testing::run([] {
    Log log;
    Channel<int> a;
    Channel<int> b;
    auto sender = weft::spawn([&] { b.send(7); });
    EXPECT_EQ(select(on_recv(a, note_value(log)), on_recv(b, note_value(log)),
                     on(weft::timeout(1s), note(log, "idle"))),
              1U);
    EXPECT_THAT(log, ElementsAre("7"));
    EXPECT_EQ(weft::stats().armed_timers, 0U);
    weft::await(sender);
  });
}

TEST(SelectTest, SendsToTheReceiverThatComes) {
  weft::testing::run([] {
    for (std::size_t capacity : {0U, 1U}) {
      Log log;
      Channel<int> a;
      Channel<int> b{capacity};
      b.try_send(0);
      auto receiver = weft::spawn([&] {
        const int first = b.recv();
        return first + b.recv();
      });
      EXPECT_EQ(select(on_recv(a, note_value(log)), on_send(b, 7, note(log, "sent"))), 1U);
      EXPECT_EQ(weft::await(receiver), 7);
      EXPECT_THAT(log, ElementsAre("sent"));
    }
  });
}

TEST(SelectTest, TakesATimeoutThatPassesForAnEvent) {
  weft::testing::run([] {
    Log log;
    Channel<int> a;
    const auto start = weft::now();
    EXPECT_EQ(select(on_recv(a, note_value(log)), on(weft::timeout(100ms), note(log, "idle"))), 1U);
    EXPECT_EQ(std::chrono::floor<std::chrono::milliseconds>(weft::now() - start), 100ms);
    auto passed = weft::timeout(1ms);
    select(on(passed, note(log, "first")));
    EXPECT_EQ(select(on_recv(a, note_value(log)), on(passed, note(log, "still"))), 1U);
    EXPECT_THAT(log, ElementsAre("idle", "first", "still"));
    EXPECT_FALSE(a.is_closed());
    EXPECT_TRUE(a.try_send(1)) << "no waiter is left in the queue";
    EXPECT_EQ(a.try_recv(), 1);
  });
}

TEST(SelectTest, WaitsForEventsAndCoroutines) {
  weft::testing::run([] {
    Log log;
    Channel<int> a;
    Doorbell bell;
    auto ringer = weft::spawn([&] { bell.ring(); });
    EXPECT_EQ(select(on_recv(a, note_value(log)), on(bell, note(log, "bell"))), 1U);
    auto worker = weft::spawn([] {
      weft::delay(1ms);
      return 5;
    });
    EXPECT_EQ(select(on(bell, note(log, "bell")), on(worker, note_value(log))), 1U);
    EXPECT_EQ(select(on(bell, note(log, "bell")), on(worker, note(log, "has ended"))), 1U);
    EXPECT_EQ(select(on(weft::spawn([] {}), note(log, "a temporary"))), 0U);
    EXPECT_THAT(log, ElementsAre("bell", "5", "has ended", "a temporary"));
    EXPECT_EQ(bell.subscribers(), 0U);
  });
}

TEST(SelectTest, ThrowsTheErrorOfAnEventThatFails) {
  weft::testing::run([] {
    Channel<int> a;
    for (int round = 0; round < 2; ++round) {
      auto worker = weft::spawn([] { throw std::domain_error{"broken"}; });
      if (round == 1) settle();  // in this round the worker has failed before the select()
      EXPECT_TRUE(is<std::domain_error>(error_of([&] {
        select(on_recv(a, [](int) { ADD_FAILURE(); }), on(worker, [] { ADD_FAILURE(); }));
      })));
    }
    auto late = weft::spawn([] { throw weft::TimedOut{"its own"}; });
    EXPECT_TRUE(is<weft::TimedOut>(error_of([&] { select(on(late, [] { ADD_FAILURE(); })); })));
  });
}

TEST(SelectTest, NeedNotWait) {
  weft::testing::run([] {
    Log log;
    Channel<int> a;
    EXPECT_EQ(select(on_recv(a, note_value(log)), otherwise(note(log, "none"))), 1U);
    a.try_send(1);
    EXPECT_EQ(select(on_recv(a, note_value(log)), otherwise(note(log, "none"))), 0U);
    EXPECT_THAT(log, ElementsAre("none", "1"));
  });
}

// R-CHN-4, R-CHN-5
TEST(SelectTest, ThrowsForAClosedChannelAsItsOperationWould) {
  weft::testing::run([] {
    Channel<int> empty;
    Channel<int> closed{1};
    closed.send(1);
    closed.close();
    int got = 0;
    const auto take = [&](int value) { got = value; };
    select(on_recv(empty, take), on_recv(closed, take));
    EXPECT_EQ(got, 1);
    const auto failing = [&](auto&&... cases) {
      return is<weft::ChannelClosed>(error_of([&] { select(cases...); }));
    };
    EXPECT_TRUE(failing(on_recv(empty, take), on_recv(closed, take)));
    EXPECT_TRUE(failing(on_recv(empty, take), on_send(closed, 1, [] {})));

    for (const bool dies : {false, true}) {
      auto channel = std::make_unique<Channel<int>>();
      auto receiver =
          weft::spawn([&] { return failing(on_recv(empty, take), on_recv(*channel, take)); });
      settle();
      dies ? channel.reset() : channel->close();
      EXPECT_TRUE(weft::await(receiver));
      auto full = std::make_unique<Channel<int>>(1U);
      full->send(1);
      auto sender =
          weft::spawn([&] { return failing(on_recv(empty, take), on_send(*full, 2, [] {})); });
      settle();
      dies ? full.reset() : full->close();
      EXPECT_TRUE(weft::await(sender));
    }
    EXPECT_TRUE(empty.try_send(3)) << "no waiter is left in the queue";
  });
}

TEST(SelectTest, LeavesValuesThatWereNotSentWithTheirOwner) {
  weft::testing::run([] {
    Channel<std::unique_ptr<int>> full;
    auto value = std::make_unique<int>(1);
    select(on_send(full, std::move(value), [] { ADD_FAILURE(); }), on(weft::timeout(1ms), [] {}));
    ASSERT_NE(value, nullptr);
    select(on_send(full, std::move(value), [] { ADD_FAILURE(); }), otherwise([] {}));
    ASSERT_NE(value, nullptr);
    auto sender =
        weft::spawn([&] { select(on_send(full, std::move(value), [] { ADD_FAILURE(); })); });
    settle();
    sender.cancel();
    settle();
    ASSERT_NE(value, nullptr);
    EXPECT_TRUE(full.is_empty());
    full.close();
    EXPECT_TRUE(
        is<weft::ChannelClosed>(error_of([&] { select(on_send(full, std::move(value), [] {})); })));
    EXPECT_NE(value, nullptr);
  });
}

TEST(SelectTest, CopiesAndConvertsWhatItSends) {
  weft::testing::run([] {
    Channel<std::string> texts{3};
    const std::string constant = "constant";
    std::string text = "text";
    select(on_send(texts, "literal", [] {}));
    select(on_send(texts, text, [] {}));
    select(on_send(texts, constant, [] {}));
    EXPECT_EQ(text, "text");
    EXPECT_EQ(texts.recv(), "literal");
    EXPECT_EQ(texts.recv(), "text");
    EXPECT_EQ(texts.recv(), "constant");
  });
}

// R-CHN-12, trap 1
TEST(SelectTest, HandsOnWhatItWasWokenForWhenItIsCancelled) {
  weft::testing::run([] {
    Channel<int> a{1};
    Channel<int> b;
    auto selecting = weft::spawn([&] { select(on_recv(b, [](int) {}), on_recv(a, [](int) {})); });
    auto next = weft::spawn([&] { return a.recv(); });
    settle();
    a.send(1);
    selecting.cancel();
    EXPECT_EQ(weft::await(next), 1);
  });
}

// R-CHN-6, trap 4
TEST(SelectTest, WaitsInTheQueueLikeOthers) {
  weft::testing::run([] {
    Log log;
    Channel<int> a{4};
    Channel<int> b;
    const auto receiver = [&](const char* name) {
      return weft::spawn([&a, &log, name] { log.push_back(name + std::to_string(a.recv())); });
    };
    auto first = receiver("first ");
    auto second = weft::spawn([&] {
      select(on_recv(b, [](int) {}),
             on_recv(a, [&](int value) { log.push_back("select " + std::to_string(value)); }));
    });
    auto third = receiver("third ");
    settle();
    for (int i = 1; i <= 3; ++i) a.send(i);
    settle();
    EXPECT_THAT(log, ElementsAre("first 1", "select 2", "third 3"));
  });
}

TEST(SelectTest, DoesNotServeItself) {
  weft::testing::run([] {
    Log log;
    Channel<int> a;
    const auto both = [&](int value) {
      return weft::spawn([&a, &log, value] {
        select(on_recv(a, note_value(log)), on_send(a, value, note(log, "sent")));
      });
    };
    auto first = both(1);
    settle();
    EXPECT_TRUE(first.is_suspended());
    auto second = both(2);
    settle();
    EXPECT_THAT(log, ElementsAre("1", "sent"));

    log.clear();
    auto third = both(3);
    settle();
    EXPECT_EQ(a.recv(), 3) << "a waiter of one channel does not block the queue of the other";
    auto fourth = both(4);
    settle();
    a.send(5);
    settle();
    EXPECT_THAT(log, ElementsAre("sent", "5"));
  });
}

TEST(SelectTest, MayNameOneChannelTwice) {
  weft::testing::run([] {
    Log log;
    Channel<int> a{2};
    auto selecting = weft::spawn(
        [&] { return select(on_recv(a, note_value(log)), on_recv(a, note_value(log))); });
    settle();
    a.send(1);
    a.send(2);
    EXPECT_EQ(weft::await(selecting), 0U);
    EXPECT_THAT(log, ElementsAre("1"));
    EXPECT_EQ(a.try_recv(), 2);
  });
}

TEST(SelectTest, RefusesToWaitInTheSchedulerPhase) {
  weft::testing::run([] {
    Channel<int> a;
    std::exception_ptr error;
    weft::post_microtask([&] { error = error_of([&] { select(on_recv(a, [](int) {})); }); });
    weft::suspend();
    EXPECT_TRUE(is<weft::MisuseError>(error));
    EXPECT_TRUE(a.try_send(1));
    EXPECT_EQ(a.try_recv(), 1);
  });
}

TEST(SelectTest, SaysWhatItWaitsForAndWhere) {
  weft::testing::run([] {
    Channel<int> a;
    Channel<int> b;
    auto selecting = weft::spawn([&] { select(on_recv(a, [](int) {}), on_send(b, 1, [] {})); });
    settle();
    EXPECT_THAT(selecting.awaiting(),
                ElementsAre(::testing::EndsWith(", to receive"), ::testing::EndsWith(", to send")));
    EXPECT_THAT(selecting.suspend_place().text(), ::testing::HasSubstr("select_test.cpp"));
    selecting.cancel();
    settle();
  });
}

}  // namespace
