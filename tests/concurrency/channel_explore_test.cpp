#include <chrono>
#include <memory>
#include <stdexcept>

#include <gtest/gtest.h>

#include "parcels.hpp"
#include "support.hpp"

// Every schedule, and a cancellation at every suspension: each parcel arrives at most once, none is
// lost, and no coroutine waits for ever.
namespace {

using weft::testing::every_point;
using weft::testing::explore;
using weft::testing::ExploreOptions;
using weft::testing::Report;
using weft_test::Doorbell;
using weft_test::Finally;
using weft_test::Parcels;
using weft_test::until_closed;
using All = std::shared_ptr<Parcels>;

void spawn_sender(const All& all, std::size_t from, std::size_t to) {
  weft::spawn([all, leaving = Parcels::leaving(all, all->senders), from, to] {
    until_closed([&] {
      for (std::size_t i = from; i < to; ++i) all->send(i);
    });
  });
}

void spawn_receiver(const All& all, int values = 100) {
  weft::spawn([all, leaving = Parcels::leaving(all, all->receivers), values] {
    until_closed([&] {
      for (int i = 0; i < values; ++i) all->receive();
    });
  });
}

void expect_conserved(weft::Function<void()> scenario, ExploreOptions options = {}) {
  options.cancel = every_point;
  const Report report = explore(std::move(scenario), options);
  EXPECT_TRUE(report.ok()) << report.first_failure();
  ::testing::Test::RecordProperty("schedules", std::to_string(report.schedules()));
}

class ExploredChannelTest : public ::testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Capacity, ExploredChannelTest, ::testing::Values(0U, 1U, 2U));

// R-CHN-1, R-CHN-12, R-CHN-13, trap 1, trap 2, trap 6
TEST_P(ExploredChannelTest, LosesNothingBetweenOneSenderAndOneReceiver) {
  expect_conserved([capacity = GetParam()] {
    auto all = std::make_shared<Parcels>(capacity, 4);
    spawn_sender(all, 0, 4);
    spawn_receiver(all);
  });
}

// R-CHN-1, R-CHN-7, R-CHN-12, trap 1, trap 3
TEST_P(ExploredChannelTest, LosesNothingWithTwoReceivers) {
  expect_conserved([capacity = GetParam()] {
    auto all = std::make_shared<Parcels>(capacity, 2);
    spawn_receiver(all);
    spawn_receiver(all);
    spawn_sender(all, 0, 2);
  });
}

// R-CHN-7, R-CHN-10, R-CHN-12, R-CHN-13, trap 2, trap 6
TEST_P(ExploredChannelTest, LosesNothingWithTwoSenders) {
  expect_conserved([capacity = GetParam()] {
    auto all = std::make_shared<Parcels>(capacity, 4);
    spawn_sender(all, 0, 2);
    spawn_sender(all, 2, 4);
    spawn_receiver(all);
  });
}

// R-CHN-7, R-CHN-10, R-CHN-12, trap 2, trap 6
TEST_P(ExploredChannelTest, LosesNothingWithTwoOnEachSide) {
  expect_conserved([capacity = GetParam()] {
    auto all = std::make_shared<Parcels>(capacity, 2);
    spawn_receiver(all, 1);
    spawn_receiver(all, 1);
    spawn_sender(all, 0, 1);
    spawn_sender(all, 1, 2);
  });
}

// R-CHN-4, R-CHN-11, trap 6
TEST_P(ExploredChannelTest, LosesNothingWhenItIsClosedAtAnyMoment) {
  for (int after = 0; after < 3; ++after) {
    expect_conserved([capacity = GetParam(), after] {
      auto all = std::make_shared<Parcels>(capacity, 3);
      spawn_sender(all, 0, 3);
      spawn_receiver(all);
      weft::spawn([all, after] {
        for (int i = 0; i < after; ++i) weft::suspend();
        all->channel.close();
      });
    });
  }
}

// R-CHN-4, R-CHN-11, trap 6
TEST_P(ExploredChannelTest, LosesNothingWhenItIsClosedBesideTwoSenders) {
  expect_conserved([capacity = GetParam()] {
    auto all = std::make_shared<Parcels>(capacity, 2);
    spawn_sender(all, 0, 1);
    spawn_sender(all, 1, 2);
    spawn_receiver(all);
    weft::spawn([all] { all->channel.close(); });
  });
}

// R-CHN-7, R-CHN-8, trap 3
TEST_P(ExploredChannelTest, LosesNothingToNewcomersThatOnlyTry) {
  expect_conserved([capacity = GetParam()] {
    auto all = std::make_shared<Parcels>(capacity, 3);
    spawn_sender(all, 0, 2);
    spawn_receiver(all);
    weft::spawn([all] {
      all->sent[2] = all->channel.try_send(std::move(all->hands[2]));
      weft::suspend();
      if (auto parcel = all->channel.try_recv()) all->received(std::move(*parcel));
    });
  });
}

// R-CHN-12, R-CHN-14, trap 1, trap 2, trap 6
TEST_P(ExploredChannelTest, LosesNothingToTokens) {
  expect_conserved([capacity = GetParam()] {
    struct Shared : Parcels {
      using Parcels::Parcels;
      Doorbell token;
    };
    auto all = std::make_shared<Shared>(capacity, 3);
    weft::spawn([all, leaving = Parcels::leaving(all, all->senders)] {
      until_closed([&] {
        for (std::size_t i = 0; i < 3; ++i) {
          all->channel.send(std::move(all->hands[i]), all->token);
          all->sent[i] = true;
        }
      });
    });
    weft::spawn([all, leaving = Parcels::leaving(all, all->receivers)] {
      until_closed([&] {
        for (;;) all->received(all->channel.recv(all->token));
      });
    });
    weft::spawn([all] {
      weft::suspend();
      all->token.ring();
    });
  });
}

