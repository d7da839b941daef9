#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "channel_users.hpp"
#include "failures.hpp"
#include "support.hpp"

// The behaviour of a channel in single schedules; channel_explore_test.cpp runs all of them.
namespace {

using ::testing::ElementsAre;
using weft::Channel;
using weft::ChannelClosed;
using weft::CloseReason;
using weft::testing::settle;
using weft_test::closed_text;
using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::receiving;
using weft_test::sending;
using namespace std::chrono_literals;

CloseReason reason_of(const std::exception_ptr& error) {
  try {
    if (error) std::rethrow_exception(error);
  } catch (const ChannelClosed& closed) {
    return closed.reason();
  } catch (...) {
  }
  return CloseReason::none;
}

// R-CHN-1, R-CHN-2
TEST(ChannelTest, OfCapacityNHoldsNValuesInOrder) {
  weft::testing::run([] {
    Log log;
    Channel<int> channel{2};
    EXPECT_EQ(channel.capacity(), 2U);
    channel.send(1);
    channel.send(2);
    EXPECT_TRUE(channel.is_full());
    auto third = sending(channel, 3, log);
    settle();
    EXPECT_TRUE(third.is_suspended());
    EXPECT_EQ(channel.recv(), 1);
    EXPECT_EQ(channel.recv(), 2);
    EXPECT_THAT(log, ElementsAre());  // woken, but it has not run
    EXPECT_EQ(channel.recv(), 3);
    EXPECT_THAT(log, ElementsAre("sent 3"));
    EXPECT_TRUE(channel.is_empty());
  });
}

// R-CHN-1, R-CHN-2
TEST(ChannelTest, OfCapacity0BlocksASenderUntilItsValueIsTaken) {
  weft::testing::run([] {
    Log log;
    Channel<int> channel;
    EXPECT_EQ(channel.capacity(), 0U);
    auto sender = sending(channel, 1, log);
    settle();
    EXPECT_TRUE(sender.is_suspended());
    EXPECT_EQ(channel.size(), 1U);
    EXPECT_EQ(channel.recv(), 1);
    EXPECT_TRUE(channel.is_empty());
    settle();
    EXPECT_THAT(log, ElementsAre("sent 1"));
  });
}

// R-CHN-2
TEST(ChannelTest, OfCapacity0LetsASenderGoThatWokeAReceiver) {
  weft::testing::run([] {
    Log log;
    Channel<int> channel;
    auto receiver = receiving(channel, "a", log);
    settle();
    channel.send(1);
    EXPECT_THAT(log, ElementsAre());
    EXPECT_EQ(channel.size(), 1U);
    settle();
    EXPECT_THAT(log, ElementsAre("a 1"));
  });
}

// R-CHN-3
TEST(ChannelTest, TriesWithoutWaiting) {
  weft::testing::run([] {
    Channel<int> channel{1};
    EXPECT_EQ(channel.try_recv(), std::nullopt);
    EXPECT_TRUE(channel.try_send(1));
    EXPECT_FALSE(channel.try_send(2));
    EXPECT_EQ(channel.try_recv(), 1);
    channel.close();
    EXPECT_FALSE(channel.try_send(3));
    EXPECT_EQ(channel.try_recv(), std::nullopt);
  });
}

// R-CHN-3
TEST(ChannelTest, OfCapacity0KeepsOneTriedValue) {
  weft::testing::run([] {
    Log log;
    Channel<int> channel;
    EXPECT_TRUE(channel.try_send(1));
    EXPECT_FALSE(channel.try_send(2));
    EXPECT_EQ(channel.size(), 1U);
    auto sender = sending(channel, 3, log);  // queued behind the buffered value
    settle();
    EXPECT_EQ(channel.recv(), 1);
    EXPECT_FALSE(channel.try_send(4)) << "the place is reserved for the waiting sender";
    EXPECT_EQ(channel.try_recv(), 3);
    EXPECT_TRUE(channel.try_send(5));
    EXPECT_EQ(channel.try_recv(), 5);
    settle();
  });
}

// R-CHN-4
TEST(ChannelTest, FailsSendersAndDrainsReceiversOnceClosed) {
  weft::testing::run([] {
    Channel<int> channel{2};
    channel.send(1);
    channel.close();
    channel.close();
    EXPECT_TRUE(channel.is_closed());
    EXPECT_TRUE(is<ChannelClosed>(error_of([&] { channel.send(2); })));
    EXPECT_EQ(channel.recv(), 1);
    EXPECT_TRUE(is<ChannelClosed>(error_of([&] { channel.recv(); })));
    EXPECT_TRUE(is<std::runtime_error>(error_of([&] { channel.recv(); })));
  });
}

// R-CHN-4
TEST(ChannelTest, FailsItsWaitersWhenItIsClosed) {
  weft::testing::run([] {
    for (std::size_t capacity : {0U, 1U}) {
      Log log;
      Channel<int> full{capacity};
      full.try_send(0);
      auto sender = sending(full, 1, log);
      Channel<int> empty{capacity};
      auto receiver = receiving(empty, "a", log);
      settle();
      full.close();
      empty.close();
      settle();
      EXPECT_THAT(log, ElementsAre(closed_text + " 1", "a " + closed_text));
      EXPECT_EQ(full.recv(), 0);
    }
  });
}

// R-CHN-5
TEST(ChannelTest, KeepsTheFirstReasonOfItsEnd) {
  weft::testing::run([] {
    Channel<int> channel{1};
    EXPECT_EQ(channel.close_reason(), CloseReason::none);
    channel.close(CloseReason::no_producers);
    channel.close();
    EXPECT_EQ(channel.close_reason(), CloseReason::no_producers);
    EXPECT_EQ(reason_of(error_of([&] { channel.recv(); })), CloseReason::no_producers);
    EXPECT_EQ(reason_of(error_of([&] { channel.send(1); })), CloseReason::no_producers);
    Channel<int> other;
    other.close();
    EXPECT_EQ(reason_of(error_of([&] { other.recv(); })), CloseReason::explicitly);
  });
}

// R-CHN-5
TEST(ChannelTest, FailsItsWaitersWhenItIsDestroyed) {
  weft::testing::run([] {
    Log log;
    {
      Channel<int> empty;
      Channel<int> full{1};
      full.send(0);
      Channel<int> promised{1};
      auto parked = receiving(empty, "parked", log);
      auto woken = receiving(promised, "woken", log);
      auto sender = sending(full, 1, log);
      settle();
      promised.send(1);
    }
    settle();
    EXPECT_THAT(log, ::testing::UnorderedElementsAre("parked The channel is closed: disposed",
                                                     "woken The channel is closed: disposed",
                                                     "The channel is closed: disposed 1"));
  });
}

// R-CHN-6, trap 4
TEST(ChannelTest, ServesReceiversInTheOrderOfTheirArrival) {
  weft::testing::run([] {
    Log log;
    Channel<int> channel{4};
    auto a = receiving(channel, "a", log);
    auto b = receiving(channel, "b", log);
    auto c = receiving(channel, "c", log);
    auto d = receiving(channel, "d", log);
    settle();
    a.cancel();
    settle();
    for (int i = 1; i <= 3; ++i) channel.send(i);
    settle();
    EXPECT_THAT(log, ElementsAre("a cancelled: Coroutine cancelled", "b 1", "c 2", "d 3"));
  });
}

// R-CHN-6, trap 4
TEST(ChannelTest, ServesSendersInTheOrderOfTheirArrival) {
  weft::testing::run([] {
    for (std::size_t capacity : {0U, 1U}) {
      Log log;
      Channel<int> channel{capacity};
      channel.try_send(0);
      auto a = sending(channel, 1, log);
      auto b = sending(channel, 2, log);
      auto c = sending(channel, 3, log);
      auto d = sending(channel, 4, log);
      settle();
      a.cancel();
      settle();
      std::vector<int> values;
      for (int i = 0; i < 4; ++i) values.push_back(channel.recv());
      settle();
      EXPECT_THAT(values, ElementsAre(0, 2, 3, 4));
      EXPECT_THAT(log,
                  ElementsAre("cancelled: Coroutine cancelled 1", "sent 2", "sent 3", "sent 4"));
    }
  });
}

// R-CHN-15
TEST(ChannelTest, IsIteratedUntilItIsClosed) {
  weft::testing::run([] {
    for (std::size_t capacity : {0U, 2U}) {
      Channel<int> channel{capacity};
      auto sender = weft::spawn([&] {
        for (int i = 1; i <= 5; ++i) channel.send(i);
        weft::suspend();  // the loop is parked when the channel is closed
        channel.close();
      });
      std::vector<int> values;
      for (int value : channel) values.push_back(value);
      EXPECT_THAT(values, ElementsAre(1, 2, 3, 4, 5));
    }
  });
}

// R-CHN-15
TEST(ChannelTest, ThrowsAnyOtherReasonOutOfTheLoop) {
  weft::testing::run([] {
    Channel<int> channel{2};
    channel.send(1);
    channel.close(CloseReason::scope_disposed);
    std::vector<int> values;
    const auto error = error_of([&] {
      for (int value : channel) values.push_back(value);
    });
    EXPECT_THAT(values, ElementsAre(1));
    EXPECT_EQ(reason_of(error), CloseReason::scope_disposed);

    Channel<int> parked;
    auto looping = weft::spawn([&] {
      return reason_of(error_of([&] {
        for ([[maybe_unused]] int value : parked) ADD_FAILURE();
      }));
    });
    settle();
    parked.close(CloseReason::no_producers);
    EXPECT_EQ(weft::await(looping), CloseReason::no_producers);
  });
}

/// `for (auto& value : channel)` does not compile: the iterator returns a value.
// R-CHN-15
TEST(ChannelTest, IsNotIteratedByReference) {
  using Given = decltype(*std::declval<Channel<int>&>().begin());
  EXPECT_TRUE((std::is_same_v<Given, int>));
}

// R-CHN-17
TEST(ChannelTest, IsClosedByItsBindingAndNeitherKeepsTheOtherAlive) {
  weft::testing::run([] {
    Log log;
    Channel<int> outliving;
    {
      weft::detail::ChannelBindings bindings;
      bindings.bind(outliving);
      {
        Channel<int> shorter;
        bindings.bind(shorter);
      }
    }
    EXPECT_FALSE(outliving.is_closed()) << "the end of the binding alone closes nothing";
    weft::detail::ChannelBindings bindings;
    Channel<int> second;
    Channel<int> third;
    bindings.bind(outliving);
    bindings.bind(second);
    bindings.bind(third);
    bindings.bind(second);
    auto receiver = receiving(second, "a", log);
    settle();
    bindings.close_all();
    EXPECT_TRUE(bindings.is_empty());
    EXPECT_EQ(outliving.close_reason(), CloseReason::scope_disposed);
    EXPECT_EQ(third.close_reason(), CloseReason::scope_disposed);
    settle();
    EXPECT_THAT(log, ElementsAre("a The channel is closed: scope disposed"));
  });
}

// R-CHN-2
TEST(ChannelTest, RefusesToWaitInTheSchedulerPhase) {
  weft::testing::run([] {
    Channel<int> channel{1};
    std::exception_ptr error;
    weft::post_microtask([&] { error = error_of([&] { channel.recv(); }); });
    weft::suspend();
    EXPECT_TRUE(is<weft::MisuseError>(error));
    EXPECT_TRUE(channel.try_send(1));
    EXPECT_EQ(channel.try_recv(), 1) << "no waiter is left in the queue";
  });
}

// R-CHN-1
TEST(ChannelTest, LivesBehindARef) {
  weft::testing::run([] {
    auto channel = weft::make_ref<Channel<int>>(1U);
    auto receiver = weft::spawn([channel] { return channel->recv(); });
    channel->send(1);
    channel = nullptr;
    EXPECT_EQ(weft::await(receiver), 1);
  });
}

// R-DLK-8
TEST(ChannelTest, ThatNoneCanFeedIsADeadlockAndSaysWhere) {
  std::vector<std::string> warnings;
  const auto error = error_of([&] {
    weft::testing::run(
        [] {
          Channel<int> channel;
          channel.recv();
        },
        weft_test::collecting(warnings));
  });
  EXPECT_TRUE(is<weft::DeadlockError>(error));
  ASSERT_FALSE(warnings.empty());
  EXPECT_THAT(warnings.front(), ::testing::HasSubstr("waits for Channel #"));
  EXPECT_THAT(warnings.front(), ::testing::HasSubstr("channel_test.cpp"));
}

}  // namespace
