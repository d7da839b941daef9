#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "threads.hpp"

// Loops over thread channels, and select() on them.
namespace {

using namespace std::chrono_literals;
using weft_test::error_of;
using weft_test::is;
using weft_test::run_until;
using weft_test::text;

TEST(ThreadChannelLoopTest, EndsWhenTheChannelWasClosed) {
  weft::run([] {
    weft::ThreadChannel<std::unique_ptr<int>> channel{2};
    std::thread sender{[&] {
      weft::run([&] {
        for (int i = 1; i <= 5; ++i) channel.send(std::make_unique<int>(i));
        channel.close();
      });
    }};
    int sum = 0;
    for (const std::unique_ptr<int> value : channel) sum += *value;
    EXPECT_EQ(sum, 15);
    sender.join();
  });
}

TEST(ThreadChannelLoopTest, ThrowsAnyOtherReason) {
  weft::run([] {
    auto channel = std::make_unique<weft::ThreadChannel<int>>(1);
    auto reader = weft::spawn([&] {
      for (const int value : *channel) (void)value;
    });
    weft::suspend();
    channel.reset();
    const auto error = error_of([&] { weft::await(reader); });
    EXPECT_TRUE(is<weft::ChannelClosed>(error)) << text(error);
  });
}

TEST(ThreadSelectTest, ReceivesFromWhicheverChannelHasAValue) {
  weft::run([] {
    weft::ThreadChannel<int> numbers;
    weft::ThreadChannel<std::string> words;
    std::string seen;
    const auto choose = [&] {
      return weft::select(weft::on_recv(numbers, [&](int value) { seen += std::to_string(value); }),
                          weft::on_recv(words, [&](std::string word) { seen += word; }));
    };
    words.send("a");
    EXPECT_EQ(choose(), 1U);  // without suspending
    std::thread sender{[&] { numbers.try_send(2); }};
    EXPECT_EQ(choose(), 0U);
    sender.join();
    EXPECT_EQ(seen, "a2");
    EXPECT_TRUE(numbers.is_empty() && words.is_empty());
  });
}

TEST(ThreadSelectTest, SendsWhenThereIsRoomAndKeepsTheValueOtherwise) {
  weft::run([] {
    weft::ThreadChannel<std::unique_ptr<int>> full{1};
    full.send(std::make_unique<int>(1));
    auto value = std::make_unique<int>(2);
    bool sent = false;
    EXPECT_EQ(weft::select(weft::on_send(full, std::move(value), [&] { sent = true; }),
                           weft::on(weft::timeout(5ms), [] {})),
              1U);
    EXPECT_FALSE(sent);
    ASSERT_NE(value, nullptr);  // NOLINT(bugprone-use-after-move): another case won
    std::thread receiver{[&] { (void)full.try_recv(); }};
    EXPECT_EQ(weft::select(weft::on_send(full, std::move(value), [&] { sent = true; })), 0U);
    receiver.join();
    EXPECT_TRUE(sent);
    EXPECT_EQ(*full.recv(), 2);
  });
}

TEST(ThreadSelectTest, ThrowsWhenTheChannelIsClosed) {
  weft::run([] {
    weft::ThreadChannel<int> channel{1};
    auto waiter = weft::spawn([&] { weft::select(weft::on_recv(channel, [](int) {})); });
    weft::suspend();
    channel.close();
    EXPECT_TRUE(is<weft::ChannelClosed>(error_of([&] { weft::await(waiter); })));
    EXPECT_TRUE(
        is<weft::ChannelClosed>(error_of([&] { weft::select(weft::on_send(channel, 1, [] {})); })));
  });
}

// The hint for a case goes to the next waiter when another case has decided the select().
TEST(ThreadSelectTest, HandsOnTheHintOfACaseThatLost) {
  weft::run([] {
    weft::ThreadChannel<int> channel;
    weft::Channel<int> local{1};
    auto chooser = weft::spawn([&] {
      return weft::select(weft::on_recv(local, [](int) {}), weft::on_recv(channel, [](int) {}));
    });
    auto receiver = weft::spawn([&] { return channel.recv(); });
    weft::suspend();
    local.send(1);        // decides the select()...
    channel.try_send(2);  // ...which gets this hint too
    EXPECT_EQ(weft::await(chooser), 0U);
    EXPECT_EQ(weft::await(receiver), 2);
  });
}

TEST(ThreadSelectTest, CanBeCancelled) {
  weft::run([] {
    weft::ThreadChannel<int> channel;
    auto chooser = weft::spawn([&] { weft::select(weft::on_recv(channel, [](int) {})); });
    weft::suspend();
    chooser.cancel();
    EXPECT_TRUE(is<weft::Cancelled>(error_of([&] { weft::await(chooser); })));
    channel.send(1);
    EXPECT_EQ(channel.recv(), 1);
  });
}

// Many threads; each value arrives exactly once.
TEST(ThreadSelectTest, LosesNothingBetweenThreads) {
  constexpr int values = 300;
  weft::ThreadChannel<int> left{2};
  weft::ThreadChannel<int> right{2};
  std::atomic<int> received{0};
  std::atomic<long> sum{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      weft::run([&] {
        const auto count = [&](int value) {
          sum += value;
          ++received;
        };
        while (received < 2 * values) {
          weft::select(weft::on_recv(left, count), weft::on_recv(right, count),
                       weft::on(weft::timeout(5ms), [] {}));
        }
      });
    });
  }
  for (weft::ThreadChannel<int>* channel : {&left, &right}) {
    threads.emplace_back([&, channel] {
      weft::run([&] {
        for (int i = 1; i <= values; ++i) weft::select(weft::on_send(*channel, i, [] {}));
      });
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(received, 2 * values);
  EXPECT_EQ(sum, 2L * values * (values + 1) / 2);
}

}  // namespace
