#include <memory>

#include <gtest/gtest.h>

#include "parcels.hpp"
#include "support.hpp"

// select() under every schedule, and with a cancellation at every suspension.
namespace select_explore_test {

using weft::on;
using weft::on_recv;
using weft::on_send;
using weft::testing::every_point;
using weft::testing::explore;
using weft::testing::Report;
using weft_test::Doorbell;
using weft_test::Parcels;
using weft_test::until_closed;
using All = std::shared_ptr<Parcels>;

void expect_conserved(weft::Function<void()> scenario) {
  const Report report = explore(std::move(scenario), {.cancel = every_point});
  EXPECT_TRUE(report.ok()) << report.first_failure();
  ::testing::Test::RecordProperty("schedules", std::to_string(report.schedules()));
}

auto take(const All& all) {
  return [all](Parcels::Parcel parcel) { all->received(std::move(parcel)); };
}

/// Spawns a coroutine that receives from both channels until one is closed and empty.
void spawn_chooser(const All& a, const All& b) {
  weft::spawn([a, b, leaving_a = Parcels::leaving(a, a->receivers),
               leaving_b = Parcels::leaving(b, b->receivers)] {
    until_closed([&] {
      for (;;) weft::select(on_recv(a->channel, take(a)), on_recv(b->channel, take(b)));
    });
  });
}

void spawn_sender(const All& all, std::size_t from, std::size_t to) {
  weft::spawn([all, leaving = Parcels::leaving(all, all->senders), from, to] {
    until_closed([&] {
      for (std::size_t i = from; i < to; ++i) all->send(i);
    });
  });
}

class ExploredSelectTest : public ::testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Capacity, ExploredSelectTest, ::testing::Values(0U, 1U));

// R-CHN-12, trap 1
TEST_P(ExploredSelectTest, LosesNothingOfTwoChannels) {
  expect_conserved([capacity = GetParam()] {
    auto a = std::make_shared<Parcels>(capacity, 2);
    auto b = std::make_shared<Parcels>(capacity, 2);
    spawn_chooser(a, b);
    spawn_sender(a, 0, 2);
    spawn_sender(b, 0, 2);
  });
}

// R-CHN-12, trap 1, trap 3
TEST_P(ExploredSelectTest, LosesNothingBesideAPlainReceiver) {
  expect_conserved([capacity = GetParam()] {
    auto a = std::make_shared<Parcels>(capacity, 2);
    auto b = std::make_shared<Parcels>(capacity, 0);
    spawn_chooser(a, b);
    weft::spawn([a, leaving = Parcels::leaving(a, a->receivers)] {
      until_closed([&] {
        for (;;) a->receive();
      });
    });
    weft::spawn([a, b, leaving = Parcels::leaving(a, a->senders)] {
      until_closed([&] {
        a->send(0);
        a->send(1);
      });
    });
  });
}

// R-CHN-12, R-CHN-13, trap 2, trap 6
TEST_P(ExploredSelectTest, SendsToOneOfTwo) {
  expect_conserved([capacity = GetParam()] {
    auto a = std::make_shared<Parcels>(capacity, 2);
    auto b = std::make_shared<Parcels>(capacity, 2);
    weft::spawn([a, b, leaving_a = Parcels::leaving(a, a->senders),
                 leaving_b = Parcels::leaving(b, b->senders)] {
      until_closed([&] {
        for (std::size_t i = 0, k = 0; i < 2 && k < 2;) {
          weft::select(on_send(a->channel, std::move(a->hands[i]), [&] { a->sent[i++] = true; }),
                       on_send(b->channel, std::move(b->hands[k]), [&] { b->sent[k++] = true; }));
        }
      });
    });
    for (const All& all : {a, b}) {
      weft::spawn([all, leaving = Parcels::leaving(all, all->receivers)] {
        until_closed([&] {
          for (;;) all->receive();
        });
      });
    }
  });
}

/// Three coroutines select between sending and receiving on one channel; none receives its own
/// value.
// R-CHN-10, R-CHN-12, trap 6
TEST(ExploredSelectPairTest, MeetsOthersBothWaysAtOnce) {
  expect_conserved([] {
    auto all = std::make_shared<Parcels>(0, 3);
    for (std::size_t i = 0; i < 3; ++i) {
      weft::spawn([all, leaving = Parcels::leaving(all, all->senders), i] {
        until_closed([&] {
          weft::select(
              on_recv(all->channel, take(all)),
              on_send(all->channel, std::move(all->hands[i]), [&] { all->sent[i] = true; }));
        });
        all->channel.close();  // of three coroutines one gets no partner
      });
    }
  });
}

// R-CHN-11, R-CHN-13, R-CHN-14, trap 6
TEST_P(ExploredSelectTest, LosesNothingToEventsAndClosing) {
  expect_conserved([capacity = GetParam()] {
    struct Shared : Parcels {
      using Parcels::Parcels;
      Doorbell bell;
    };
    auto all = std::make_shared<Shared>(capacity, 3);
    weft::spawn([all, leaving = Parcels::leaving(all, all->senders)] {
      until_closed([&] {
        bool rung = false;
        for (std::size_t i = 0; i < 3 && !rung;) {
          weft::select(
              on_send(all->channel, std::move(all->hands[i]), [&] { all->sent[i++] = true; }),
              on(all->bell, [&] { rung = true; }));
        }
      });
    });
    weft::spawn([all, leaving = Parcels::leaving(all, all->receivers)] {
      until_closed([&] {
        bool rung = false;
        while (!rung) {
          weft::select(on_recv(all->channel, take(all)), on(all->bell, [&] { rung = true; }));
        }
      });
    });
    weft::spawn([all] {
      weft::suspend();
      all->bell.ring();
      weft::suspend();
      all->channel.close();
    });
  });
}

}  // namespace select_explore_test
