#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// Channels and pools as events: hints that something is available.
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using weft::Channel;
using weft::Event;
using weft::on;
using weft::testing::settle;
using weft_test::Call;
using weft_test::collecting;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::text;

static_assert(std::is_convertible_v<Channel<int>&, Event&>);
static_assert(std::is_convertible_v<weft::Pool<int>&, Event&>);

Event& receivable(Channel<int>& channel) { return channel; }

// R-EVT-1, R-EVT-2
TEST(HintEventTest, OfAChannelWakesWhenSomethingCanBeReceived) {
  weft::testing::run([] {
    Channel<int> channel{1};
    auto waiter = weft::spawn([&] {
      weft::await(channel);
      return channel.try_recv();
    });
    settle();
    EXPECT_FALSE(waiter.is_completed());
    channel.send(7);
    EXPECT_EQ(weft::await(waiter), std::optional{7});
  });
}

// R-EVT-1: awaiting takes no value, and gives no place in the queue.
TEST(HintEventTest, ReservesNothing) {
  weft::testing::run([] {
    Channel<int> channel{1};
    auto watcher = weft::spawn([&] {
      weft::await(channel);
      return channel.try_recv();
    });
    auto receiver = weft::spawn([&] { return channel.recv(); });
    settle();
    channel.send(1);  // promised to the receiver, so the watcher gets no hint
    EXPECT_EQ(weft::await(receiver), 1);
    settle();
    EXPECT_FALSE(watcher.is_completed());
    channel.send(2);
    EXPECT_EQ(channel.try_recv(), std::optional{2})
        << "the watcher has a hint, but another receiver was faster";
    EXPECT_EQ(weft::await(watcher), std::nullopt);
  });
}

// R-EVT-1: one change notifies all waiters.
TEST(HintEventTest, NotifiesAllWaiters) {
  weft::testing::run([] {
    Channel<int> channel{1};
    std::vector<weft::Coroutine<void>> watchers;
    for (int i = 0; i < 3; ++i) watchers.push_back(weft::spawn([&] { weft::await(channel); }));
    settle();
    channel.send(1);
    for (auto& watcher : watchers) weft::await(watcher);
    EXPECT_EQ(channel.size(), 1U);
  });
}

// R-EVT-9: the channel is checked before parking, so that no switch happens.
TEST(HintEventTest, ReturnsAtOnceWhenItIsReady) {
  std::vector<std::string> warnings;
  weft::testing::run(
      [] {
        Channel<int> channel{1};
        const auto suspensions = weft::stats().suspensions;
        weft::await(channel.sendable());
        channel.send(1);
        weft::await(channel);
        EXPECT_EQ(weft::select(on(channel, [] {})), 0U);
        weft::Waker& waker = weft::current().base().waker().renew();
        waker.resume_when(channel);
        weft::suspend(waker);
        EXPECT_EQ(weft::stats().suspensions, suspensions);
        EXPECT_EQ(receivable(channel).subscribers(), 0U);
      },
      collecting(warnings));
  EXPECT_THAT(warnings, IsEmpty());
}

// R-EVT-1, R-CHN-8: ready exactly when trying would succeed.
TEST(HintEventTest, IsReadyWhenTryingWouldSucceed) {
  weft::testing::run([] {
    Channel<int> channel{1};
    EXPECT_FALSE(receivable(channel).is_ready());
    EXPECT_TRUE(channel.sendable().is_ready());
    channel.send(1);
    EXPECT_TRUE(receivable(channel).is_ready());
    EXPECT_FALSE(channel.sendable().is_ready());
    auto sender = weft::spawn([&] { channel.send(2); });
    settle();
    EXPECT_EQ(channel.recv(), 1);
    EXPECT_FALSE(channel.sendable().is_ready()) << "the place is reserved for the waiting sender";
    weft::await(sender);
    EXPECT_EQ(channel.recv(), 2);

    Channel<int> meeting;
    EXPECT_TRUE(meeting.sendable().is_ready()) << "it keeps one value for the next receiver";
    EXPECT_FALSE(receivable(meeting).is_ready());
    auto offering = weft::spawn([&] { meeting.send(3); });
    settle();
    EXPECT_FALSE(meeting.sendable().is_ready());
    EXPECT_TRUE(receivable(meeting).is_ready());
    EXPECT_EQ(meeting.try_recv(), std::optional{3});
    weft::await(offering);
  });
}

// R-CHN-3: the value of a rendezvous can be received as soon as its sender has parked.
TEST(HintEventTest, OfARendezvousNotifiesOfASenderThatWaits) {
  weft::testing::run([] {
    Channel<int> channel;
    auto watcher = weft::spawn([&] {
      weft::await(channel);
      return channel.try_recv();
    });
    settle();
    auto sender = weft::spawn([&] { channel.send(5); });
    EXPECT_EQ(weft::await(watcher), std::optional{5});
    weft::await(sender);
  });
}

