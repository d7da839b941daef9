#include <memory>
#include <mutex>
#include <ostream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/planted.hpp"
#include "weft/testing.hpp"
#include "weft/weft.hpp"

// A woken waiter owns a reservation. Each primitive hands the reservation on when the waiter is
// cancelled before it runs; the explorer must find the schedule in which a planted bug does not.
namespace {

using ::testing::StartsWith;
using weft::Planted;
using weft::testing::explore;
using weft::testing::Report;

/// Two coroutines queue in `take`; `give` grants once. The first coroutine may be cancelled; if it
/// was not, `again` grants once more, for the second.
template <class Take, class Give, class Again>
void two_in_line(Take take, Give give, Again again) {
  auto first = weft::spawn(take);
  auto second = weft::spawn(take);
  auto giver = weft::spawn(give);
  auto canceller = weft::spawn([first] { first.cancel(); });
  try {
    weft::await(first);
    again();
  } catch (const weft::Cancelled&) {
  }
  weft::await(second);
  weft::await(giver);
  weft::await(canceller);
}

// The shared objects outlive main, which may end with a DeadlockError.
void receive() {
  const auto channel = weft::make_ref<weft::Channel<int>>(1U);
  two_in_line([channel] { channel->recv(); }, [channel] { channel->send(1); },
              [channel] { channel->send(2); });
}

void send() {
  const auto channel = weft::make_ref<weft::Channel<int>>(1U);
  channel->send(0);
  two_in_line([channel] { channel->send(1); }, [channel] { channel->recv(); },
              [channel] { channel->recv(); });
}

void lock() {
  const auto mutex = std::make_shared<weft::Mutex>();
  const auto lock_for_a_while = [mutex] {
    const std::lock_guard guard{*mutex};
    weft::suspend();
  };
  auto before = weft::spawn(lock_for_a_while);
  two_in_line(
      lock_for_a_while, [] {}, [] {});
  weft::await(before);
}

void acquire_permit() {
  const auto semaphore = std::make_shared<weft::Semaphore>(0);
  two_in_line([semaphore] { semaphore->acquire(); }, [semaphore] { semaphore->release(); },
              [semaphore] { semaphore->release(); });
}

void acquire_resource() {
  const auto pool = std::make_shared<weft::Pool<int>>(
      weft::PoolOptions<int>{.max = 1, .create = [] { return 1; }});
  const auto lease_for_a_while = [pool] {
    const auto lease = pool->acquire();
    weft::suspend();
  };
  auto before = weft::spawn(lease_for_a_while);
  two_in_line(
      lease_for_a_while, [] {}, [] {});
  weft::await(before);
}

struct Case {
  const char* name;
  Planted bug;
  void (*scenario)();
  const char* failure = "error: Deadlock detected";
};

constexpr Case cases[] = {
    {"Value", Planted::value_not_handed_on, receive},
    {"Slot", Planted::slot_not_handed_on, send},
    {"Lock", Planted::lock_not_handed_on, lock},
    {"Permit", Planted::permit_not_handed_on, acquire_permit},
    {"Resource", Planted::resource_not_handed_on, acquire_resource, "the process died: Aborted"},
};

std::ostream& operator<<(std::ostream& out, const Case& one) { return out << one.name; }

class NotHandedOn : public ::testing::TestWithParam<Case> {
 protected:
  ~NotHandedOn() override { weft::planted_bug = Planted::none; }
};

// traps 1 and 2
TEST_P(NotHandedOn, IsFound) {
  weft::planted_bug = GetParam().bug;
  ::testing::internal::CaptureStderr();
  const Report report = explore(GetParam().scenario);
  ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(report.first_failure(), StartsWith(GetParam().failure));
}

TEST_P(NotHandedOn, IsNotFoundWhereItIsNot) {
  const Report report = explore(GetParam().scenario);
  EXPECT_TRUE(report.ok()) << report.first_failure();
  EXPECT_GT(report.schedules(), 10U);
}

INSTANTIATE_TEST_SUITE_P(Each, NotHandedOn, ::testing::ValuesIn(cases),
                         [](const auto& one) { return std::string{one.param.name}; });

}  // namespace
