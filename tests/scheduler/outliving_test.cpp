#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::collecting;

TEST(Outliving, AnUnreadFailureDoesNotHarmTheNextRuntime) {
  weft::Coroutine<void> failed;
  weft::testing::run([&] { failed = weft::spawn([] { throw std::runtime_error{"first"}; }); });
  std::vector<std::string> warnings;
  weft::testing::run(
      [&] {
        failed = {};
        weft::delay(1ms);
      },
      collecting(warnings));
  EXPECT_EQ(warnings.size(), 1U);  // a warning only: the program goes on
}

TEST(Outliving, AResultCanBeReadAfterTheRuntime) {
  weft::Coroutine<std::string> kept;
  weft::testing::run([&] { kept = weft::spawn([] { return std::string{"tea"}; }); });
  EXPECT_EQ(kept.result().value(), "tea");
  kept.cancel();  // has no effect and throws nothing
}

/// Suspends while it is destroyed, as leases and streams do.
class Slow {
 public:
  explicit Slow(int& ended) : ended_{&ended} {}
  Slow(Slow&& other) noexcept : ended_{std::exchange(other.ended_, nullptr)} {}
  Slow(const Slow&) = delete;
  Slow& operator=(const Slow&) = delete;
  Slow& operator=(Slow&&) = delete;
  ~Slow() {
    if (ended_ == nullptr) return;
    weft::delay(1ms);
    ++*ended_;
  }

 private:
  int* ended_;
};

TEST(SlowDestructor, OfACaptureMaySuspendThoughTheBodyNeverRan) {
  int ended = 0;
  bool ran = false;
  weft::testing::run([&] {
    auto coroutine = weft::spawn([&ran, slow = Slow{ended}] { ran = true; });
    coroutine.cancel();
    EXPECT_THROW(weft::await(coroutine), weft::Cancelled);
    EXPECT_FALSE(coroutine.is_started());
  });
  EXPECT_EQ(ended, 1);
  EXPECT_FALSE(ran);
}

TEST(SlowDestructor, OfACaptureIsNotInterruptedByAPendingCancellation) {
  int ended = 0;
  weft::testing::run([&] {
    auto coroutine = weft::spawn([slow = Slow{ended}] { weft::current().cancel(); });
    EXPECT_THROW(weft::await(coroutine), weft::Cancelled);
  });
  EXPECT_EQ(ended, 1);
}

TEST(SlowDestructor, MayProtectWhileItUnwinds) {
  struct Rollback {
    ~Rollback() {
      weft::protect([] { weft::delay(5ms); });
    }
  };
  weft::testing::run([] {
    auto coroutine = weft::spawn([] {
      const Rollback rollback;
      weft::delay(1h);
    });
    weft::delay(1ms);
    coroutine.cancel();
    weft::delay(1ms);
    coroutine.cancel("again");  // while the destructor suspends
    EXPECT_THROW(weft::await(coroutine), weft::Cancelled);
  });
}

TEST(SpawnedBody, KeepsTheAlignmentItAsksFor) {
  struct alignas(64) Wide {
    std::array<char, 320> bytes{};
  };
  weft::testing::run([] {
    const Wide wide;
    auto coroutine =
        weft::spawn([wide] { return reinterpret_cast<std::uintptr_t>(wide.bytes.data()) % 64; });
    EXPECT_EQ(weft::await(coroutine), 0U);
  });
}

TEST(ErrorChain, DoesNotMeetItself) {
  const auto first = std::make_exception_ptr(std::runtime_error{"first"});
  const auto second = std::make_exception_ptr(std::runtime_error{"second"});
  weft::Options options;
  options.on_warning = [](std::string_view) {};
  EXPECT_THROW(weft::testing::run(
                   [&] {
                     for (const auto& error : {first, second, first, second}) {
                       weft::spawn([error] {
                         try {
                           weft::delay(1h);
                         } catch (const weft::Cancelled&) {
                           std::rethrow_exception(error);
                         }
                       });
                     }
                     weft::delay(1ms);
                     std::rethrow_exception(first);
                   },
                   options),
               std::runtime_error);
  int length = 0;
  for (std::exception_ptr error = first; error != nullptr; error = weft::previous(error)) ++length;
  EXPECT_LE(length, 2);
}

// R-SWH-5
TEST(LeaveHandler, MayDecideTheWaitThatItSees) {
  weft::testing::run([] {
    auto coroutine = weft::spawn([] {
      weft::current().add_switch_handler([](const weft::AnyCoroutine& me, weft::Switch what) {
        if (what == weft::Switch::leave) me.cancel();
        return what != weft::Switch::leave;
      });
      weft::delay(1h);
    });
    EXPECT_THROW(weft::await(coroutine), weft::Cancelled);
  });
}

}  // namespace
