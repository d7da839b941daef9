#include <cstdint>
#include <utility>

#include <gtest/gtest.h>

#include "allocations.hpp"
#include "support.hpp"

namespace {

using weft::Channel;
using weft_test::Allocations;
using namespace std::chrono_literals;

template <class F>
std::uint64_t allocations_in_steady_state(F step) {
  for (int i = 0; i < 10; ++i) step();
  const std::uint64_t before = Allocations::count();
  for (int i = 0; i < 100; ++i) step();
  return Allocations::count() - before;
}

/// Sends each received value back, until the channel is closed.
auto echo(Channel<int>& in, Channel<int>& out) {
  return weft::spawn([&] {
    for (int value : in) out.send(value);
  });
}

// R-CHN-2
TEST(ChannelAllocationTest, IsNotMadeByParkedSendersAndReceivers) {
  weft::testing::run([] {
    for (std::size_t capacity : {0U, 1U, 8U}) {
      Channel<int> there{capacity};
      Channel<int> back{capacity};
      auto partner = echo(there, back);
      EXPECT_EQ(allocations_in_steady_state([&] {
                  there.send(1);
                  back.recv();
                }),
                0U);
      there.close();
      weft::await(partner);
    }
  });
}

// R-CHN-2
TEST(ChannelAllocationTest, IsNotMadeByAFloodInEitherDirection) {
  weft::testing::run([] {
    for (std::size_t capacity : {0U, 1U, 8U}) {
      Channel<int> channel{capacity};
      auto partner = weft::spawn([&] {
        for ([[maybe_unused]] int value : channel) {
        }
      });
      EXPECT_EQ(allocations_in_steady_state([&] { channel.send(1); }), 0U);
      channel.close();
      weft::await(partner);

      Channel<int> other{capacity};
      bool stop = false;
      auto producer = weft::spawn([&] {
        while (!stop) other.send(1);
      });
      EXPECT_EQ(allocations_in_steady_state([&] { other.recv(); }), 0U);
      stop = true;
      while (!producer.is_completed()) {
        (void)other.try_recv();
        weft::suspend();
      }
    }
  });
}

// R-CHN-2
TEST(ChannelAllocationTest, IsNotMadeByASelectThatWaits) {
  weft::testing::run([] {
    Channel<int> there;
    Channel<int> back;
    Channel<int> never;
    Channel<int> also_never;
    auto partner = echo(there, back);
    EXPECT_EQ(allocations_in_steady_state([&] {
                there.send(1);
                weft::select(weft::on_recv(never, [](int) {}),
                             weft::on_recv(also_never, [](int) {}),
                             weft::on_recv(back, [](int) {}));
              }),
              0U);
    there.close();
    weft::await(partner);
  });
}

// R-CHN-4
TEST(ChannelAllocationTest, IsNotMadeByAClose) {
  weft::testing::run([] {
    Channel<int> channel;
    auto a = weft::spawn([&] {
      try {
        channel.recv();
      } catch (const weft::ChannelClosed&) {
      }
    });
    weft::testing::settle();
    const std::uint64_t before = Allocations::count();
    channel.close();
    EXPECT_EQ(Allocations::count() - before, 0U);
    weft::await(a);
  });
}

}  // namespace
