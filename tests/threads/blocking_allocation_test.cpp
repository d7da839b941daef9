#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "allocations.hpp"
#include "threads.hpp"

namespace {

using weft_test::Allocations;

enum Answer : int { all_is_well, enough_memory, ran_though_it_failed };

/// Makes the first blocking() call of a process, which creates the loop, the pool and its first
/// worker. The k-th allocation fails.
Answer call_first(std::uint64_t k) {
  const auto ran = std::make_shared<std::atomic<int>>(0);
  bool thrown = false;
  bool failed = false;
  weft::run([&] {
    Allocations::fail_at(k);
    try {
      weft::blocking([ran] { ++*ran; });
    } catch (const std::bad_alloc&) {
      thrown = true;
    }
    failed = Allocations::failed();
    Allocations::fail_never();
    weft::blocking([] {});  // queued behind the first call, so that has ended
  });
  if (*ran != (thrown ? 0 : 1)) return ran_though_it_failed;
  return failed ? all_is_well : enough_memory;
}

TEST(BlockingAllocationThreadTest, NeverRunsACallThatFoundNoMemory) {
  if (!Allocations::are_counted()) GTEST_SKIP() << "this program has another operator new";
  for (std::uint64_t k = 1;; ++k) {
    const pid_t child = ::fork();
    if (child == 0) std::_Exit(call_first(k));
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status)) << "allocation " << k;
    ASSERT_NE(WEXITSTATUS(status), ran_though_it_failed) << "allocation " << k;
    if (WEXITSTATUS(status) == enough_memory) break;
    ASSERT_EQ(WEXITSTATUS(status), all_is_well) << "allocation " << k;
  }
}

}  // namespace
