#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <numeric>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "threads.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::Log;

// R-TCH-1
TEST(ThreadChannelTest, NeedsACapacity) {
  EXPECT_THROW(weft::ThreadChannel<int>{0}, weft::ValueError);
  const weft::ThreadChannel<int> channel{3};
  EXPECT_EQ(channel.capacity(), 3U);
  EXPECT_TRUE(channel.is_empty());
}

// R-TCH-1
TEST(ThreadChannelTest, HandsValuesFromThreadToThreadInOrder) {
  constexpr int count = 2'000;
  weft::ThreadChannel<int> channel{4};
  std::thread producer{[&] {
    weft::run([&] {
      for (int i = 0; i < count; ++i) channel.send(i);
      channel.close();
    });
  }};
  std::vector<int> received;
  weft::run([&] {
    try {
      for (;;) received.push_back(channel.recv());
    } catch (const weft::ChannelClosed&) {
    }
  });
  producer.join();
  std::vector<int> expected(count);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(received, expected);
}

// R-TCH-1
TEST(ThreadChannelTest, IsBounded) {
  weft::ThreadChannel<int> channel{2};
  EXPECT_TRUE(channel.try_send(1));
  EXPECT_TRUE(channel.try_send(2));
  EXPECT_FALSE(channel.try_send(3));
  EXPECT_EQ(channel.size(), 2U);
  EXPECT_EQ(channel.try_recv(), 1);
  EXPECT_EQ(channel.try_recv(), 2);
  EXPECT_EQ(channel.try_recv(), std::nullopt);
}

// R-TCH-1
TEST(ThreadChannelTest, ParksTheCoroutineAndNotTheThread) {
  Log log;
  weft::run([&] {
    weft::ThreadChannel<int> channel{1};
    auto receiver = weft::spawn([&] {
      log.push_back("receiving");
      log.push_back("got " + std::to_string(channel.recv()));
    });
    weft::suspend();
    log.push_back("others run");
    std::thread{[&] { EXPECT_TRUE(channel.try_send(1)); }}.join();
    weft::await(receiver);
    channel.send(2);
    auto sender = weft::spawn([&] {
      channel.send(3);
      log.push_back("sent");
    });
    weft::suspend();
    log.push_back("full");
    std::thread{[&] { EXPECT_EQ(channel.try_recv(), 2); }}.join();
    weft::await(sender);
  });
  EXPECT_EQ(log, (Log{"receiving", "others run", "got 1", "full", "sent"}));
}

// R-TCH-1: one trigger per waiter, oldest first.
TEST(ThreadChannelTest, WakesTheOldestWaiter) {
  Log log;
  weft::run([&] {
    weft::ThreadChannel<int> channel{3};
    for (const char* name : {"a", "b", "c"}) {
      weft::spawn([&, name] { log.push_back(name + std::to_string(channel.recv())); });
    }
    weft::suspend();
    EXPECT_EQ(weft::stats().active_events, 3U);
    for (int i = 1; i <= 3; ++i) channel.send(i);
  });
  EXPECT_EQ(log, (Log{"a1", "b2", "c3"}));
}

// R-TCH-2: a receiver whose value was taken by another parks again, and keeps its place in the
// queue.
TEST(ThreadChannelTest, ParksAgainWhenAnotherWasFaster) {
  Log log;
  weft::run([&] {
    weft::ThreadChannel<int> channel{1};
    weft::spawn([&] { log.push_back("first " + std::to_string(channel.recv())); });
    weft::spawn([&] { log.push_back("second " + std::to_string(channel.recv())); });
    weft::suspend();
    channel.send(1);                   // wakes the first receiver...
    EXPECT_EQ(channel.try_recv(), 1);  // ...which finds nothing
    for (int i = 0; i < 10; ++i) weft::suspend();
    EXPECT_TRUE(log.empty());
    channel.send(2);
    channel.send(3);
  });
  EXPECT_EQ(log, (Log{"first 2", "second 3"}));
}

// R-TCH-2
TEST(ThreadChannelTest, WakesAllWaitersWhenItIsClosedButDrainsFirst) {
  weft::run([] {
    weft::ThreadChannel<int> empty{1};
    auto receiver = weft::spawn([&] { return empty.recv(); });
    weft::ThreadChannel<int> full{1};
    full.send(1);
    auto sender = weft::spawn([&] { full.send(2); });
    weft::suspend();
    std::thread{[&] {
      empty.close();
      full.close();
    }}.join();
    EXPECT_THROW(weft::await(receiver), weft::ChannelClosed);
    EXPECT_THROW(weft::await(sender), weft::ChannelClosed);
    EXPECT_TRUE(full.is_closed());
    EXPECT_FALSE(full.try_send(3));
    EXPECT_THROW(full.send(3), weft::ChannelClosed);
    EXPECT_EQ(full.recv(), 1);
    EXPECT_THROW(full.recv(), weft::ChannelClosed);
  });
}

