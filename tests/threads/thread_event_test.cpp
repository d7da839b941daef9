#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// Threads and tasks of a pool as events: the state behind their future.
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using weft::Event;
using weft_test::collecting;
using weft_test::error_of;
using weft_test::text;

const weft::Place here{"foo.cpp", 10};

// R-OBS-3
TEST(ThreadEventTest, SaysWhichThreadItIs) {
  weft::run([] {
    auto first = weft::Thread::start([] { return 1; }, {}, here);
    auto second = weft::Thread::start([] { return 2; }, {}, here);
    Event& event = first;
    const std::string info = event.info();
    EXPECT_THAT(info, ::testing::MatchesRegex("thread #[0-9]+ spawned at foo\\.cpp:10"));
    EXPECT_NE(static_cast<Event&>(second).info(), info) << "each has a number";
    EXPECT_EQ(weft::await(first), 1);
    EXPECT_EQ(weft::await(second), 2);
    EXPECT_EQ(event.info(), info);
  });
}

// R-OBS-3
TEST(ThreadEventTest, SaysThatATaskIsOne) {
  weft::run([] {
    weft::ThreadPool pool{{.workers = 1}};
    auto task = pool.submit([] { return 1; }, {}, here);
    EXPECT_EQ(static_cast<Event&>(task).info(), "ThreadPoolTask");
    EXPECT_THAT(static_cast<Event&>(task).describe(),
                ::testing::MatchesRegex("ThreadPoolTask #[0-9]+.* submitted at foo\\.cpp:10"));
    EXPECT_EQ(weft::await(task), 1);
  });
}

// R-OBS-3: a blocking call is a task on a worker too.
TEST(ThreadEventTest, OfABlockingCallIsATask) {
  weft::run([] {
    weft::ThreadChannel<int> go{1};
    auto caller = weft::spawn([] { weft::blocking([] { return 1; }); });
    weft::suspend();
    if (!caller.is_completed()) {
      EXPECT_THAT(caller.awaiting(), ElementsAre("ThreadPoolTask"));
    }
    weft::await(caller);
  });
}

// R-THE-1, R-THE-2: the event of a thread is active only while it is waited for.
TEST(ThreadEventTest, CountsWhileItIsWaitedFor) {
  weft::run([] {
    auto go = std::make_shared<weft::ThreadChannel<int>>(1);
    auto thread = weft::Thread::start([go] { return go->recv(); });
    Event& event = thread;
    const auto before = weft::stats().active_events;
    EXPECT_TRUE(event.start());
    EXPECT_TRUE(event.start());
    EXPECT_EQ(event.loop_references(), 2U);
    EXPECT_EQ(weft::stats().active_events, before + 1);
    EXPECT_TRUE(event.stop());
    EXPECT_EQ(weft::stats().active_events, before + 1);
    EXPECT_TRUE(event.stop());
    EXPECT_TRUE(event.stop()) << "one too many takes nothing away";
    EXPECT_EQ(weft::stats().active_events, before);
    go->send(7);
    EXPECT_EQ(weft::await(thread), 7);
    EXPECT_EQ(event.loop_references(), 0U);
  });
}

// R-THE-3, R-EVT-14: the outcome arrives from the thread, and is replayed to late subscribers.
TEST(ThreadEventTest, ReplaysWhatTheThreadEndedWith) {
  weft::run([] {
    auto thread = weft::Thread::start([]() -> int { throw std::runtime_error{"broken"}; });
    EXPECT_EQ(text(error_of([&] { weft::await(static_cast<Event&>(thread)); })), "broken");
    weft::Outcome outcome;
    EXPECT_TRUE(static_cast<Event&>(thread).replay(outcome));
    EXPECT_EQ(text(outcome.error()), "broken");
  });
}

// R-EVT-2: a select() on a thread and a channel.
TEST(ThreadEventTest, StandsInASelect) {
  weft::run([] {
    weft::Channel<int> quiet;
    auto thread = weft::Thread::start([] { return 5; });
    int got = 0;
    EXPECT_EQ(weft::select(weft::on_recv(quiet, [](int) {}),
                           weft::on(thread, [&](int value) { got = value; })),
              1U);
    EXPECT_EQ(got, 5);
  });
}

// R-THE-3: an unread error is rethrown, and a report names the thread.
TEST(ThreadEventTest, ReportsAnUnreadError) {
  std::vector<std::string> warnings;
  const auto body = [] {
    auto thread = weft::Thread::start([] { throw std::runtime_error{"broken"}; }, {}, here);
    Event& event = thread;
    event.start();
    while (!event.is_closed()) weft::suspend();
  };
  EXPECT_THROW(weft::run(body, collecting(warnings)), std::runtime_error);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_THAT(warnings.front(), HasSubstr("broken"));
  EXPECT_THAT(warnings.front(), HasSubstr("thread #"));
}

}  // namespace
