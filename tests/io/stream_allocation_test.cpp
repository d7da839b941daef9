#include <array>

#include <gtest/gtest.h>

#include "allocations.hpp"
#include "support.hpp"

namespace {

using weft_test::Allocations;

TEST(StreamAllocationTest, AnEchoedMessageNeedsNoMemory) {
  if (!Allocations::are_counted()) GTEST_SKIP() << "operator new is not ours here";
  weft::testing::run([] {
    auto both = weft::UnixStream::pair();
    auto server = weft::spawn([&] {
      std::array<std::byte, 4096> buffer;
      while (std::size_t n = both.second.read_some(buffer)) {
        both.second.write_all(std::span{buffer}.first(n));
      }
    });
    std::array<std::byte, 64> message{};
    const auto exchange = [&] {
      both.first.write_all(message);
      both.first.read_exactly(message);
    };
    for (int i = 0; i < 10; ++i) exchange();
    const std::uint64_t before = Allocations::count();
    for (int i = 0; i < 1000; ++i) exchange();
    EXPECT_EQ(Allocations::count(), before);
    both.first.close();
    weft::await(server);
  });
}

TEST(StreamAllocationTest, WaitingForRoomNeedsNoMemory) {
  if (!Allocations::are_counted()) GTEST_SKIP() << "operator new is not ours here";
  weft::testing::run([] {
    auto both = weft::UnixStream::pair();
    const std::string much(1'000'000, 'x');
    std::array<std::byte, 4096> buffer;
    auto writer = weft::spawn([&] {
      for (;;) both.first.write_all(much);
    });
    for (int i = 0; i < 1000; ++i) both.second.read_exactly(buffer);
    const std::uint64_t before = Allocations::count();
    for (int i = 0; i < 1000; ++i) both.second.read_exactly(buffer);
    EXPECT_EQ(Allocations::count(), before);
    writer.cancel();
    weft::await_settled(std::vector{writer});
  });
}

}  // namespace
