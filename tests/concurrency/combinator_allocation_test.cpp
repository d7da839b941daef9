#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "allocations.hpp"
#include "failures.hpp"
#include "support.hpp"

namespace {

using weft::Future;
using weft::Promise;
using weft_test::Allocations;
using weft_test::error_of;
using weft_test::is;
using namespace std::chrono_literals;

// Without memory a combinator throws, and leaves no subscriber.
// R-AWT-4
TEST(CombinatorAllocationTest, ChangesNothingWithoutMemory) {
  weft::testing::run([] {
    Promise<int> promise;
    const std::vector<Future<int>> members(10, promise.future());
    bool refused = true;
    for (std::uint64_t k = 1; refused; ++k) {
      ASSERT_LT(k, 100U);
      Allocations::fail_at(k);
      const auto error = error_of([&] { weft::await_all(members, weft::timeout(1ms)); });
      Allocations::fail_never();
      refused = !is<weft::OperationCancelled>(error);
      EXPECT_TRUE(!refused || is<std::bad_alloc>(error));
      EXPECT_EQ(static_cast<weft::Event&>(members[0]).subscribers(), 0U);
    }
    promise.complete(1);
    EXPECT_EQ(weft::await_all(members).size(), 10U);
  });
}

// The loop reports the expiry, where nothing may be thrown.
// R-TMO-3
TEST(CombinatorAllocationTest, ATimeoutExpiresWithoutMemory) {
  weft::testing::run([] {
    for (std::uint64_t k = 1; k < 8; ++k) {
      weft::Timeout limit{1ms};
      Allocations::fail_at(k);
      const auto error = error_of([&] { weft::await(limit); });
      Allocations::fail_never();
      EXPECT_TRUE(is<weft::TimedOut>(error) || is<std::bad_alloc>(error));
      EXPECT_TRUE(limit.is_completed() || is<std::bad_alloc>(error));
    }
  });
}

}  // namespace