// R-CHN-12: the reservation of a cancelled waiter is free again, and the hint event notifies.
TEST(HintEventTest, NotifiesOfWhatACancelledReceiverLeaves) {
  weft::testing::run([] {
    Channel<int> channel{1};
    auto receiver = weft::spawn([&] { (void)channel.recv(); });
    auto watcher = weft::spawn([&] { weft::await(channel); });
    settle();
    channel.send(1);
    receiver.cancel();
    settle();
    EXPECT_TRUE(watcher.is_completed());
    EXPECT_EQ(channel.try_recv(), std::optional{1});
  });
}

// trap 82: the queue drops a sender whose wait is decided without a notification; the hint is
// updated.
TEST(HintEventTest, NotifiesOfAPlaceThatACancelledSenderLeaves) {
  weft::testing::run([] {
    Channel<int> channel;
    auto sender = weft::spawn([&] { channel.send(1); });
    settle();
    auto watcher = weft::spawn([&] { weft::await(channel.sendable()); });
    settle();
    EXPECT_FALSE(watcher.is_completed()) << "a value would stand before ours";
    sender.cancel();
    EXPECT_EQ(channel.try_recv(), std::nullopt);  // finds the decided sender, and drops it
    settle();
    EXPECT_TRUE(watcher.is_completed());
  });
}

// R-LIFE-5, R-CHN-4: sendable() closes with the channel, the event of the channel itself when the
// channel is also empty.
TEST(HintEventTest, ClosesWithTheChannel) {
  std::vector<std::string> warnings;
  weft::testing::run(
      [] {
        Channel<int> channel{2};
        Event& sendable = channel.sendable();
        Event& received = channel;
        channel.send(1);
        channel.close();
        EXPECT_TRUE(sendable.is_closed());
        EXPECT_FALSE(received.is_closed());
        EXPECT_TRUE(received.is_ready());
        EXPECT_EQ(channel.recv(), 1);
        EXPECT_TRUE(received.is_closed());
        weft::await(channel);
        weft::await(channel.sendable());
        Channel<int> other;
        other.close();
        weft::await(other);
        weft::await(other.sendable());
      },
      collecting(warnings));
  EXPECT_THAT(warnings, IsEmpty());
}

// R-CHN-4: the close wakes the waiters.
TEST(HintEventTest, WakesAtTheClose) {
  weft::testing::run([] {
    Channel<int> channel{1};
    auto receiving = weft::spawn([&] { weft::await(channel); });
    channel.send(1);
    auto sending = weft::spawn([&] { weft::await(channel.sendable()); });
    settle();
    EXPECT_TRUE(receiving.is_completed());
    channel.close();
    weft::await(sending);
  });
}

// R-RC-4: a channel that is destroyed ends the waits for its events with an error.
TEST(HintEventTest, ThrowsWhenTheChannelGoes) {
  weft::testing::run([] {
    std::optional<Channel<int>> channel{std::in_place, 1U};
    auto watcher = weft::spawn([&] { weft::await(*channel); });
    settle();
    const weft::EventRef reference{weft::Ref<Event>{&receivable(*channel)}};
    channel.reset();
    const auto error = error_of([&] { weft::await(watcher); });
    EXPECT_TRUE(is<weft::ChannelClosed>(error)) << text(error);
    EXPECT_TRUE(reference.is_completed());
    EXPECT_FALSE(reference.describe().empty());
  });
}

// R-EVT-2: a callback is called for every change to ready, and for no other change.
TEST(HintEventTest, CallsACallbackForChangesOnly) {
  weft::testing::run([] {
    Channel<int> channel{3};
    int notified = 0;
    Call call{[&](Event&, const weft::Outcome&) { ++notified; }};
    receivable(channel).add_callback(call);
    channel.send(1);
    channel.send(2);
    EXPECT_EQ(notified, 1);
    while (channel.try_recv()) {
    }
    channel.send(3);
    EXPECT_EQ(notified, 2);
    receivable(channel).remove_callback(call);
    channel.send(4);
    receivable(channel).add_callback(call);
    channel.send(5);
    EXPECT_EQ(notified, 2) << "it was ready when the callback came";
    receivable(channel).remove_callback(call);
  });
}

// R-CB: a callback may use the channel; a change that it makes notifies after the callback.
TEST(HintEventTest, LetsACallbackUseTheChannel) {
  std::vector<std::string> warnings;
  Log log;
  weft::testing::run(
      [&] {
        Channel<int> channel{1};
        Call call{[&](Event&, const weft::Outcome&) {
          const int value = *channel.try_recv();
          log.push_back(std::to_string(value));
          if (value < 3) channel.try_send(value + 1);
        }};
        receivable(channel).add_callback(call);
        channel.send(1);
        weft::delay(1ms);
        receivable(channel).remove_callback(call);
      },
      collecting(warnings));
  EXPECT_EQ(log, (Log{"1", "2", "3"}));
  EXPECT_THAT(warnings, IsEmpty());
}