/// A sender whose wait is ended by a token keeps its parcel: a failed send has sent nothing.
// R-CHN-13, R-CHN-14, trap 6
TEST(ExploredRendezvousTest, HasOneOutcomeForASenderWithAToken) {
  const Report report = explore([] {
    struct Shared : Parcels {
      using Parcels::Parcels;
      Doorbell token;
    };
    auto all = std::make_shared<Shared>(0, 1);
    auto sender = weft::spawn([all, leaving = Parcels::leaving(all, all->senders)] {
      bool refused = false;
      until_closed([&] {
        refused = true;
        all->channel.send(std::move(all->hands[0]), all->token);
        refused = false;
      });
      if (refused != (all->hands[0] != nullptr)) throw std::logic_error{"two outcomes of a send"};
    });
    spawn_receiver(all);
    weft::spawn([all] { all->token.ring(); });
    weft::await(sender);
  });
  EXPECT_TRUE(report.ok()) << report.first_failure();
}

/// Values of one sender arrive in the order of their sends, in every schedule.
// R-CHN-1, R-CHN-6, trap 4
TEST_P(ExploredChannelTest, KeepsTheOrderOfOneSender) {
  expect_conserved([capacity = GetParam()] {
    auto all = std::make_shared<Parcels>(capacity, 4);
    spawn_sender(all, 0, 4);
    weft::spawn([all, leaving = Parcels::leaving(all, all->receivers)] {
      until_closed([&] {
        for (;;) all->receive();
      });
      if (!std::is_sorted(all->order.begin(), all->order.end())) {
        throw std::logic_error{"a value overtook another"};
      }
    });
  });
}

/// A woken waiter does not access a channel that was destroyed.
// R-CHN-5
TEST_P(ExploredChannelTest, MayGoWhileOthersWait) {
  const auto scenario = [capacity = GetParam()] {
    using Kept = std::shared_ptr<std::unique_ptr<weft::Channel<int>>>;
    Kept kept = std::make_shared<std::unique_ptr<weft::Channel<int>>>(
        std::make_unique<weft::Channel<int>>(capacity));
    const auto loop = [kept](auto step) {
      return [kept, step] {
        until_closed([&] {
          while (*kept) step(**kept);
        });
      };
    };
    weft::spawn(loop([](weft::Channel<int>& channel) { channel.send(1); }));
    weft::spawn(loop([](weft::Channel<int>& channel) { channel.recv(); }));
    weft::spawn([kept, gone = Finally{[kept] { kept->reset(); }}] { weft::suspend(); });
  };
  const Report report =
      explore(scenario, {.schedules = weft::testing::random(3000), .cancel = every_point});
  EXPECT_TRUE(report.ok()) << report.first_failure();
}

// R-CHN-1, R-CHN-6, trap 1: one value is promised to a receiver that is cancelled, while the sender
// of the next value waits.
TEST(ExploredOrderTest, IsKeptWhenAPromisedReceiverGoes) {
  const Report report = explore([] {
    auto channel = weft::make_ref<weft::Channel<int>>();
    auto leaves = weft::spawn([channel] { until_closed([&] { channel->recv(); }); });
    weft::spawn([channel] {
      until_closed([&] {
        static_cast<void>(channel->try_send(1));
        channel->send(2);
      });
      channel->close();
    });
    weft::spawn([channel] {
      int last = 0;
      until_closed([&] {
        for (;;) {
          const int value = channel->recv();
          if (value < last) throw std::runtime_error{"a value has overtaken an older one"};
          last = value;
        }
      });
    });
    weft::spawn([leaves] { leaves.cancel(); });
  });
  EXPECT_TRUE(report.ok()) << report.first_failure();
}

// R-CHN-6, R-CHN-10, trap 4: the oldest sender is promised the slot, and its receiver is cancelled.
TEST(ExploredOrderTest, IsKeptWhenTheReceiverOfAPromisedSenderGoes) {
  const Report report = explore([] {
    auto channel = weft::make_ref<weft::Channel<int>>();
    auto first_sends = std::make_shared<bool>(false);
    weft::spawn([channel] { until_closed([&] { channel->recv(); }); });
    auto leaves = weft::spawn([channel] { until_closed([&] { channel->recv(); }); });
    weft::spawn([channel] { static_cast<void>(channel->try_send(0)); });
    weft::spawn([channel, first_sends] {
      *first_sends = true;
      until_closed([&] { channel->send(1); });
    });
    weft::spawn([channel, first_sends] {
      if (*first_sends) until_closed([&] { channel->send(2); });
    });
    weft::spawn([channel, leaves] {
      leaves.cancel();
      int last = 0;
      until_closed([&] {
        for (;;) {
          const int value = channel->recv(weft::timeout(std::chrono::milliseconds{1}));
          if (value == 1 && last == 2) throw std::runtime_error{"a sender has overtaken another"};
          last = value;
        }
      });
      channel->close();
    });
  });
  EXPECT_TRUE(report.ok()) << report.first_failure();
}

}  // namespace
