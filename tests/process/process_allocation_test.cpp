#include <csignal>
#include <cstdint>
#include <exception>
#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include "allocations.hpp"
#include "children.hpp"
#include "dispositions.hpp"
#include "failures.hpp"
#include "support.hpp"

// Each allocation of a scenario with signals and children is made to fail, one in each run. run()
// must return or throw, leave no child, handler or descriptor behind, and the next run must work.
namespace {

using namespace std::chrono_literals;
using weft_test::Allocations;
using weft_test::error_of;
using weft_test::is_childless;
using weft_test::quiet;

struct ProcessScenario {
  const char* name;
  void (*body)();
};
void PrintTo(const ProcessScenario& scenario, std::ostream* out) { *out << scenario.name; }

void wait_for_a_signal() {
  const weft::Future<int> future = weft::signal(SIGUSR1, weft::timeout(10s));
  weft::SignalEvent event{SIGUSR1};
  event.start();
  ::raise(SIGUSR1);
  weft::await(future);
  weft::await(event);
  event.stop();
}

void run_commands() {
  weft::exec({"echo", "a"}, {.mode = weft::ExecMode::lines, .stderr_ = weft::piped});
  weft::exec({"true"}, {.mode = weft::ExecMode::show});
}

void leave_a_command() {
  auto runner = weft::spawn([] { weft::exec({"sleep", "1000"}); });
  weft::suspend();
  runner.cancel();
}

void own_a_process() {
  weft::Process child = weft::Process::start({"true"}, {.stdin_ = weft::piped});
  child.wait();
  const weft::Process other = weft::Process::start({"sleep", "1000"}, {.stdout_ = weft::piped});
}

class ProcessAllocationTest : public ::testing::TestWithParam<ProcessScenario> {};

// R-SIG-3, R-EXE-6, R-PRC-1
TEST_P(ProcessAllocationTest, LeavesNothingBehind) {
  if (!Allocations::are_counted()) GTEST_SKIP() << "another operator new is in effect";
  const auto body = GetParam().body;
  weft::run(body, quiet());  // creates objects that exist once for all
  for (std::uint64_t k = 1; k < 2000; ++k) {
    Allocations::fail_at(k);
    const std::exception_ptr error = error_of([&] { weft::run(body, quiet()); });
    const bool failed = Allocations::failed();
    Allocations::fail_never();
    ASSERT_TRUE(weft_test::has_default_action(SIGUSR1)) << "failure at " << k;
    ASSERT_TRUE(weft_test::has_default_action(SIGCHLD)) << "failure at " << k;
    ASSERT_TRUE(is_childless()) << "failure at " << k;
    ASSERT_EQ(weft::stats().active_events, 0U) << "failure at " << k;
    if (!failed) {
      ASSERT_EQ(error, nullptr) << weft_test::text(error);
      return;
    }
  }
  FAIL() << "it never came to its end";
}

INSTANTIATE_TEST_SUITE_P(All, ProcessAllocationTest,
                         ::testing::Values(ProcessScenario{"signal", &wait_for_a_signal},
                                           ProcessScenario{"exec", &run_commands},
                                           ProcessScenario{"left", &leave_a_command},
                                           ProcessScenario{"process", &own_a_process}),
                         [](const auto& tested) { return std::string{tested.param.name}; });

}  // namespace