// R-EVT-2: a channel may be a token.
TEST(HintEventTest, IsAToken) {
  weft::testing::run([] {
    Channel<int> stop;
    Channel<int> work;
    auto worker = weft::spawn([&] { (void)work.recv(stop); });
    settle();
    auto sender = weft::spawn([&] { stop.send(1); });
    const auto error = error_of([&] { weft::await(worker); });
    EXPECT_TRUE(is<weft::OperationCancelled>(error)) << text(error);
    EXPECT_EQ(stop.recv(), 1) << "the token took nothing";
    weft::await(sender);
  });
}

// R-DLK-1, R-OBS-3: a channel wakes no coroutine by itself, so it is no active event.
TEST(HintEventTest, IsNamedInADeadlock) {
  std::vector<std::string> warnings;
  const auto error = error_of([&] {
    weft::testing::run(
        [] {
          Channel<int> channel{1, {}, weft::Place{"foo.cpp", 10}};
          weft::await(channel);
        },
        collecting(warnings));
  });
  EXPECT_TRUE(is<weft::DeadlockError>(error)) << text(error);
  ASSERT_FALSE(warnings.empty());
  EXPECT_THAT(warnings.front(), HasSubstr("waits for Channel #"));
  EXPECT_THAT(warnings.front(), HasSubstr("created at foo.cpp:10, to receive"));
}

weft::PoolOptions<int> one() {
  return {.max = 1, .create = [] { return 1; }};
}

// R-EVT-1
TEST(HintEventTest, OfAPoolWakesWhenAResourceIsFree) {
  weft::testing::run([] {
    weft::Pool<int> pool{one()};
    Event& event = pool;
    EXPECT_TRUE(event.is_ready()) << "a resource may be made";
    auto lease = std::optional{pool.acquire()};
    EXPECT_FALSE(event.is_ready());
    auto watcher = weft::spawn([&] {
      weft::await(pool);
      return pool.try_acquire().has_value();
    });
    settle();
    EXPECT_FALSE(watcher.is_completed());
    lease.reset();
    EXPECT_TRUE(weft::await(watcher));
  });
}

// R-RPL-10: a resource that is reserved for a waiter gives no hint.
TEST(HintEventTest, OfAPoolSaysNothingOfWhatIsReserved) {
  weft::testing::run([] {
    weft::Pool<int> pool{one()};
    auto lease = std::optional{pool.acquire()};
    auto watcher = weft::spawn([&] { weft::await(pool); });
    auto user = weft::spawn([&] { const auto second = pool.acquire(); });
    settle();
    lease.reset();
    EXPECT_FALSE(static_cast<Event&>(pool).is_ready());
    weft::await(user);
    settle();
    EXPECT_TRUE(watcher.is_completed()) << "the user has given it back";
  });
}

// R-EVT-1: a place is free again when making a resource failed.
TEST(HintEventTest, OfAPoolNotifiesOfAPlaceThatFailed) {
  weft::testing::run([] {
    weft::Promise<void> goes_on;
    weft::Pool<int> pool{{.max = 1, .create = [future = goes_on.future()]() -> int {
                            future.await();
                            throw weft::Error{"no resource"};
                          }}};
    auto maker = weft::spawn([&] { const auto lease = pool.acquire(); });
    settle();
    auto watcher = weft::spawn([&] { weft::await(pool); });
    settle();
    EXPECT_FALSE(watcher.is_completed());
    goes_on.complete();
    EXPECT_NE(error_of([&] { weft::await(maker); }), nullptr);
    weft::await(watcher);
  });
}

// R-LIFE-5: the event closes with the pool; the destructor of the pool ends waits with an error.
TEST(HintEventTest, OfAPoolClosesWithIt) {
  std::vector<std::string> warnings;
  weft::testing::run(
      [] {
        std::optional<weft::Pool<int>> pool{std::in_place, one()};
        auto lease = std::optional{pool->acquire()};
        auto first = weft::spawn([&] { weft::await(*pool); });
        settle();
        pool->close();
        weft::await(first);
        weft::await(*pool);
        lease.reset();

        pool.emplace(one());
        lease.emplace(pool->acquire());
        auto second = weft::spawn([&] { weft::await(*pool); });
        settle();
        pool.reset();
        const auto error = error_of([&] { weft::await(second); });
        EXPECT_TRUE(is<weft::PoolClosed>(error)) << text(error);
        lease.reset();
      },
      collecting(warnings));
  EXPECT_THAT(warnings, IsEmpty());
}

// R-RPL: a pool that rejects every caller gives no hint.
TEST(HintEventTest, OfAPoolFollowsItsCircuitBreaker) {
  weft::testing::run([] {
    weft::Pool<int> pool{one()};
    pool.deactivate();
    auto watcher = weft::spawn([&] { weft::await(pool); });
    settle();
    EXPECT_FALSE(watcher.is_completed());
    pool.activate();
    weft::await(watcher);
  });
}

}  // namespace
