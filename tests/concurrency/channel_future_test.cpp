#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.hpp"
#include "parcels.hpp"
#include "support.hpp"

// recv_async(): a receiver without a coroutine.
namespace {

using weft::Channel;
using weft::ChannelClosed;
using weft::CloseReason;
using weft::testing::settle;
using weft_test::error_of;
using weft_test::is;
using weft_test::Parcels;

// R-CHN-3
TEST(ChannelFutureTest, IsCompletedFailedOrPending) {
  weft::testing::run([] {
    for (std::size_t capacity : {0U, 1U}) {
      Channel<int> channel{capacity};
      channel.try_send(1);
      auto completed = channel.recv_async();
      EXPECT_TRUE(completed.is_completed());
      EXPECT_EQ(weft::await(completed), 1);
      EXPECT_TRUE(channel.is_empty());
      auto pending = channel.recv_async();
      EXPECT_FALSE(pending.is_completed());
      channel.send(2);
      EXPECT_EQ(weft::await(pending), 2);
      channel.close();
      auto failed = channel.recv_async();
      EXPECT_TRUE(failed.is_completed());
      EXPECT_TRUE(is<ChannelClosed>(error_of([&] { weft::await(failed); })));
    }
  });
}

// R-CHN-3, R-CHN-10
TEST(ChannelFutureTest, TakesTheValueOfAParkedSender) {
  weft::testing::run([] {
    Channel<int> channel;
    auto sender = weft::spawn([&] { channel.send(1); });
    settle();
    auto future = channel.recv_async();
    EXPECT_TRUE(future.is_completed());
    channel.close();
    weft::await(sender);
    EXPECT_EQ(weft::await(future), 1);
  });
}

// R-CHN-9
TEST(ChannelFutureTest, IsServedAtTheWakeUpAndReservesNothing) {
  weft::testing::run([] {
    for (std::size_t capacity : {0U, 1U}) {
      Channel<int> channel{capacity};
      auto first = channel.recv_async();
      auto second = channel.recv_async();
      channel.send(1);
      EXPECT_TRUE(first.is_completed());
      EXPECT_TRUE(channel.is_empty());
      channel.send(2);  // nothing is reserved, so there is room
      EXPECT_TRUE(second.is_completed());
      EXPECT_EQ(weft::await(first) * 10 + weft::await(second), 12);
    }
  });
}

// R-CHN-6, R-CHN-7, trap 3, trap 4
TEST(ChannelFutureTest, WaitsInTheQueueLikeOthers) {
  weft::testing::run([] {
    Channel<int> channel{3};
    auto first = weft::spawn([&] { return channel.recv(); });
    settle();
    auto second = channel.recv_async();
    auto third = weft::spawn([&] { return channel.recv(); });
    settle();
    channel.send(1);
    auto fourth = channel.recv_async();
    EXPECT_FALSE(second.is_completed()) << "the value is the first one's";
    settle();
    channel.send(2);
    EXPECT_TRUE(second.is_completed());
    channel.send(3);
    EXPECT_EQ(weft::await(first) * 100 + weft::await(second) * 10 + weft::await(third), 123);
    EXPECT_FALSE(fourth.is_completed());
    channel.send(4);
    EXPECT_EQ(weft::await(fourth), 4);
  });
}

// R-CHN-4, R-CHN-5
TEST(ChannelFutureTest, FailsWhenTheChannelIsClosedOrDestroyed) {
  weft::testing::run([] {
    auto channel = std::make_unique<Channel<int>>();
    auto closed = channel->recv_async();
    channel->close(CloseReason::no_producers);
    EXPECT_EQ(weft_test::text(error_of([&] { weft::await(closed); })),
              "The channel is closed: no producers");
    channel = std::make_unique<Channel<int>>();
    auto destroyed = channel->recv_async();
    channel.reset();
    EXPECT_EQ(weft_test::text(error_of([&] { weft::await(destroyed); })),
              "The channel is closed: disposed");
  });
}

// R-CHN-14, trap 21
TEST(ChannelFutureTest, LeavesTheQueueWhenItIsDroppedOrCancelled) {
  weft::testing::run(
      [] {
        for (std::size_t capacity : {0U, 1U}) {
          Channel<int> channel{capacity};
          std::optional<weft::Future<int>> dropped = channel.recv_async();
          auto cancelled = channel.recv_async();
          auto kept = channel.recv_async();
          dropped.reset();
          cancelled.cancel();
          cancelled.ignore();
          channel.send(1);
          EXPECT_EQ(weft::await(kept), 1);
          dropped = channel.recv_async();
          dropped.reset();
          ASSERT_TRUE(channel.try_send(2));
          EXPECT_EQ(channel.try_recv(), 2);
        }
      },
      weft_test::quiet());
}

/// A value whose move throws once.
struct Fragile {
  explicit Fragile(int number_given) : number{number_given} {}
  Fragile(const Fragile&) = default;
  Fragile(Fragile&& other)
      : number{other.number} {  // NOLINT(performance-noexcept-move-constructor)
    if (std::exchange(breaks, false)) throw std::domain_error{"broken"};
  }
  Fragile& operator=(const Fragile&) = delete;
  Fragile& operator=(Fragile&&) = delete;
  ~Fragile() = default;
  static inline bool breaks = false;
  int number;
};

// R-CHN-9
TEST(ChannelFutureTest, ThatCannotHoldTheValueLeavesItInTheChannel) {
  weft::testing::run([] {
    Channel<Fragile> channel{1};
    channel.send(Fragile{7});
    Fragile::breaks = true;
    auto broken = channel.recv_async();
    EXPECT_TRUE(is<std::domain_error>(error_of([&] { weft::await(broken); })));
    EXPECT_EQ(weft::await(channel.recv_async()).number, 7);
  });
}

// R-CHN-3
TEST(ChannelFutureTest, IsACaseOfASelect) {
  weft::testing::run([] {
    Channel<int> channel;
    Channel<int> other;
    auto future = channel.recv_async();
    auto sender = weft::spawn([&] { channel.send(5); });
    int got = 0;
    weft::select(weft::on_recv(other, [](int) {}),
                 weft::on(future, [&](int value) { got = value; }));
    EXPECT_EQ(got, 5);
  });
}

// R-CHN-9, R-CHN-12, R-CHN-14, trap 1, trap 21
TEST(ChannelFutureTest, LosesNothingInAnySchedule) {
  for (std::size_t capacity : {0U, 1U}) {
    const auto scenario = [capacity] {
      auto all = std::make_shared<Parcels>(capacity, 3);
      weft::spawn([all, leaving = Parcels::leaving(all, all->receivers)] {
        weft_test::until_closed([&] {
          for (;;) {
            // If the reader is cancelled while the future holds a parcel, the parcel is taken out.
            auto future = all->channel.recv_async();
            try {
              all->received(weft::await(future));
            } catch (const weft::Cancelled&) {
              future.ignore();
              if (future.is_completed() && !future.exception()) all->received(future.await());
              throw;
            }
          }
        });
      });
      weft::spawn([all, leaving = Parcels::leaving(all, all->receivers)] {
        weft_test::until_closed([&] {
          for (;;) all->receive();
        });
      });
      weft::spawn([all, leaving = Parcels::leaving(all, all->senders)] {
        weft_test::until_closed([&] {
          for (std::size_t i = 0; i < 3; ++i) all->send(i);
        });
      });
    };
    const auto report = weft::testing::explore(scenario, {.cancel = weft::testing::every_point});
    EXPECT_TRUE(report.ok()) << report.first_failure();
  }
}

}  // namespace
