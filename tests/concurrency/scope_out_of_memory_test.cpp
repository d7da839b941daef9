#include <cstdint>
#include <exception>
#include <ostream>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "allocations.hpp"
#include "failures.hpp"
#include "support.hpp"

// Each allocation of a scenario with scopes is made to fail, one in each run. run() must return or
// throw, leave nothing behind, and the next run must work.
namespace {

using namespace std::chrono_literals;
using weft::Ref;
using weft::Scope;
using weft_test::Allocations;
using weft_test::error_of;
using weft_test::quiet;

struct Scenario {
  const char* name;
  void (*body)();
};
void PrintTo(const Scenario& scenario, std::ostream* out) { *out << scenario.name; }

void with_scope() {
  try {
    weft::with_scope([](Scope& scope) {
      scope.spawn([] { weft::delay(1h); });
      scope.spawn([] {
        weft::suspend();
        throw std::runtime_error{"a failure with a text that needs memory"};
      });
    });
  } catch (const std::runtime_error&) {
  }
}

void with_timeout() {
  try {
    weft::with_timeout(1ms, [] { weft::delay(1h); });
  } catch (const weft::TimedOut&) {
  }
}

void drop() {
  const Ref<Scope> scope = Scope::create();
  const Ref<Scope> child = Scope::inherit(*scope);
  scope->spawn([] { weft::delay(1h); });
  child->spawn([] { weft::delay(1h); });
  weft::suspend();
}

void cancel() {
  const Ref<Scope> scope = Scope::create();
  scope->on_finally([](Scope&) { weft::suspend(); });
  scope->spawn([] { weft::delay(1h); }).on_finally([] { weft::suspend(); });
  scope->dispose_after_timeout(1ms);
  weft::suspend();
  scope->cancel("a reason with a text that needs memory");
  scope->await_after_cancellation();
}

void handle() {
  const Ref<Scope> scope = Scope::create();
  scope->set_exception_handler([](Scope&, const weft::AnyCoroutine&, const std::exception_ptr&) {});
  scope->spawn([] { throw std::runtime_error{"x"}; });
  scope->await_completion({});
}

void values() {
  const Ref<Scope> scope = Scope::inherit();
  weft::await(scope->spawn([] {
    weft::values().set<int>("a key with a text that needs memory", 1);
    weft::coroutine_values().set<int>("n", 1);
    weft::root_values().set<int>("n", 1);
  }));
}

class ScopeOutOfMemory : public ::testing::TestWithParam<Scenario> {};

TEST_P(ScopeOutOfMemory, LeavesNothingBehindWhateverAllocationFails) {
  const Scenario& scenario = GetParam();
  // Creates objects that exist once for all.
  (void)error_of([] {
    weft::testing::run(
        [] {
          for (int i = 0; i < 8; ++i) weft::post_microtask([i] { throw i; });
        },
        quiet());
  });
  weft::testing::run(scenario.body, quiet());
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
    const weft::Stats stats = weft::stats();
    ASSERT_EQ(stats.coroutines, 0U) << "allocation " << k;
    ASSERT_EQ(stats.queued, 0U) << "allocation " << k;
    ASSERT_EQ(stats.active_events, 0U) << "allocation " << k;
    ASSERT_EQ(stats.armed_timers, 0U) << "allocation " << k;
    weft::testing::run(scenario.body, quiet());
    ASSERT_EQ(Allocations::live(), live) << "allocation " << k;
    if (!failed) break;
  }
}

INSTANTIATE_TEST_SUITE_P(All, ScopeOutOfMemory,
                         ::testing::Values(Scenario{"with_scope", with_scope},
                                           Scenario{"with_timeout", with_timeout},
                                           Scenario{"drop", drop}, Scenario{"cancel", cancel},
                                           Scenario{"handle", handle}, Scenario{"values", values}),
                         [](const auto& one) { return std::string{one.param.name}; });

}  // namespace
