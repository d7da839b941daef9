#include "server/limited_warnings.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"
#include "weft/serve.hpp"

// Warnings that any client can cause must not fill the log.
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using weft::LimitedWarnings;
using weft_test::Log;

/// The warnings of `body`, on a virtual clock.
template <class F>
Log warnings_of(F body) {
  Log warnings;
  weft::testing::run(body, weft_test::collecting(warnings));
  return warnings;
}

TEST(LimitedWarningsTest, AFewAreWrittenAsTheyAre) {
  EXPECT_THAT(warnings_of([] {
                LimitedWarnings warnings{"x: "};
                for (int i = 0; i < 5; ++i) warnings.write(std::to_string(i));
              }),
              ElementsAre("x: 0", "x: 1", "x: 2", "x: 3", "x: 4"));
}

TEST(LimitedWarningsTest, TheRestIsCountedAndReportedWhenThePeriodEnds) {
  Log warnings;
  weft::testing::run(
      [&] {
        LimitedWarnings limited{"x: "};
        for (int i = 0; i < 1'000; ++i) limited.write(std::to_string(i));
        EXPECT_EQ(warnings.size(), 5U);
        weft::delay(9s);
        EXPECT_EQ(warnings.size(), 5U);
        weft::delay(2s);
        ASSERT_EQ(warnings.size(), 6U);
        EXPECT_EQ(warnings.back(), "x: 995 more warnings were left out; the last: 999");
      },
      weft_test::collecting(warnings));
  EXPECT_EQ(warnings.size(), 6U);
}

TEST(LimitedWarningsTest, AFloodThatGoesOnIsOneLineAPeriod) {
  const Log warnings = warnings_of([] {
    LimitedWarnings limited{"x: "};
    for (int i = 0; i < 1'000; ++i) {
      limited.write(std::to_string(i));
      weft::delay(100ms);
    }
  });
  EXPECT_EQ(warnings.size(), 5U + 10U);
}

TEST(LimitedWarningsTest, AfterAQuietPeriodTheyAreWrittenAgain) {
  const Log warnings = warnings_of([] {
    LimitedWarnings limited{"x: "};
    for (int i = 0; i < 7; ++i) limited.write("first");
    weft::delay(1min);
    for (int i = 0; i < 5; ++i) limited.write("second");
  });
  ASSERT_EQ(warnings.size(), 5U + 1U + 5U);
  EXPECT_EQ(warnings.back(), "x: second");
}

TEST(LimitedWarningsTest, TheEndReportsWhatWasLeftOut) {
  const Log warnings = warnings_of([] {
    LimitedWarnings limited{"x: "};
    for (int i = 0; i < 8; ++i) limited.write(std::to_string(i));
  });
  ASSERT_EQ(warnings.size(), 6U);
  EXPECT_EQ(warnings.back(), "x: 3 more warnings were left out; the last: 7");
}

TEST(LimitedWarningsTest, ItsTimerHidesNoDeadlock) {
  Log warnings;
  EXPECT_TRUE(weft_test::is<weft::DeadlockError>(weft_test::error_of([&] {
    weft::testing::run(
        [] {
          LimitedWarnings limited{"x: "};
          for (int i = 0; i < 8; ++i) limited.write("text");
          weft_test::Doorbell never;
          weft::await(never);
        },
        weft_test::collecting(warnings));
  })));
}

/// A listener whose clients are numbers sent through a channel.
struct Door {
  int accept(weft::Token token, weft::Place place) { return line.recv(token, place); }
  weft::Channel<int> line{100};
};

// trap 72: a warning for each connection, which any client can cause
TEST(LimitedWarningsTest, AServerWritesFewOfAThousandFailures) {
  weft::ServeCounts counts;
  const Log warnings = warnings_of([&] {
    Door door;
    weft::Trigger stop;
    auto server = weft::spawn([&] {
      weft::serve(door, [](int number) { throw std::runtime_error{std::to_string(number)}; },
                  {.stop = stop, .counts = &counts});
    });
    for (int i = 0; i < 1'000; ++i) door.line.send(i);
    weft::testing::settle();
    stop.fire();
    weft::await(server);
  });
  EXPECT_EQ(counts.failed, 1'000U);
  ASSERT_EQ(warnings.size(), 6U);
  EXPECT_EQ(warnings.front(), "serve(): a connection failed: 0");
  EXPECT_EQ(warnings.back(),
            "serve(): 995 more warnings were left out; the last: a connection failed: 999");
}

}  // namespace
