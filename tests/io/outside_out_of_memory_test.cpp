#include <cstdint>
#include <cstdio>
#include <exception>
#include <fcntl.h>
#include <ostream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "allocations.hpp"
#include "failures.hpp"
#include "support.hpp"
#include "temporary_tree.hpp"

// Each allocation of a lookup or a watch is made to fail, one in each run. run() must return or
// throw, leave nothing behind, and the next run must work.
namespace {

using namespace std::chrono_literals;
using weft::Address;
using weft::FileWatcher;
using weft_test::Allocations;
using weft_test::quiet;
using weft_test::TemporaryTree;

struct Scenario {
  const char* name;
  void (*body)();
};
void PrintTo(const Scenario& scenario, std::ostream* out) { *out << scenario.name; }

/// A watched path; its operations do not allocate.
class Spot {
 public:
  static const std::string& root() {
    static const TemporaryTree tree = TemporaryTree::in_memory();
    static const std::string path = tree.path();
    return path;
  }
  explicit Spot(const char* name) {
    std::snprintf(path_, sizeof path_, "%s/%s", root().c_str(), name);
  }
  void touch() const {
    const int file = ::open(path_, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    static_cast<void>(!::write(file, "x", 1));
    ::close(file);
  }
  void make_directory() const { ::mkdir(path_, 0700); }
  void remove() const {
    ::unlink(path_);
    ::rmdir(path_);
  }

 private:
  char path_[512] = {};
};

void clean() {
  for (const char* name : {"a", "b", "c", "d/e/f", "d/e", "d"}) Spot{name}.remove();
}

void forward() { static_cast<void>(weft::resolve("localhost", "80")); }

void failing() {
  try {
    static_cast<void>(weft::resolve("localhost", "a-service-that-does-not-exist"));
  } catch (const weft::DnsError&) {
  }
}

void reverse() { static_cast<void>(weft::resolve_name(Address::parse("127.0.0.1", 80))); }

void cancelled() {
  auto lookup = weft::spawn([] { static_cast<void>(weft::resolve("localhost", "80")); });
  weft::suspend();
  lookup.cancel();
  try {
    weft::await(lookup);
  } catch (const weft::Cancelled&) {
  }
}

void flat() {
  FileWatcher watcher{Spot::root(), {.max_buffered = 2}};
  for (const char* name : {"a", "b", "c"}) Spot{name}.touch();
  weft::delay(1ms);
  Spot{"a"}.touch();
  while (watcher.next(weft::timeout(1s)) && watcher.buffered() > 0) {
  }
}

void recursive() {
  FileWatcher watcher{Spot::root(), {.recursive = true, .raw = true}};
  for (const char* name : {"d", "d/e", "d/e/f"}) Spot{name}.make_directory();
  weft::delay(1ms);
  for (const char* name : {"d/e/f", "d/e", "d"}) Spot{name}.remove();
  weft::delay(1ms);
  while (watcher.buffered() > 0) static_cast<void>(watcher.next());
}

void debounced() {
  FileWatcher watcher{Spot::root(), {.debounce = 5ms, .max_hold = 10ms, .extensions = {"a"}}};
  auto reader = weft::spawn([&] { static_cast<void>(watcher.next(weft::timeout(1s))); });
  weft::suspend();
  Spot{"a"}.touch();
  weft::await(reader);
}

class OutsideOutOfMemory : public ::testing::TestWithParam<Scenario> {};

// R-KIND-4, R-DNS-5
TEST_P(OutsideOutOfMemory, LeavesNothingBehindWhateverAllocationFails) {
  if (!Allocations::are_counted()) GTEST_SKIP() << "allocations cannot be made to fail here";
  const Scenario& scenario = GetParam();
  for (int i = 0; i < 2; ++i) {  // objects that are created once for all exist after this
    weft::testing::run(scenario.body, quiet());
    clean();
  }
  for (std::uint64_t k = 1;; ++k) {
    ASSERT_LT(k, 10'000U);
    const std::uint64_t live = Allocations::live();
    try {
      weft::testing::run(
          [&] {
            Allocations::fail_at(k);
            scenario.body();
          },
          quiet());
    } catch (const weft::Cancelled&) {
    } catch (const std::exception&) {
    }
    const bool failed = Allocations::failed();
    Allocations::fail_never();
    clean();
    const weft::Stats stats = weft::stats();
    ASSERT_EQ(stats.coroutines, 0U) << "allocation " << k;
    ASSERT_EQ(stats.active_events, 0U) << "allocation " << k;
    ASSERT_EQ(stats.armed_timers, 0U) << "allocation " << k;
    weft::testing::run(scenario.body, quiet());
    clean();
    ASSERT_EQ(Allocations::live(), live) << "allocation " << k;
    if (!failed) break;
  }
}

INSTANTIATE_TEST_SUITE_P(All, OutsideOutOfMemory,
                         ::testing::Values(Scenario{"forward", forward},
                                           Scenario{"failing", failing},
                                           Scenario{"reverse", reverse},
                                           Scenario{"cancelled", cancelled}, Scenario{"flat", flat},
                                           Scenario{"recursive", recursive},
                                           Scenario{"debounced", debounced}),
                         [](const auto& one) { return std::string{one.param.name}; });

}  // namespace
