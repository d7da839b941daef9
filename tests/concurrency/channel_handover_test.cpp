#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "channel_users.hpp"
#include "failures.hpp"
#include "support.hpp"

// A woken waiter owns a value or a slot; if it cannot use that, the next waiter gets it.
namespace {

using ::testing::ElementsAre;
using weft::Channel;
using weft::ChannelClosed;
using weft::testing::settle;
using weft_test::closed_text;
using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::receiving;
using weft_test::sending;
using namespace std::chrono_literals;

// R-CHN-7, R-CHN-8, trap 1, trap 3
TEST(ChannelHandoverTest, ReservesAValueForAWokenReceiver) {
  weft::testing::run([] {
    for (std::size_t capacity : {0U, 1U}) {
      Log log;
      Channel<int> channel{capacity};
      auto waiting = receiving(channel, "waiting", log);
      settle();
      channel.send(1);
      EXPECT_EQ(channel.size(), 1U);
      EXPECT_TRUE(channel.is_full());
      EXPECT_EQ(channel.try_recv(), std::nullopt);
      EXPECT_FALSE(channel.try_send(2));
      auto error = error_of([&] { channel.recv(weft::timeout(1ms)); });
      EXPECT_TRUE(is<weft::OperationCancelled>(error)) << "a newcomer waits for the next";
      EXPECT_THAT(log, ElementsAre("waiting 1"));
    }
  });
}

// R-CHN-7, R-CHN-8, trap 2, trap 3, trap 5
TEST(ChannelHandoverTest, ReservesASlotForAWokenSender) {
  weft::testing::run([] {
    Log log;
    Channel<int> channel{1};
    channel.send(1);
    auto waiting = sending(channel, 2, log);
    settle();
    EXPECT_EQ(channel.recv(), 1);
    EXPECT_EQ(channel.size(), 0U) << "the buffer itself is empty";
    EXPECT_FALSE(channel.try_send(3));
    auto newcomer = sending(channel, 4, log);
    settle();
    EXPECT_THAT(log, ElementsAre("sent 2"));
    EXPECT_EQ(channel.recv(), 2);
    EXPECT_EQ(channel.recv(), 4);
  });
}

// R-CHN-10, trap 6
TEST(ChannelHandoverTest, AcknowledgesASenderInTheStepThatTakesItsValue) {
  weft::testing::run([] {
    Log log;
    Channel<int> channel;
    auto first = sending(channel, 1, log);
    auto second = sending(channel, 2, log);
    settle();
    EXPECT_EQ(channel.recv(), 1);
    EXPECT_FALSE(channel.try_send(3)) << "the freed place is the next sender's";
    channel.close();
    settle();
    EXPECT_THAT(log, ElementsAre("sent 1", closed_text + " 2"));
    EXPECT_EQ(channel.size(), 0U);
    EXPECT_EQ(channel.try_recv(), std::nullopt);
  });
}

// R-CHN-10
TEST(ChannelHandoverTest, GivesTheOnlySlotToTheOldestSenderWhenBothSidesWait) {
  weft::testing::run([] {
    Log log;
    Channel<int> channel;
    auto a = receiving(channel, "a", log);
    auto b = receiving(channel, "b", log);
    settle();
    auto first = sending(channel, 1, log);   // wakes a
    auto second = sending(channel, 2, log);  // finds the slot in use, although b waits
    settle();
    EXPECT_THAT(log, ElementsAre("sent 1", "a 1", "sent 2", "b 2"));
  });
}

// R-CHN-11, trap 6
TEST(ChannelHandoverTest, LeavesAReservedValueToItsReceiverWhenItIsClosed) {
  weft::testing::run([] {
    for (std::size_t capacity : {0U, 1U}) {
      Log log;
      Channel<int> channel{capacity};
      auto woken = receiving(channel, "woken", log);
      auto waiting = receiving(channel, "waiting", log);
      settle();
      channel.send(1);
      channel.close();
      settle();
      EXPECT_THAT(log, ElementsAre("woken 1", "waiting " + closed_text));
    }
  });
}

// R-CHN-11
TEST(ChannelHandoverTest, FailsAWokenSenderWhenItIsClosed) {
  weft::testing::run([] {
    Log log;
    Channel<int> channel{1};
    channel.send(1);
    auto woken = sending(channel, 2, log);
    settle();
    EXPECT_EQ(channel.recv(), 1);
    channel.close();
    settle();
    EXPECT_THAT(log, ElementsAre(closed_text + " 2"));
    EXPECT_TRUE(channel.is_empty());
  });
}

// R-CHN-11, trap 6
TEST(ChannelHandoverTest, KeepsNoValueOfASenderThatItFailed) {
  weft::testing::run([] {
    Log log;
    Channel<int> channel;
    auto sender = sending(channel, 1, log);
    settle();
    channel.close();
    EXPECT_TRUE(channel.is_empty());
    EXPECT_TRUE(is<ChannelClosed>(error_of([&] { channel.recv(); })));
    settle();
    EXPECT_THAT(log, ElementsAre(closed_text + " 1"));
  });
}

// R-CHN-12, R-CAN-6, trap 1
TEST(ChannelHandoverTest, HandsTheValueOfACancelledReceiverToTheNext) {
  weft::testing::run([] {
    for (std::size_t capacity : {0U, 1U}) {
      Log log;
      Channel<int> channel{capacity};
      auto a = receiving(channel, "a", log);
      auto b = receiving(channel, "b", log);
      auto c = receiving(channel, "c", log);
      settle();
      channel.send(1);
      a.cancel();
      settle();
      EXPECT_THAT(log, ElementsAre("a cancelled: Coroutine cancelled", "b 1"));
      channel.send(2);
      c.cancel();
      settle();
      EXPECT_EQ(channel.try_recv(), 2) << "the reservation is free again";
    }
  });
}

// R-CHN-12, R-CAN-6, trap 2
TEST(ChannelHandoverTest, HandsTheSlotOfACancelledSenderToTheNext) {
  weft::testing::run([] {
    Log log;
    Channel<int> channel{1};
    channel.send(0);
    auto a = sending(channel, 1, log);
    auto b = sending(channel, 2, log);
    settle();
    EXPECT_EQ(channel.recv(), 0);
    a.cancel();
    settle();
    EXPECT_THAT(log, ElementsAre("cancelled: Coroutine cancelled 1", "sent 2"));
    auto c = sending(channel, 3, log);
    settle();
    EXPECT_EQ(channel.recv(), 2);
    c.cancel();
    settle();
    EXPECT_TRUE(channel.try_send(4)) << "the reservation is free again";
  });
}

// R-CHN-12
TEST(ChannelHandoverTest, LetsASenderWaitOnWhoseReceiverWasCancelled) {
  weft::testing::run([] {
    Log log;
    Channel<int> channel;
    auto a = receiving(channel, "a", log);
    auto b = receiving(channel, "b", log);
    settle();
    auto sender = weft::spawn([&] {
      channel.send(1);
      channel.send(2);
      log.push_back("both sent");
    });
    auto third = sending(channel, 3, log);
    weft::suspend();  // a is woken for 1, and both senders wait for the slot
    weft::suspend();  // a takes 1, so the slot is promised to the older sender, for b
    b.cancel();
    settle();
    EXPECT_THAT(log, ElementsAre("a 1", "b cancelled: Coroutine cancelled"));
    EXPECT_EQ(channel.recv(), 2) << "the sender kept its place in the queue";
    EXPECT_EQ(channel.recv(), 3);
    settle();
    EXPECT_THAT(log, ElementsAre("a 1", "b cancelled: Coroutine cancelled", "both sent", "sent 3"));
  });
}

// R-CHN-13, trap 6
TEST(ChannelHandoverTest, OfCapacity0KeepsNoValueOfACancelledSender) {
  weft::testing::run([] {
    Log log;
    Channel<int> channel;
    auto sender = sending(channel, 1, log);
    settle();
    sender.cancel();
    EXPECT_EQ(channel.try_recv(), std::nullopt) << "it was cancelled before a receiver came";
    settle();
    EXPECT_TRUE(channel.is_empty());
    EXPECT_TRUE(channel.try_send(2));
  });
}

// R-CHN-13, trap 6
TEST(ChannelHandoverTest, ReportsACancellationThoughTheValueWasTaken) {
  weft::testing::run([] {
    Log log;
    Channel<int> channel;
    auto sender = sending(channel, 1, log);
    settle();
    EXPECT_EQ(channel.recv(), 1);
    sender.cancel();
    settle();
    EXPECT_THAT(log, ElementsAre("cancelled: Coroutine cancelled 1"));
    EXPECT_TRUE(channel.is_empty());
  });
}

// R-CHN-14
TEST(ChannelHandoverTest, LetsATokenEndTheWaitAndStaysUsable) {
  weft::testing::run([] {
    for (std::size_t capacity : {0U, 1U}) {
      Channel<int> channel{capacity};
      const auto late = error_of([&] { channel.recv(weft::timeout(5ms)); });
      EXPECT_TRUE(is<weft::OperationCancelled>(late));
      EXPECT_TRUE(is<weft::TimedOut>(weft::previous(late)));
      ASSERT_TRUE(channel.try_send(1));
      EXPECT_TRUE(
          is<weft::OperationCancelled>(error_of([&] { channel.send(2, weft::timeout(5ms)); })));
      EXPECT_EQ(channel.recv(weft::timeout(5ms)), 1);
      EXPECT_EQ(channel.try_recv(), std::nullopt);
      Log log;
      auto receiver = receiving(channel, "a", log);
      settle();
      channel.send(3, weft::timeout(5ms));
      settle();
      EXPECT_THAT(log, ElementsAre("a 3"));
    }
  });
}

// R-CHN-13, R-CHN-14, trap 6
TEST(ChannelHandoverTest, TakesNothingFromASenderThatATokenHasSentAway) {
  weft::testing::run([] {
    Doorbell token;
    Channel<int> channel;
    auto sender = weft::spawn(
        [&] { return is<weft::OperationCancelled>(error_of([&] { channel.send(1, token); })); });
    settle();
    token.ring();  // decides the wait of the sender, which has not run yet
    EXPECT_EQ(channel.try_recv(), std::nullopt);
    EXPECT_TRUE(weft::await(sender));
  });
}

// R-CHN-6: receivers are served, that is promised a value, in the order of their arrival. The one
// that runs first, here by its priority, gets the oldest value.
TEST(ChannelHandoverTest, WakesInTheOrderOfArrivalAndGivesTheOldestToTheFirstThatRuns) {
  weft::testing::run([] {
    Channel<int> channel{2};
    Log log;
    const auto receive = [&](const char* name) {
      return [&, name] { log.push_back(name + std::to_string(channel.recv())); };
    };
    weft::spawn(receive("first "));
    settle();
    weft::spawn({.priority = weft::Priority::high}, receive("urgent "));
    settle();
    channel.send(1);  // reserved for the receiver that has waited longer
    EXPECT_FALSE(channel.try_recv().has_value());
    settle();
    EXPECT_EQ(log, Log{"first 1"});
    weft::spawn(receive("third "));
    settle();
    channel.send(2);
    channel.send(3);
    settle();
    EXPECT_EQ(log, (Log{"first 1", "urgent 2", "third 3"}));
    weft::spawn(receive("fourth "));
    settle();
    weft::spawn({.priority = weft::Priority::high}, receive("urgent "));
    settle();
    channel.send(4);
    channel.send(5);  // both receivers are woken before one runs
    settle();
    EXPECT_EQ(log, (Log{"first 1", "urgent 2", "third 3", "urgent 4", "fourth 5"}));
  });
}

}  // namespace
