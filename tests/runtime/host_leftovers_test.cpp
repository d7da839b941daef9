#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

// After its Runtime, only objects that handles of the host refer to are left.
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using weft_test::collecting;
using weft_test::error_of;
using weft_test::text;

/// An error of a host that is counted while it lives.
class HostError : public std::runtime_error {
 public:
  HostError(const char* text, std::shared_ptr<int> host)
      : std::runtime_error{text}, host_{std::move(host)} {}

 private:
  std::shared_ptr<int> host_;
};

TEST(HostLeftovers, OfChainedErrorsAreNone) {
  auto host = std::make_shared<int>(0);
  std::vector<std::string> warnings;
  {
    weft::Runtime runtime{collecting(warnings)};
    for (const char* name : {"first", "second"}) {
      weft::leave_pending(std::make_exception_ptr(HostError{name, host}));
    }
    const std::exception_ptr error = error_of([&] { runtime.finish(); });
    EXPECT_EQ(text(error), "first");
    EXPECT_EQ(text(weft::previous(error)), "second");
  }
  EXPECT_EQ(host.use_count(), 1);
}

TEST(HostLeftovers, OfAnErrorThatNoTickHasThrownAreNone) {
  auto host = std::make_shared<int>(0);
  std::vector<std::string> warnings;
  {
    weft::Runtime runtime{collecting(warnings)};
    weft::leave_pending(std::make_exception_ptr(HostError{"unthrown", host}));
  }
  EXPECT_EQ(host.use_count(), 1);
}

// Warnings are given before the end of the Runtime, while the host can receive them.
TEST(HostLeftovers, OfFailuresThatWereNotReadAreReportedByTheRuntime) {
  std::vector<std::string> warnings;
  weft::Coroutine<void> unread;
  weft::Coroutine<void> read;
  {
    weft::Runtime runtime{collecting(warnings)};
    unread = runtime.spawn([] { throw std::runtime_error{"unread"}; });
    read = runtime.spawn([] { throw std::runtime_error{"read"}; });
    runtime.finish();
    EXPECT_EQ(text(error_of([&] { weft::await(read); })), "read");
    EXPECT_THAT(warnings, IsEmpty());
  }
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("unread")));
  EXPECT_EQ(text(unread.exception()), "unread");
  ::testing::internal::CaptureStderr();
  unread = {};
  read = {};
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(HostLeftovers, OfFailuresThatWereDroppedAfterTheEndAreReported) {
  std::vector<std::string> warnings;
  {
    weft::Runtime runtime{collecting(warnings)};
    auto dropped = runtime.spawn([] { throw std::runtime_error{"dropped"}; });
    runtime.finish();
    dropped = {};
  }
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("dropped")));
}

}  // namespace
