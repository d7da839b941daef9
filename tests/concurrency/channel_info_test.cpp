#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using weft_test::collecting;
using weft_test::error_of;
using weft_test::is;
using weft_test::text;

const weft::Place made{"foo.cpp", 10};

std::string head(const weft::Channel<int>& channel) {
  return "Channel #" + std::to_string(channel.id());
}

// R-OBS-3
TEST(ChannelInfo, CountsItsWaitersAndWhatIsReservedForThem) {
  weft::testing::run([] {
    weft::Channel<int> channel{1};
    EXPECT_EQ(channel.info(), "Channel(capacity=1, receivers=0, senders=0, reserved=0/0)");
    auto receiver = weft::spawn([&] { return channel.recv(); });
    weft::testing::settle();
    EXPECT_EQ(channel.info(), "Channel(capacity=1, receivers=1, senders=0, reserved=0/0)");
    channel.send(1);  // the receiver is woken, and has not run yet
    EXPECT_EQ(channel.info(), "Channel(capacity=1, receivers=1, senders=0, reserved=1/0)");
    EXPECT_EQ(weft::await(receiver), 1);
    channel.send(2);
    auto sender = weft::spawn([&] { channel.send(3); });
    weft::testing::settle();
    EXPECT_EQ(channel.recv(), 2);
    EXPECT_EQ(channel.info(), "Channel(capacity=1, receivers=0, senders=1, reserved=0/1)");
    weft::await(sender);
  });
}

// R-OBS-3: a channel has an id and a place, so that two of them can be told apart.
TEST(ChannelInfo, SaysWhichChannelItIsAndHowFull) {
  weft::testing::run([] {
    weft::Channel<int> first{3, {}, made};
    weft::Channel<int> second;
    EXPECT_NE(first.id(), 0U);
    EXPECT_EQ(second.id(), first.id() + 1);
    EXPECT_EQ(first.describe(), head(first) + " (capacity 3) created at foo.cpp:10");
    first.send(1);
    EXPECT_EQ(first.describe(), head(first) + " (capacity 3, 1 value) created at foo.cpp:10");
    first.close();
    EXPECT_EQ(first.describe(),
              head(first) + " (capacity 3, 1 value, closed explicitly) created at foo.cpp:10");
    EXPECT_THAT(second.describe(), HasSubstr("channel_info_test.cpp:"));
  });
}

// R-OBS-3: outside a runtime there are no ids.
TEST(ChannelInfo, HasNoIdOutsideARuntime) {
  weft::Channel<int> channel{1};
  EXPECT_EQ(channel.id(), 0U);
}

// R-OBS-3, R-DLK-4
TEST(ChannelInfo, IsWhatAWaitShows) {
  weft::testing::run([] {
    weft::Channel<int> channel{0, {}, made};
    weft::Channel<int> other{0, {}, made};
    auto first = weft::spawn([&] { channel.send(1); });
    auto second = weft::spawn([&] { channel.send(2); });
    auto chooser = weft::spawn(
        [&] { weft::select(weft::on_recv(other, [](int) {}), weft::on_send(channel, 3, [] {})); });
    weft::testing::settle();
    const std::string full = head(channel) + " (capacity 0, 3 senders) created at foo.cpp:10";
    EXPECT_THAT(first.awaiting(), ElementsAre(full + ", to send"));
    EXPECT_THAT(chooser.awaiting(),
                ElementsAre(head(other) + " (capacity 0, 1 receiver) created at foo.cpp:10, "
                                          "to receive",
                            full + ", to send"));
    EXPECT_THAT(weft::dump(), HasSubstr("waits for " + full));
    for (int i = 0; i < 3; ++i) (void)channel.recv();
  });
}

// R-DLK-4, R-OBS-3: the report names the channel, not the function.
TEST(ChannelInfo, IsInTheDeadlockReport) {
  std::vector<std::string> warnings;
  std::string name;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          weft::Channel<int> channel{0, {}, made};
          name = head(channel);
          (void)channel.recv();
        },
        collecting(warnings));
  });
  ASSERT_TRUE(is<weft::DeadlockError>(error)) << text(error);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_THAT(warnings.front(),
              HasSubstr("waits for " + name + " (capacity 0, 1 receiver) created at foo.cpp:10"));
}

}  // namespace
