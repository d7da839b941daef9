#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// The timers that close a channel whose other side is missing: no_producer and no_consumer.
namespace {

using weft::Channel;
using weft::ChannelClosed;
using weft::ChannelOptions;
using weft::CloseReason;
using weft::testing::settle;
using weft_test::error_of;
using weft_test::is;
using namespace std::chrono_literals;

/// How long a wait took, and the reason of the close that ended it.
struct End {
  std::chrono::milliseconds after{};
  CloseReason reason = CloseReason::none;
};
template <class F>
End end_of(F wait) {
  const weft::TimePoint start = weft::now();
  CloseReason reason = CloseReason::none;
  try {
    wait();
  } catch (const ChannelClosed& closed) {
    reason = closed.reason();
  }
  return {std::chrono::duration_cast<std::chrono::milliseconds>(weft::now() - start), reason};
}

constexpr ChannelOptions hard{.no_producer = 50ms, .no_consumer = 70ms, .hard = true};

// R-CHN-18, R-CHN-19
TEST(ChannelGuardTest, ClosesWhenReceiversWaitTooLong) {
  weft::testing::run([] {
    for (std::size_t capacity : {0U, 1U}) {
      Channel<int> channel{capacity, hard};
      const End end = end_of([&] { channel.recv(); });
      EXPECT_EQ(end.after, 50ms);
      EXPECT_EQ(end.reason, CloseReason::no_producers);
    }
  });
}

// R-CHN-18, R-CHN-19
TEST(ChannelGuardTest, ClosesWhenSendersWaitTooLong) {
  weft::testing::run([] {
    for (std::size_t capacity : {0U, 1U}) {
      Channel<int> channel{capacity, hard};
      channel.try_send(1);
      const End end = end_of([&] { channel.send(2); });
      EXPECT_EQ(end.after, 70ms);
      EXPECT_EQ(end.reason, CloseReason::no_consumers);
    }
  });
}

// R-CHN-18
TEST(ChannelGuardTest, IsOffByDefault) {
  weft::testing::run([] {
    Channel<int> channel;
    auto sender = weft::spawn([&] {
      weft::delay(24h);
      channel.send(1);
    });
    EXPECT_EQ(channel.recv(), 1);
    EXPECT_EQ(weft::stats().armed_timers, 0U);
    weft::await(sender);
  });
}

// R-CHN-18
TEST(ChannelGuardTest, CountsOnlyWhileACoroutineWaits) {
  weft::testing::run([] {
    Channel<int> channel{2, hard};
    weft::delay(1s);
    channel.send(1);
    weft::delay(1s);
    EXPECT_FALSE(channel.is_closed());
    EXPECT_EQ(channel.recv(), 1);
    EXPECT_TRUE(is<weft::OperationCancelled>(error_of([&] { channel.recv(weft::timeout(40ms)); })));
    EXPECT_EQ(weft::stats().armed_timers, 0U);
    weft::delay(1s);
    EXPECT_FALSE(channel.is_closed());
  });
}

// R-CHN-18
TEST(ChannelGuardTest, StartsAnewWithAllTraffic) {
  weft::testing::run([] {
    Channel<int> channel{0, hard};
    const End end = end_of([&] {
      auto first = weft::spawn([&] { return channel.recv(); });
      auto second = weft::spawn([&] { channel.recv(); });
      weft::delay(30ms);
      channel.send(1);  // served to the first receiver; the second waits on
      EXPECT_EQ(weft::await(first), 1);
      weft::await(second);
    });
    EXPECT_EQ(end.after, 80ms);
    EXPECT_EQ(end.reason, CloseReason::no_producers);
  });
}

/// A receiver that was woken for a value does not count as waiting.
// R-CHN-18
TEST(ChannelGuardTest, IsNotArmedForThoseWithAReservation) {
  weft::testing::run([] {
    Channel<int> channel{1, hard};
    auto receiver = weft::spawn([&] { return channel.recv(); });
    settle();
    EXPECT_EQ(weft::stats().armed_timers, 1U);
    channel.send(1);
    EXPECT_EQ(weft::stats().armed_timers, 0U);
    EXPECT_EQ(weft::await(receiver), 1);
  });
}

// R-CHN-19
TEST(ChannelGuardTest, IsHiddenUnlessItIsHard) {
  weft::testing::run([] {
    Channel<int> soft{1, {.no_producer = 50ms}};
    auto receiver = weft::spawn([&] { return end_of([&] { soft.recv(); }); });
    settle();
    EXPECT_EQ(weft::stats().active_events, 0U);
    EXPECT_EQ(weft::stats().hidden_events, 1U);
    weft::delay(100ms);  // keeps the runtime alive until the hidden timer fires
    const End end = weft::await(receiver);
    EXPECT_EQ(end.after, 50ms);
    EXPECT_EQ(end.reason, CloseReason::no_producers);

    Channel<int> counted{1, hard};
    auto other = weft::spawn([&] { (void)end_of([&] { counted.recv(); }); });
    settle();
    EXPECT_EQ(weft::stats().active_events, 1U);
    EXPECT_EQ(weft::stats().hidden_events, 0U);
    weft::await(other);
  });
}

// R-CHN-18
TEST(ChannelGuardTest, WatchesTheCasesOfASelect) {
  weft::testing::run([] {
    Channel<int> channel{0, hard};
    Channel<int> other;
    const End end = end_of([&] {
      weft::select(weft::on_recv(other, [](int) {}), weft::on_recv(channel, [](int) {}));
    });
    EXPECT_EQ(end.after, 50ms);
    EXPECT_EQ(end.reason, CloseReason::no_producers);
    Channel<int> left{0, hard};
    weft::select(weft::on_recv(left, [](int) {}), weft::on(weft::timeout(10ms), [] {}));
    EXPECT_EQ(weft::stats().armed_timers, 0U);
  });
}

// R-CHN-20, R-DLK-3, R-REA-8
TEST(ChannelGuardTest, ClosesSoftChannelsAsSoonAsNothingElseIsAlive) {
  weft::testing::run([] {
    Channel<int> receiving{0, {.no_producer = 1h}};
    Channel<int> sending{0, {.no_consumer = 1h}};
    auto sender = weft::spawn([&] { return end_of([&] { sending.send(1); }); });
    const End end = end_of([&] { receiving.recv(); });
    EXPECT_EQ(end.reason, CloseReason::deadlock);
    EXPECT_LT(end.after, 1h);
    EXPECT_EQ(weft::await(sender).reason, CloseReason::deadlock);
  });
}

// R-CHN-20
TEST(ChannelGuardTest, ClosesAlsoAChannelThatIsOlderThanTheRuntime) {
  Channel<int> receiving{0, {.no_producer = 1h}};
  Channel<int> sending{0, {.no_consumer = 1h}};
  for (Channel<int>* channel : {&receiving, &sending}) {
    weft::testing::run([&] {
      const End end = end_of([&] {
        if (channel == &receiving) {
          channel->recv();
        } else {
          channel->send(1);
        }
      });
      EXPECT_EQ(end.reason, CloseReason::deadlock);
      EXPECT_EQ(end.after, 0ms);
    });
  }
}

// R-CHN-20, R-DLK-3
TEST(ChannelGuardTest, DoesNotEndWaitsOfOtherObjects) {
  EXPECT_THROW(weft::testing::run([] {
                 const Channel<int> soft{0, {.no_producer = 1h}};
                 Channel<int> plain;
                 plain.recv();
               }),
               weft::DeadlockError);
}

}  // namespace
