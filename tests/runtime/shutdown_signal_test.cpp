#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// A test that its signal ends runs in a process of its own.

namespace {

using namespace std::chrono_literals;
using ::testing::ExitedWithCode;
using ::testing::HasSubstr;
using ::testing::KilledBySignal;
using ::testing::Not;
using weft_test::error_of;
using weft_test::is;
using weft_test::quiet;
using weft_test::text;

weft::Options with_signals() {
  weft::Options options;
  options.shutdown_signals = {SIGTERM, SIGINT};
  return options;
}

void say(const char* text) { std::fprintf(stderr, "%s\n", text); }

void clean_up_after_a_signal() {
  weft::run(
      [] {
        weft::spawn([] {
          say(text(error_of([] { weft::delay(1h); })).c_str());
          weft::delay(1ms);
          say("cleaned up");
        });
        weft::delay(1ms);
        ::raise(SIGTERM);
        weft::delay(1h);
      },
      with_signals());
  say("run returned");
}

// R-SHU-5, R-SHU-12
TEST(ShutdownSignalDeathTest, CleansUpAndThenEndsByTheSignal) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(clean_up_after_a_signal(), KilledBySignal(SIGTERM),
              ::testing::AllOf(HasSubstr("cancelled: Signal 15"), HasSubstr("cleaned up"),
                               Not(HasSubstr("run returned"))));
}

void signal_twice() {
  weft::run(
      [] {
        const std::exception_ptr ignored = error_of([] {
          ::raise(SIGINT);
          weft::delay(1h);
        });
        say("cleans up");
        ::raise(SIGINT);
        say("still there");
      },
      with_signals());
}

// R-SHU-5
TEST(ShutdownSignalDeathTest, ASecondSignalEndsAtOnce) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(signal_twice(), KilledBySignal(SIGINT),
              ::testing::AllOf(HasSubstr("cleans up"), Not(HasSubstr("still there"))));
}

void signal_twice_while_busy() {
  weft::run(
      [] {
        ::raise(SIGTERM);
        say("busy");
        ::raise(SIGTERM);
        say("still there");
      },
      with_signals());
}

// R-SHU-5
TEST(ShutdownSignalDeathTest, ASecondSignalEndsAProgramThatNeverSuspends) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(signal_twice_while_busy(), KilledBySignal(SIGTERM),
              ::testing::AllOf(HasSubstr("busy"), Not(HasSubstr("still there"))));
}

// R-SHU-5, R-SGN-1
TEST(ShutdownSignal, ASignalWithAnEventOfTheUserGoesOnlyThere) {
  int notified = 0;
  weft::run(
      [&] {
        weft::SignalEvent event{SIGTERM};
        event.start();
        const auto counts = weft::make_ref<weft_test::Call>(
            [&](weft::Event&, const weft::Outcome&) { ++notified; });
        event.add_callback(*counts);
        for (int i = 0; i < 2; ++i) ::raise(SIGTERM);  // the second does not end the process
        weft::delay(1ms);
        EXPECT_FALSE(weft::current().is_cancellation_requested());
        event.remove_callback(*counts);
        event.stop();
      },
      with_signals());
  EXPECT_EQ(notified, 2);
}

// R-SHU-5, R-HID-2
TEST(ShutdownSignal, IsHiddenFromDeadlockDetection) {
  weft_test::Doorbell never;
  weft::Options options = with_signals();
  options.on_warning = [](std::string_view) {};
  EXPECT_TRUE(
      is<weft::DeadlockError>(error_of([&] { weft::run([&] { weft::await(never); }, options); })));
}

// R-SHU-5
TEST(ShutdownSignal, IsThrownWhereTheProcessGoesOn) {
  weft::Options options = with_signals();
  options.exit_throws = true;
  int code = 0;
  int number = 0;
  try {
    weft::run(
        [] {
          ::raise(SIGTERM);
          weft::delay(1h);
        },
        options);
  } catch (const weft::ExitRequested& request) {
    code = request.code();
    number = request.signal();
  }
  EXPECT_EQ(code, 128 + SIGTERM);
  EXPECT_EQ(number, SIGTERM);
}

// R-SHU-5: dispositions are restored after the run.
TEST(ShutdownSignal, LeavesDispositionsAsTheyWere) {
  struct sigaction before {};
  ::sigaction(SIGTERM, nullptr, &before);
  weft::run([] { weft::delay(1ms); }, with_signals());
  struct sigaction after {};
  ::sigaction(SIGTERM, nullptr, &after);
  EXPECT_EQ(after.sa_handler, before.sa_handler);
  EXPECT_EQ(after.sa_flags & SA_SIGINFO, before.sa_flags & SA_SIGINFO);
}

// R-SHU-5
TEST(ShutdownSignal, RefusesWhatIsNoSignal) {
  weft::Options options;
  options.shutdown_signals = {SIGTERM, 4711};
  EXPECT_TRUE(is<weft::ValueError>(error_of([&] { weft::run([] {}, options); })));
  weft::run([] {});  // the refused run has left nothing behind
}

}  // namespace
