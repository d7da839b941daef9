#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// Values that cannot be copied, and values whose copy or move throws.
namespace channel_value_test {

using weft::Channel;
using weft::testing::settle;
using weft_test::error_of;
using weft_test::is;

// R-CHN-1
TEST(ChannelValueTest, MayBeMovableOnly) {
  weft::testing::run([] {
    for (std::size_t capacity : {0U, 1U}) {
      Channel<std::unique_ptr<int>> channel{capacity};
      auto sender = weft::spawn([&] {
        for (int i = 0; i < 3; ++i) channel.send(std::make_unique<int>(i));
        channel.close();
      });
      int sum = 0;
      for (std::unique_ptr<int> value : channel) sum += *value;
      EXPECT_EQ(sum, 3);
    }
  });
}

/// A send that throws leaves the value unchanged.
// R-CHN-13, trap 6
TEST(ChannelValueTest, StaysWithASenderThatFails) {
  weft::testing::run([] {
    for (std::size_t capacity : {0U, 1U}) {
      Channel<std::unique_ptr<int>> channel{capacity};
      ASSERT_TRUE(channel.try_send(std::make_unique<int>(0)));
      auto value = std::make_unique<int>(1);
      EXPECT_FALSE(channel.try_send(std::move(value)));
      ASSERT_NE(value, nullptr);
      EXPECT_TRUE(is<weft::OperationCancelled>(error_of(
          [&] { channel.send(std::move(value), weft::timeout(std::chrono::seconds{1})); })));
      ASSERT_NE(value, nullptr);
      channel.close();
      EXPECT_TRUE(is<weft::ChannelClosed>(error_of([&] { channel.send(std::move(value)); })));
      ASSERT_NE(value, nullptr);
    }
  });
}

/// A value whose copies and moves throw as `fuse` says; a failed one leaves the source unchanged.
struct Fragile {
  explicit Fragile(int number_given) : number{number_given} {}
  Fragile(const Fragile& other) : number{other.number} { burn(); }
  Fragile(Fragile&& other)
      : number{other.number} {  // NOLINT(performance-noexcept-move-constructor)
    burn();
    other.number = 0;
  }
  Fragile& operator=(const Fragile&) = delete;
  Fragile& operator=(Fragile&&) = delete;
  ~Fragile() = default;

  static void burn() {
    if (fuse > 0 && --fuse == 0) throw std::domain_error{"broken"};
  }
  static inline int fuse = 0;
  int number;
};

// R-CHN-1
TEST(ChannelValueTest, ThatBreaksOnTheWayInStaysWithItsSender) {
  weft::testing::run([] {
    Channel<Fragile> channel{1};
    Fragile value{7};
    Fragile::fuse = 1;
    EXPECT_TRUE(is<std::domain_error>(error_of([&] { channel.send(value); })));
    EXPECT_TRUE(channel.is_empty());
    Fragile::fuse = 1;
    EXPECT_TRUE(is<std::domain_error>(error_of([&] { channel.send(std::move(value)); })));
    EXPECT_EQ(value.number, 7);
    channel.send(std::move(value));
    EXPECT_EQ(channel.recv().number, 7);
  });
}

// R-CHN-1
TEST(ChannelValueTest, ThatBreaksOnTheWayOutStaysInTheChannel) {
  weft::testing::run([] {
    Channel<Fragile> channel{1};
    channel.send(Fragile{7});
    Fragile::fuse = 1;
    EXPECT_TRUE(is<std::domain_error>(error_of([&] { channel.recv(); })));
    Fragile::fuse = 1;
    EXPECT_TRUE(is<std::domain_error>(error_of([&] { (void)channel.try_recv(); })));
    Fragile::fuse = 1;
    EXPECT_TRUE(is<std::domain_error>(error_of([&] { (void)channel.begin(); })));
    EXPECT_EQ(channel.size(), 1U);
    EXPECT_EQ(channel.recv().number, 7);
  });
}

// R-CHN-2, R-CHN-13
TEST(ChannelValueTest, ThatBreaksInTheHandsOfAParkedSenderStaysThere) {
  weft::testing::run([] {
    Channel<Fragile> channel;
    auto sender = weft::spawn([&] { channel.send(Fragile{7}); });
    settle();
    Fragile::fuse = 1;
    EXPECT_TRUE(is<std::domain_error>(error_of([&] { channel.recv(); })));
    EXPECT_TRUE(sender.is_suspended());
    EXPECT_EQ(channel.recv().number, 7);
    weft::await(sender);
  });
}

/// If a woken receiver fails to move its value, the next receiver gets it.
// R-CHN-12, trap 1
TEST(ChannelValueTest, ThatBreaksForAWokenReceiverGoesToTheNext) {
  weft::testing::run([] {
    Channel<Fragile> channel{1};
    auto first = weft::spawn([&] { channel.recv(); });
    auto second = weft::spawn([&] { return channel.recv().number; });
    settle();
    channel.send(Fragile{7});
    Fragile::fuse = 1;
    EXPECT_TRUE(is<std::domain_error>(error_of([&] { weft::await(first); })));
    EXPECT_EQ(weft::await(second), 7);
  });
}

// R-CHN-12, trap 2
TEST(ChannelValueTest, ThatBreaksForAWokenSenderLeavesItsSlotToTheNext) {
  weft::testing::run([] {
    Channel<Fragile> channel{1};
    channel.send(Fragile{1});
    auto first = weft::spawn([&] { channel.send(Fragile{2}); });
    auto second = weft::spawn([&] { channel.send(Fragile{3}); });
    settle();
    EXPECT_EQ(channel.recv().number, 1);
    Fragile::fuse = 1;
    EXPECT_TRUE(is<std::domain_error>(error_of([&] { weft::await(first); })));
    weft::await(second);
    EXPECT_EQ(channel.recv().number, 3);
  });
}

/// The ring buffer wraps around; values left in it are destroyed with the channel.
// R-CHN-1, R-CHN-5
TEST(ChannelValueTest, IsDestroyedOnce) {
  auto value = std::make_shared<int>(1);
  weft::testing::run([&] {
    Channel<std::shared_ptr<int>> channel{3};
    for (int i = 0; i < 8; ++i) {
      channel.send(value);
      channel.send(value);
      EXPECT_EQ(value.use_count(), 3);
      EXPECT_EQ(channel.recv(), value);
      EXPECT_EQ(channel.recv(), value);
      EXPECT_EQ(value.use_count(), 1);
    }
    channel.send(value);
    channel.send(value);
  });
  EXPECT_EQ(value.use_count(), 1);
}

}  // namespace channel_value_test