// R-TCH-2
TEST(ThreadChannelTest, EndsAWaitByItsToken) {
  weft::run([] {
    weft::ThreadChannel<std::string> channel{1};
    EXPECT_THROW(channel.recv(weft::timeout(1ms)), weft::OperationCancelled);
    channel.send("in");
    std::string text = "a text that is too long to be kept inside the string itself";
    EXPECT_THROW(channel.send(std::move(text), weft::timeout(1ms)), weft::OperationCancelled);
    // NOLINTNEXTLINE(bugprone-use-after-move)
    EXPECT_EQ(text, "a text that is too long to be kept inside the string itself");
    EXPECT_EQ(channel.recv(), "in");
    EXPECT_TRUE(channel.is_empty());
  });
}

// R-TCH-2: the hint of a cancelled receiver goes to the next. trap 1
TEST(ThreadChannelTest, HandsAHintOnWhenItsReceiverIsCancelled) {
  Log log;
  weft::run([&] {
    weft::ThreadChannel<int> channel{1};
    auto first = weft::spawn([&] { log.push_back("first " + std::to_string(channel.recv())); });
    auto second = weft::spawn([&] { log.push_back("second " + std::to_string(channel.recv())); });
    weft::suspend();
    channel.send(1);
    first.cancel();
    EXPECT_THROW(weft::await(first), weft::Cancelled);
    weft::await(second);
  });
  EXPECT_EQ(log, (Log{"second 1"}));
}

// R-TCH-2: the hint of a cancelled sender goes to the next. trap 2
TEST(ThreadChannelTest, HandsAHintOnWhenItsSenderIsCancelled) {
  weft::run([] {
    weft::ThreadChannel<int> channel{1};
    channel.send(0);
    auto first = weft::spawn([&] { channel.send(1); });
    auto second = weft::spawn([&] { channel.send(2); });
    weft::suspend();
    EXPECT_EQ(channel.try_recv(), 0);
    first.cancel();
    EXPECT_THROW(weft::await(first), weft::Cancelled);
    weft::await(second);
    EXPECT_EQ(channel.try_recv(), 2);
  });
}

// R-TCH-2
TEST(ThreadChannelTest, NeverTakesInWhatCannotBeTransferred) {
  struct Brittle {
    explicit Brittle(bool breaks) : fails{breaks} {}
    Brittle(const Brittle& other) : fails{other.fails} {
      if (fails) throw std::runtime_error{"cannot be copied"};
    }
    Brittle(Brittle&& other) : fails{other.fails} {
      if (fails) throw std::runtime_error{"cannot be moved"};
    }
    bool fails;
  };
  weft::run([] {
    weft::ThreadChannel<Brittle> channel{1};
    const Brittle bad{true};
    EXPECT_THROW(channel.send(bad), std::runtime_error);
    EXPECT_THROW(channel.send(Brittle{true}), std::runtime_error);
    EXPECT_THROW(channel.try_send(Brittle{true}), std::runtime_error);
    EXPECT_TRUE(channel.is_empty());
    channel.send(Brittle{false});
    EXPECT_FALSE(channel.recv().fails);
  });
}

// R-TCH-2
TEST(ThreadChannelTest, LosesNoValueWhoseMoveThrows) {
  struct Bomb {
    explicit Bomb(int* fuse) : moves_left{fuse} {}
    Bomb(Bomb&& other) : moves_left{other.moves_left} {
      if (--*moves_left < 0) throw std::runtime_error{"cannot be moved"};
    }
    int* moves_left;
  };
  weft::run([] {
    weft::ThreadChannel<Bomb> channel{1};
    for (const bool tries : {false, true}) {
      int moves = 1;
      channel.send(Bomb{&moves});
      EXPECT_THROW(
          tries ? static_cast<void>(channel.try_recv()) : static_cast<void>(channel.recv()),
          std::runtime_error);
      EXPECT_EQ(channel.size(), 1U) << "the value stays in the channel";
      moves = 1;  // the move to the receiver
      tries ? static_cast<void>(channel.try_recv()) : static_cast<void>(channel.recv());
      EXPECT_EQ(channel.size(), 0U);
    }
  });
}

