#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <thread>

#include <gtest/gtest.h>

#include "bridged.hpp"
#include "foreign/calls.hpp"

// Several runtimes in several threads, and threads without one.
namespace {

using weft_test::blocking;
using weft_test::Bridged;
using weft_test::Ends;

constexpr int rounds = 50;
constexpr int pairs = 4;

/// Coroutines that answer each other through the foreign library. Returns the bytes that arrived.
int ping_pong() {
  int arrived = 0;
  weft::run([&] {
    weft::with_scope([&](weft::Scope& scope) {
      for (int i = 0; i < pairs; ++i) {
        auto ends = std::make_shared<Ends>(blocking(Ends::sockets()));
        const auto play = [&arrived, ends](int mine, bool serves) {
          char byte = 'x';
          for (int round = 0; round < rounds; ++round) {
            if (serves) foreign::send(mine, &byte, 1, 0);
            if (foreign::recv(mine, &byte, 1, 0) == 1) ++arrived;
            if (!serves) foreign::send(mine, &byte, 1, 0);
          }
        };
        scope.spawn([play, ends] { play(ends->here.get(), true); });
        scope.spawn([play, ends] { play(ends->there.get(), false); });
      }
    });
  });
  return arrived;
}

class BridgeThreadTest : public ::testing::Test {
  Bridged bridged_;
};

TEST_F(BridgeThreadTest, TwoThreadsEachRunTwoRuntimesThroughTheBridge) {
  std::array<int, 4> arrived{};
  const auto two_in_a_row = [&](std::size_t first) {
    arrived[first] = ping_pong();
    arrived[first + 1] = ping_pong();
  };
  std::thread one{two_in_a_row, 0};
  std::thread two{two_in_a_row, 2};
  one.join();
  two.join();
  for (const int count : arrived) EXPECT_EQ(count, 2 * pairs * rounds);
}

// The runtimes take turns with the same numbers: facts and watches of one thread must not be
// believed after another one has closed and opened.
TEST_F(BridgeThreadTest, ANumberThatAnotherThreadHasClosedIsANewFile) {
  weft::run([&] {
    Ends first = blocking(Ends::sockets());
    const int number = first.here.get();
    auto reader = weft::spawn([&] {
      char byte = 0;
      EXPECT_EQ(foreign::recv(number, &byte, 1, 0), 1);
    });
    weft::testing::settle();
    weft_test::put(first.there.get(), "x");
    weft::await(reader);
    Ends second = blocking(Ends::pipe());
    std::thread{[&] {
      foreign::close(first.here.release());
      ASSERT_EQ(foreign::dup2(second.here.get(), number), number);
    }}.join();
    const weft_test::OwnDescriptor reused{number};
    auto again = weft::spawn([&] {
      char byte = 0;
      EXPECT_EQ(foreign::read(number, &byte, 1), 1);
      EXPECT_EQ(byte, 'p');
    });
    weft::testing::settle();
    weft_test::put(second.there.get(), "p");
    weft::await(again);
  });
}

TEST_F(BridgeThreadTest, AThreadWithoutARuntimeBlocksWhileCoroutinesRun) {
  const Ends ends = blocking(Ends::sockets());
  std::atomic<bool> blocked{false};
  std::array<char, 3> got{};
  std::array<int, 4> results{};
  std::thread foreign_thread{[&] {
    blocked = true;
    results[0] = static_cast<int>(foreign::recv(ends.here.get(), got.data(), 1, 0));
    pollfd query{ends.here.get(), POLLIN, 0};
    results[1] = foreign::poll(&query, 1, -1);
    results[2] = static_cast<int>(foreign::read(ends.here.get(), got.data() + 1, 1));
    results[3] = foreign::usleep(100);
  }};
  while (!blocked) std::this_thread::yield();
  EXPECT_EQ(ping_pong(), 2 * pairs * rounds);
  weft_test::put(ends.there.get(), "a");
  EXPECT_EQ(ping_pong(), 2 * pairs * rounds);
  weft_test::put(ends.there.get(), "b");
  foreign_thread.join();
  EXPECT_EQ(results, (std::array<int, 4>{1, 1, 1, 0}));
  EXPECT_STREQ(got.data(), "ab");
}

TEST_F(BridgeThreadTest, TheBridgeComesAndGoesWhileAnotherThreadCalls) {
  const Ends ends = blocking(Ends::sockets());
  weft_test::put(ends.there.get(), "x");
  std::atomic<bool> stop{false};
  std::atomic<int> calls{0};
  std::thread other{[&] {
    while (!stop) {
      pollfd query{ends.here.get(), POLLIN, 0};
      EXPECT_EQ(foreign::poll(&query, 1, -1), 1);
      ++calls;
    }
  }};
  for (int i = 0; i < 50; ++i) {
    weft::bridge::uninstall();
    weft::bridge::install();
    for (const int before = calls; calls == before;) std::this_thread::yield();
  }
  stop = true;
  other.join();
}

}  // namespace
