#include <chrono>
#include <csignal>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "base/current.hpp"
#include "descriptors.hpp"
#include "reactor/reactor.hpp"
#include "support.hpp"
#include "temporary.hpp"
#include "weft/extend/dns_event.hpp"

namespace reactor_alone_test {

using namespace std::chrono_literals;
using weft_test::Call;

/// A reactor on this thread, without a scheduler.
class RealTimeReactorAlone : public ::testing::Test {
 protected:
  RealTimeReactorAlone() { weft::current_thread.reactor = &reactor_; }
  ~RealTimeReactorAlone() override { weft::current_thread.reactor = nullptr; }

  /// Turns the loop until `event` has notified; returns how often it has.
  int turn_until_notified(weft::Event& event) {
    int notified = 0;
    Call call{[&](weft::Event& from, const weft::Outcome& outcome) {
      EXPECT_EQ(&from, &event);
      EXPECT_EQ(outcome.error(), nullptr);
      ++notified;
    }};
    event.add_callback(call);
    event.start();
    const weft::TimePoint limit = clock_.now() + 20s;
    while (notified == 0 && clock_.now() < limit) reactor_.poll(weft::Wait::yes, limit);
    event.stop();
    event.remove_callback(call);
    return notified;
  }

  weft::Clock& clock_ = weft::Clock::real();
  weft::Reactor reactor_{clock_, nullptr};
};

// R-ARCH-1: readiness becomes an event.
TEST_F(RealTimeReactorAlone, TurnsReadinessIntoEvents) {
  ASSERT_EQ(weft::current_thread.scheduler, nullptr);
  const weft_test::Ends ends = weft_test::Ends::sockets();
  weft::Poll poll{ends.here.get(), weft::Poll::readable};
  weft_test::put(ends.there.get(), "x");
  EXPECT_EQ(turn_until_notified(poll), 1);
  EXPECT_EQ(poll.triggered(), weft::Poll::readable);
}

// R-ARCH-1: the completion of work on other threads becomes an event.
TEST_F(RealTimeReactorAlone, TurnsCompletionIntoEvents) {
  ASSERT_EQ(weft::current_thread.scheduler, nullptr);
  weft::AddressLookup lookup{"127.0.0.1", "80"};
  EXPECT_EQ(turn_until_notified(lookup), 1);
  EXPECT_EQ(lookup.take().size(), 1U);
  weft::Timer timer{1ms};
  EXPECT_EQ(turn_until_notified(timer), 1);
}

}  // namespace reactor_alone_test