// If a new channel were checked against all others, this would take longer than the time limit.
TEST(StressThreadChannelTest, CostsTheSameHoweverManyThereAre) {
  weft::run([] {
    std::deque<weft::ThreadChannel<int>> channels;
    for (int i = 0; i < 200'000; ++i) channels.emplace_back(1);
    EXPECT_FALSE(channels.front().is_closed());
  });
}

// R-TCH-1, R-TCH-2: many threads on both sides; every value arrives exactly once.
TEST(ThreadChannelTest, LosesNothingBetweenManyThreads) {
  constexpr int each = 500;
  constexpr int sides = 3;
  weft::ThreadChannel<std::unique_ptr<int>> channel{2};
  std::mutex mutex;
  std::vector<int> received;
  std::atomic<int> producing{sides};
  std::vector<std::thread> threads;
  for (int side = 0; side < sides; ++side) {
    threads.emplace_back([&, side] {
      weft::run([&] {
        for (int half = 0; half < 2; ++half) {  // two coroutines in each thread
          weft::spawn([&, half] {
            for (int i = half; i < each; i += 2) {
              channel.send(std::make_unique<int>(side * each + i));
            }
          });
        }
      });
      if (--producing == 0) channel.close();
    });
    threads.emplace_back([&] {
      weft::run([&] {
        for (int half = 0; half < 2; ++half) {
          weft::spawn([&] {
            try {
              for (;;) {
                const auto value = channel.recv();
                const std::lock_guard lock{mutex};
                received.push_back(*value);
              }
            } catch (const weft::ChannelClosed&) {
            }
          });
        }
      });
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::sort(received.begin(), received.end());
  std::vector<int> expected(sides * each);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(received, expected);
}

// R-TCH-2: receivers give up at any moment, and every value arrives.
TEST(ThreadChannelTest, LosesNothingWhenReceiversGiveUp) {
  constexpr int count = 300;
  weft::ThreadChannel<int> channel{1};
  std::thread producer{[&] {
    weft::run([&] {
      for (int i = 0; i < count; ++i) channel.send(i);
      channel.close();
    });
  }};
  std::vector<int> received;
  weft::run([&] {
    for (bool open = true; open;) {
      auto impatient = weft::spawn([&] { received.push_back(channel.recv()); });
      auto patient = weft::spawn([&] { received.push_back(channel.recv()); });
      weft::suspend();
      impatient.cancel();
      for (auto* receiver : {&impatient, &patient}) {
        try {
          weft::await(*receiver);
        } catch (const weft::Cancelled&) {
        } catch (const weft::ChannelClosed&) {
          open = false;
        }
      }
    }
  });
  producer.join();
  std::vector<int> expected(count);
  std::iota(expected.begin(), expected.end(), 0);
  std::sort(received.begin(), received.end());
  EXPECT_EQ(received, expected);
}

// R-SHU-14
TEST(ThreadChannelTest, IsClosedWhenTheRuntimeItWasMadeInEnds) {
  std::shared_ptr<weft::ThreadChannel<int>> channel;
  std::binary_semaphore made{0};
  std::atomic<bool> parked{false};
  std::thread maker{[&] {
    weft::run([&] {
      channel = std::make_shared<weft::ThreadChannel<int>>(1);
      made.release();
      weft_test::run_until([&] { return parked.load(); });
    });
  }};
  made.acquire();
  weft::run([&] {
    auto worker = weft::spawn([&] { return channel->recv(); });
    weft::suspend();
    parked = true;
    try {
      weft::await(worker);
      ADD_FAILURE();
    } catch (const weft::ChannelClosed& closed) {
      EXPECT_EQ(closed.reason(), weft::CloseReason::disposed);
    }
  });
  maker.join();
}

// R-SHU-14: a channel that is made outside a runtime belongs to none.
TEST(ThreadChannelTest, OutlivesTheRuntimesThatOnlyUseIt) {
  weft::ThreadChannel<int> channel{1};
  weft::run([&] { channel.send(1); });
  EXPECT_FALSE(channel.is_closed());
  EXPECT_EQ(weft::run([&] { return channel.recv(); }), 1);
}

TEST(ThreadChannelTest, CannotWaitWithoutARuntime) {
  weft::ThreadChannel<int> channel{1};
  EXPECT_THROW(channel.recv(), weft::MisuseError);
  channel.try_send(1);
  EXPECT_THROW(channel.send(2), weft::MisuseError);
  EXPECT_EQ(channel.size(), 1U);
}

}  // namespace
