#include <cstdio>
#include <cstdlib>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/sanitizer.hpp"
#include "failures.hpp"
#include "support.hpp"

namespace {

using namespace std::chrono_literals;
using ::testing::ExitedWithCode;
using ::testing::HasSubstr;
using ::testing::Not;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::quiet;
using weft_test::text;

int code_of_exit(const std::exception_ptr& error) {
  try {
    if (error) std::rethrow_exception(error);
  } catch (const weft::ExitRequested& request) {
    return request.code();
  } catch (...) {
  }
  return -1;
}

struct Says {
  const char* text;
  ~Says() { std::fprintf(stderr, "%s\n", text); }
};

void exit_from_a_coroutine() {
  weft::run([] {
    const Says main{"main unwound"};
    weft::spawn([] {
      const Says other{"other unwound"};
      weft::delay(1h);
    });
    weft::spawn([] {
      const Says own{"own frame unwound"};
      weft::delay(1ms);
      weft::exit(7);
      std::fprintf(stderr, "came back\n");
    });
    weft::delay(1h);
  });
  std::fprintf(stderr, "run returned\n");
}

// R-SHU-5
TEST(ExitDeathTest, EndsTheProcessWithTheCodeAfterEveryFrameIsUnwound) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(exit_from_a_coroutine(), ExitedWithCode(7),
              ::testing::AllOf(HasSubstr("own frame unwound"), HasSubstr("other unwound"),
                               HasSubstr("main unwound"), Not(HasSubstr("came back")),
                               Not(HasSubstr("run returned"))));
}

void exit_with_a_clean_up_that_fails() {
  weft::run([] {
    weft::spawn([] {
      static_cast<void>(error_of([] { weft::delay(1h); }));
      throw std::runtime_error{"the peer was not told"};
    });
    weft::suspend();
    weft::exit(7);
  });
}

// trap 81: the exit status does not show a failure during the clean-up.
TEST(ExitDeathTest, ReportsWhatFailedWhileTheProgramEnded) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(exit_with_a_clean_up_that_fails(), ExitedWithCode(7),
              HasSubstr("failed while the program ended: the peer was not told"));
}

// R-SHU-5
TEST(Exit, ThrowsWhatWasAskedForWhereTheProcessGoesOn) {
  weft::Options options;
  options.exit_throws = true;
  EXPECT_EQ(code_of_exit(error_of([&] { weft::run([] { weft::exit(3); }, options); })), 3);
  EXPECT_EQ(code_of_exit(error_of([] { weft::testing::run([] { weft::exit(4); }); })), 4);
  weft::Runtime runtime;
  runtime.spawn([] { weft::exit(5); });
  EXPECT_EQ(code_of_exit(error_of([&] { runtime.finish(); })), 5);
}

// R-SHU-5
TEST(Exit, ThrowsOnOtherThreadsThanTheFirst) {
  int code = 0;
  std::thread{[&] {
    code = code_of_exit(error_of([] { weft::run([] { weft::exit(6); }); }));
  }}.join();
  EXPECT_EQ(code, 6);
}

// R-SHU-5, R-SHU-6
TEST(Exit, OfMainWaitsUntilTheOthersHaveEnded) {
  Log log;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run([&] {
      weft::spawn([&] {
        const std::exception_ptr ignored = error_of([] { weft::delay(1h); });
        weft::delay(5ms);
        log.emplace_back("other ends");
      });
      weft::suspend();
      log.push_back("main " + text(error_of([] { weft::exit(1); })));
    });
  });
  EXPECT_EQ(log, (Log{"other ends", "main cancelled: Graceful shutdown"}));
  EXPECT_EQ(code_of_exit(error), 1);
}

// R-SHU-7, R-SHU-10
TEST(Exit, TheFirstRequestCountsAndAnErrorGoesBeforeIt) {
  EXPECT_EQ(code_of_exit(error_of([] {
              weft::testing::run([] {
                weft::spawn([] {
                  const std::exception_ptr ignored = error_of([] { weft::delay(1h); });
                  weft::exit(2);
                });
                weft::suspend();
                weft::exit(1);
              });
            })),
            1);
  const std::exception_ptr error = error_of([] {
    weft::testing::run(
        [] {
          weft::spawn([] {
            const std::exception_ptr ignored = error_of([] { weft::delay(1h); });
            weft::exit(2);
          });
          weft::suspend();
          throw std::runtime_error{"cause"};
        },
        quiet());
  });
  EXPECT_EQ(text(error), "cause");
}

// R-SHU-5: after a plain shutdown() the process still gets the code.
TEST(Exit, MayFollowAShutdown) {
  EXPECT_EQ(code_of_exit(error_of([] {
              weft::testing::run([] {
                weft::shutdown();
                weft::exit(9);
              });
            })),
            9);
}

// R-SHU-5, R-MT-9
TEST(Exit, ComesBackWhereNothingCanBeThrown) {
  Log log;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run([&] {
      weft::post_microtask([&] {
        weft::exit(8);
        log.emplace_back("microtask");
      });
      weft::delay(1h);
    });
  });
  EXPECT_EQ(log, (Log{"microtask"}));
  EXPECT_EQ(code_of_exit(error), 8);
}

// R-CAN-10
TEST(Exit, EndsAProtectedSection) {
  Log log;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run([&] {
      weft::spawn([&] {
        weft::protect([&] {
          weft::exit(2);
          log.emplace_back("came back");
        });
      });
    });
  });
  EXPECT_EQ(log, Log{});
  EXPECT_EQ(code_of_exit(error), 2);
}

// R-SHU-5
TEST(Exit, OutsideARuntimeIsAMisuse) {
  EXPECT_TRUE(is<weft::MisuseError>(error_of([] { weft::exit(1); })));
}

// R-SHU-5
TEST(ExitDeathTest, StdExitUnderLivingCoroutinesIsReported) {
  if (WEFT_ASAN) GTEST_SKIP() << "what std::exit() leaves behind is a leak to the sanitizer";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(weft::run([] {
                weft::spawn([] { std::exit(3); });
                weft::delay(1h);
              }),
              ExitedWithCode(3), "std::exit\\(\\) was called inside a runtime: 2 coroutines");
  EXPECT_EXIT(weft::run([] { std::exit(4); }), ExitedWithCode(4), Not(HasSubstr("std::exit")));
}

}  // namespace
