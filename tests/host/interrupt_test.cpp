#include <csignal>
#include <sys/time.h>

#include <gtest/gtest.h>

#include "weft/extend/embed.hpp"
#include "weft/weft.hpp"

// interrupt() from a signal handler. The clock is real: the runtime sleeps in the kernel.
namespace {

using namespace std::chrono_literals;

volatile std::sig_atomic_t signals = 0;

void on_alarm(int /*signal*/) {
  signals = signals + 1;
  weft::interrupt();
}

TEST(RealTimeInterrupt, EndsTheSleepOfTheRuntimeForTheHeartbeat) {
  signals = 0;
  const auto before = std::signal(SIGALRM, on_alarm);
  weft::run([] {
    const auto sleeper = weft::spawn([] { weft::delay(1h); });
    weft::set_heartbeat([sleeper] {
      if (signals > 0) sleeper.cancel("there was a signal");
    });
    const itimerval soon{{0, 0}, {0, 20'000}};
    ASSERT_EQ(::setitimer(ITIMER_REAL, &soon, nullptr), 0);
    EXPECT_THROW(weft::await(sleeper), weft::Cancelled);
    weft::set_heartbeat({});
  });
  EXPECT_EQ(signals, 1);
  std::signal(SIGALRM, before);
}

TEST(RealTimeInterrupt, IsKeptForTheNextSleep) {
  weft::run([] {
    int beats = 0;
    const auto sleeper = weft::spawn([] { weft::delay(1h); });
    weft::set_heartbeat([&] {
      if (++beats > 10) sleeper.cancel();
      weft::interrupt();
    });
    EXPECT_THROW(weft::await(sleeper), weft::Cancelled);
    EXPECT_GT(beats, 10);
    weft::set_heartbeat({});
  });
}

TEST(Interrupt, DoesNothingWithoutARuntime) {
  weft::interrupt();
  EXPECT_FALSE(weft::can_suspend());
}

}  // namespace
