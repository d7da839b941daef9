#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using weft_test::collecting;
using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::quiet;
using weft_test::text;

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& one : texts) all += one + "\n";
  return all;
}

std::size_t occurrences(const std::string& what, const std::string& where) {
  std::size_t count = 0;
  for (std::size_t at = where.find(what); at != std::string::npos; at = where.find(what, at + 1)) {
    ++count;
  }
  return count;
}

// R-DLK-4
TEST(DeadlockReport, NamesEveryWaiterAndWhatItWaitsFor) {
  std::vector<std::string> warnings;
  std::string waiter_line;
  std::string main_line;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          Doorbell bell;
          auto waiter = weft::spawn({.name = "consumer"}, [&] { weft::await(bell); });
          weft::testing::settle();
          waiter_line = waiter.info();
          main_line = "Coroutine " + std::to_string(weft::current().id()) + ", suspended at ";
          weft::await(waiter);
        },
        collecting(warnings));
  });
  ASSERT_TRUE(is<weft::DeadlockError>(error)) << text(error);
  const std::string report = joined(warnings);
  EXPECT_THAT(waiter_line, HasSubstr("consumer"));
  // Once as a waiting coroutine, once as the event that main waits for.
  EXPECT_EQ(occurrences(waiter_line, report), 2U) << report;
  EXPECT_THAT(report, HasSubstr(main_line));
  EXPECT_EQ(occurrences("Doorbell", report), 1U) << report;
  EXPECT_THAT(report, HasSubstr("deadlock_report_test.cpp:"));
}

// R-DLK-4
TEST(DeadlockReport, ListsEveryEventOfOneWait) {
  std::vector<std::string> warnings;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          Doorbell bell;
          weft::Trigger token;
          token.set_hidden(true);  // an active trigger could still fire
          weft::await(bell, token);
        },
        collecting(warnings));
  });
  ASSERT_TRUE(is<weft::DeadlockError>(error)) << text(error);
  const std::string report = joined(warnings);
  EXPECT_THAT(report, HasSubstr("Doorbell"));
  EXPECT_THAT(report, HasSubstr("Trigger"));
}

// R-DLK-4
TEST(DeadlockReport, GivesTheNumbersOfWaitersAndOfActiveEvents) {
  std::vector<std::string> warnings;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          Doorbell bell;
          auto waiter = weft::spawn([&] { weft::await(bell); });
          weft::await(waiter);
        },
        collecting(warnings));
  });
  ASSERT_TRUE(is<weft::DeadlockError>(error)) << text(error);
  const std::string report = joined(warnings);
  const std::string head = report.substr(0, report.find('\n'));
  EXPECT_THAT(head, HasSubstr("2"));
  EXPECT_THAT(head, HasSubstr("0"));
}

// R-DLK-4
TEST(DeadlockReport, CanBeSwitchedOff) {
  std::vector<std::string> warnings;
  weft::Options options = collecting(warnings);
  options.deadlock_report = false;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [] {
          Doorbell bell;
          weft::await(bell);
        },
        std::move(options));
  });
  EXPECT_TRUE(is<weft::DeadlockError>(error)) << text(error);
  EXPECT_THAT(warnings, IsEmpty());
}

// R-DLK-6, R-CAN-9
TEST(DeadlockResolution, CancelsEveryWaiter) {
  Log log;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          Doorbell bell;
          auto waiter =
              weft::spawn([&] { log.push_back(text(error_of([&] { weft::await(bell); }))); });
          log.push_back(text(error_of([&] { weft::await(waiter); })));
        },
        quiet());
  });
  EXPECT_TRUE(is<weft::DeadlockError>(error)) << text(error);
  EXPECT_EQ(log, (Log{"cancelled: Deadlock detected", "cancelled: Deadlock detected"}));
}

// R-DLK-6, R-CAN-13
TEST(DeadlockResolution, LiftsProtection) {
  Log log;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          Doorbell bell;
          weft::protect([&] {
            weft::protect([&] { log.push_back(text(error_of([&] { weft::await(bell); }))); });
          });
          log.emplace_back("went on");
        },
        quiet());
  });
  EXPECT_TRUE(is<weft::DeadlockError>(error)) << text(error);
  EXPECT_EQ(log, (Log{"cancelled: Deadlock detected", "went on"}));
}

// R-DLK-7
TEST(DeadlockResolution, LetsTheCancelledCleanUpAndSuspendButStaysTerminal) {
  Log log;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          Doorbell bell;
          try {
            weft::await(bell);
          } catch (const weft::Cancelled&) {
            weft::suspend();
            weft::delay(5ms);
            log.emplace_back("cleaned up");
          }
          weft::delay(5ms);
          log.emplace_back("went on");
        },
        quiet());
  });
  EXPECT_EQ(log, (Log{"cleaned up", "went on"}));
  EXPECT_TRUE(is<weft::DeadlockError>(error)) << text(error);
}

// R-DLK-7
TEST(DeadlockResolution, EndsAlsoWhenTheCleanUpWaitsForEverAgain) {
  Log log;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          Doorbell bell;
          log.push_back(text(error_of([&] { weft::await(bell); })));
          log.push_back(text(error_of([&] { weft::await(bell); })));
        },
        quiet());
  });
  EXPECT_EQ(log, (Log{"cancelled: Deadlock detected", "cancelled: Deadlock detected"}));
  EXPECT_TRUE(is<weft::DeadlockError>(error)) << text(error);
}

// R-DLK-5
TEST(DeadlockResolution, KeepsAnEarlierExitErrorAsThePreviousOne) {
  Log log;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [&] {
          weft::spawn([] { throw std::runtime_error{"first cause"}; });
          Doorbell bell;
          log.push_back(text(error_of([&] { weft::await(bell); })));
          log.push_back(text(error_of([&] { weft::await(bell); })));
        },
        quiet());
  });
  EXPECT_EQ(log, (Log{"cancelled: Graceful shutdown", "cancelled: Deadlock detected"}));
  ASSERT_TRUE(is<weft::DeadlockError>(error)) << text(error);
  EXPECT_EQ(text(weft::previous(error)), "first cause");
}

/// An event of a program that cannot describe itself.
class Speechless final : public weft::Event {
 public:
  [[nodiscard]] std::string info() const override { throw std::logic_error{"no words"}; }
};

// R-DLK-5: if a description throws, only its line is missing.
TEST(DeadlockReport, SurvivesAnEventThatCannotDescribeItself) {
  std::vector<std::string> warnings;
  const std::exception_ptr error = error_of([&] {
    weft::testing::run(
        [] {
          Speechless event;
          EXPECT_THAT(weft::dump(), HasSubstr("1 coroutines"));
          auto other = weft::spawn([] {
            Doorbell bell;
            weft::await(bell);
          });
          weft::await(event);
        },
        collecting(warnings));
  });
  EXPECT_TRUE(is<weft::DeadlockError>(error)) << text(error);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_THAT(warnings[0], HasSubstr("info() failed: no words"));
  EXPECT_THAT(warnings[0], HasSubstr("waits for Doorbell"));
}

}  // namespace
