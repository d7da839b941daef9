#include <cstdint>
#include <future>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

namespace {

using weft_test::error_of;

std::uint64_t first_id() {
  return weft::testing::run([] { return weft::current().id(); });
}

// R-COR-7: ids are unique in the process, among all its runtimes.
TEST(IdThreads, AreUniqueAmongManyRuntimes) {
  constexpr std::size_t many = 150;
  std::mutex mutex;
  std::set<std::uint64_t> ids;
  std::size_t runtimes = 0;
  std::promise<void> all_there;
  const std::shared_future<void> all{all_there.get_future()};
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < many; ++i) {
    threads.emplace_back([&, all] {
      const weft::Runtime runtime;
      const std::uint64_t main = weft::current().id();
      const std::uint64_t child = weft::spawn([] {}).id();
      {
        const std::lock_guard lock{mutex};
        ids.insert(main);
        ids.insert(child);
        if (++runtimes == many) all_there.set_value();
      }
      all.wait();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(ids.size(), 2 * many);
  EXPECT_EQ(first_id(), 1U);  // all ranges of ids were given back
}

// R-COR-7
TEST(Ids, OfARuntimeThatCouldNotBeMadeAreUsedAgain) {
  const std::uint64_t before = first_id();
  for (int i = 0; i < 100; ++i) {
    weft::Options options;
    options.stack_size = std::size_t{1} << 50U;
    EXPECT_NE(error_of([&] { weft::testing::run([] {}, options); }), nullptr);
  }
  EXPECT_EQ(first_id(), before);
}

}  // namespace
