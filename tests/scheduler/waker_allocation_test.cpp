#include <cstdint>

#include <gtest/gtest.h>

#include "allocations.hpp"
#include "support.hpp"
#include "weft/weft.hpp"

namespace waker_allocation_test {

using namespace std::chrono_literals;
using weft_test::Allocations;
using weft_test::Doorbell;

/// How many allocations `rounds` calls of `wait` make, while another coroutine rings `bell`.
template <class F>
std::uint64_t allocations_of(Doorbell& bell, int rounds, F wait) {
  bool done = false;
  auto ringer = weft::spawn([&] {
    while (!done) {
      bell.ring();
      weft::suspend();
    }
  });
  wait();  // allocates memory that is reused
  const std::uint64_t before = Allocations::count();
  for (int i = 0; i < rounds; ++i) wait();
  const std::uint64_t made = Allocations::count() - before;
  done = true;
  weft::await(ringer);
  return made;
}

// R-WAK-1
TEST(WakerAllocation, AnAwaitOfOneEventAllocatesNothing) {
  weft::testing::run([] {
    Doorbell bell;
    EXPECT_EQ(allocations_of(bell, 100, [&] { weft::await(bell); }), 0U);
  });
}

// R-WAK-1
TEST(WakerAllocation, AnAwaitOfTwoEventsAllocatesNothing) {
  weft::testing::run([] {
    Doorbell bell;
    EXPECT_EQ(allocations_of(bell, 100,
                             [&] {
                               Doorbell token;
                               weft::await(bell, token);
                             }),
              0U);
  });
}

// R-WAK-1: the third event spills to the heap once; the memory is kept for the next wait.
TEST(WakerAllocation, AnAwaitOfMoreEventsUsesItsRoomAgain) {
  weft::testing::run([] {
    Doorbell bell;
    EXPECT_EQ(allocations_of(bell, 100,
                             [&] {
                               Doorbell others[3];
                               weft::Waker& waker = weft::current().base().waker().renew();
                               for (Doorbell& other : others) waker.resume_when(other);
                               waker.resume_when(bell);
                               weft::suspend(waker);
                               waker.renew();
                             }),
              0U);
  });
}

// R-WAK-1
TEST(WakerAllocation, ADelayAllocatesNothing) {
  weft::testing::run([] {
    weft::delay(1ms);
    const std::uint64_t before = Allocations::count();
    for (int i = 0; i < 100; ++i) weft::delay(1ms);
    EXPECT_EQ(Allocations::count() - before, 0U);
  });
}

// R-WAK-1
TEST(WakerAllocation, TheWakerIsPartOfTheCoroutine) {
  weft::testing::run([] {
    auto& base = weft::current().base();
    const auto* begin = reinterpret_cast<const char*>(&base);
    const auto* waker = reinterpret_cast<const char*>(&base.waker());
    EXPECT_GE(waker, begin);
    EXPECT_LE(waker + sizeof(weft::Waker), begin + sizeof(weft::CoroutineBase));
    EXPECT_LE(sizeof(weft::CoroutineBase), 224U);
  });
}

}  // namespace waker_allocation_test
