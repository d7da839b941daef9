#include <exception>
#include <stdexcept>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

namespace {

using weft_test::error_of;
using weft_test::Log;
using weft_test::text;
using namespace std::chrono_literals;

// R-SUS-7, R-EXC-10
TEST(SwitchedExceptionTest, KeepsTheExceptionBeingHandledAcrossASuspension) {
  weft::testing::run([] {
    auto other = weft::spawn([] {
      EXPECT_EQ(std::current_exception(), nullptr);
      EXPECT_EQ(text(error_of([] { throw std::runtime_error{"theirs"}; })), "theirs");
    });
    try {
      throw std::runtime_error{"ours"};
    } catch (const std::runtime_error&) {
      weft::await(other);
      EXPECT_EQ(text(std::current_exception()), "ours");
      EXPECT_EQ(text(error_of([] { throw; })), "ours");
    }
    EXPECT_EQ(std::current_exception(), nullptr);
  });
}

struct SuspendsInItsDestructor {
  Log& log;
  ~SuspendsInItsDestructor() {
    weft::suspend();
    log.push_back("main unwinds with " + std::to_string(std::uncaught_exceptions()));
  }
};

// R-SUS-7, R-EXC-10
TEST(SwitchedExceptionTest, KeepsAnExceptionInFlightAcrossASuspension) {
  Log log;
  weft::testing::run([&] {
    weft::spawn([&] { log.push_back("other sees " + std::to_string(std::uncaught_exceptions())); });
    log.push_back(text(error_of([&] {
      const SuspendsInItsDestructor guard{log};
      throw std::runtime_error{"in flight"};
    })));
  });
  EXPECT_EQ(log, (Log{"other sees 0", "main unwinds with 1", "in flight"}));
}

// R-SWI-13
TEST(SwitchedExceptionTest, ArrivesInTheContextThatAwaitsIt) {
  weft::testing::run([] {
    auto inner = weft::spawn([] { throw std::out_of_range{"from the inner context"}; });
    auto outer = weft::spawn([inner] { weft::await(inner); });
    EXPECT_EQ(text(error_of([&] { weft::await(outer); })), "from the inner context");
  });
}

// R-SWI-13, R-TICK-4
TEST(SwitchedExceptionTest, LeavesRunWhenNoHandlerTakesIt) {
  const std::exception_ptr error = error_of([] {
    weft::testing::run([] {
      weft::spawn([] {
        weft::delay(1ms);
        throw std::out_of_range{"not looked at"};
      });
      weft::delay(1h);
    });
  });
  EXPECT_TRUE(weft_test::is<std::out_of_range>(error));
  EXPECT_EQ(text(error), "not looked at");
}

}  // namespace
