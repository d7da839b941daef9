#include <exception>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"
#include "weft/extend/embed.hpp"
#include "weft/weft.hpp"

namespace waker_merge_test {

using namespace std::chrono_literals;
using weft_test::Doorbell;
using weft_test::Log;

std::exception_ptr error_of(const std::string& text) {
  return std::make_exception_ptr(std::runtime_error{text});
}

std::string text_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const weft::Cancelled& cancelled) {
    return cancelled.reason();
  } catch (const std::exception& other) {
    return other.what();
  }
}

/// "newest <- older <- oldest"
std::string chain(std::exception_ptr error) {
  std::string text;
  for (; error != nullptr; error = weft::previous(error)) {
    if (!text.empty()) text += " <- ";
    text += text_of(error);
  }
  return text;
}

/// Parks a coroutine on a bell, lets `deliver` wake and cancel it several times before it can run,
/// and returns what it caught.
template <class F>
std::string caught_after(F deliver) {
  std::string caught = "nothing";
  weft::testing::run([&] {
    Doorbell bell;
    auto victim = weft::spawn([&] {
      try {
        weft::await(bell);
      } catch (...) {
        caught = chain(std::current_exception());
      }
    });
    weft::testing::settle();
    deliver(bell, victim);
    try {
      weft::await(victim);
    } catch (const weft::Cancelled&) {
      // Part of the scenario; the test checks what the victim has caught.
    }
  });
  return caught;
}

// R-WAK-14
TEST(WakerMerge, AFirstErrorIsStored) {
  EXPECT_EQ(caught_after([](Doorbell& bell, auto&) { bell.ring(weft::Outcome{error_of("one")}); }),
            "one");
  EXPECT_EQ(caught_after([](Doorbell& bell, auto& victim) {
              bell.ring();
              weft::resume(victim.base(), error_of("after a value"));
            }),
            "after a value");
}

// R-WAK-14, R-EXC-9
TEST(WakerMerge, ASecondErrorBecomesCurrentWithTheFirstAsItsPrevious) {
  EXPECT_EQ(caught_after([](Doorbell&, auto& victim) {
              weft::resume(victim.base(), error_of("one"));
              weft::resume(victim.base(), error_of("two"));
            }),
            "two <- one");
}

// R-WAK-14
TEST(WakerMerge, KeepsTheWholeChain) {
  EXPECT_EQ(caught_after([](Doorbell& bell, auto& victim) {
              bell.ring(weft::Outcome{error_of("one")});
              weft::resume(victim.base(), error_of("two"));
              weft::resume(victim.base(), error_of("three"));
            }),
            "three <- two <- one");
}

// R-WAK-14, R-CAN-8
TEST(WakerMerge, ASecondCancellationIsDropped) {
  EXPECT_EQ(caught_after([](Doorbell&, auto& victim) {
              victim.cancel("first");
              victim.cancel("second");
            }),
            "first");
}

// R-WAK-14, R-CAN-6
TEST(WakerMerge, ACancellationWinsOverAnErrorThatWaitsToBeThrown) {
  EXPECT_EQ(caught_after([](Doorbell& bell, auto& victim) {
              bell.ring(weft::Outcome{error_of("one")});
              victim.cancel("stop");
            }),
            "stop <- one");
}

// R-WAK-14
TEST(WakerMerge, AnErrorAfterACancellationKeepsItAsItsPrevious) {
  EXPECT_EQ(caught_after([](Doorbell&, auto& victim) {
              victim.cancel("stop");
              weft::resume(victim.base(), error_of("two"));
            }),
            "two <- stop");
}

// R-WAK-5: an error that arrives before the body starts is the outcome.
TEST(WakerMerge, EndsWithTheErrorThatCameBeforeItsStart) {
  weft::testing::run([] {
    auto target = weft::spawn([] { ADD_FAILURE() << "it never runs"; });
    weft::resume(target.base(), error_of("too early"));
    EXPECT_EQ(weft_test::text(weft_test::error_of([&] { weft::await(target); })), "too early");
    EXPECT_FALSE(target.is_cancelled());
  });
}

}  // namespace waker_merge_test
