#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"

namespace {

using ::testing::HasSubstr;
using weft_test::error_of;
using weft_test::is;
using weft_test::quiet;
using weft_test::text;

void expect_misuse(const std::exception_ptr& error, const std::string& words) {
  EXPECT_TRUE(is<weft::MisuseError>(error)) << text(error);
  EXPECT_THAT(text(error), HasSubstr(words));
}

// R-ARCH-10: a runtime is driven only on the stack that has created it.
TEST(HostMisuse, DrivingTheRuntimeInACoroutineIsAClearError) {
  weft::Runtime runtime;
  int refused = 0;
  const auto drive = [&] {
    expect_misuse(error_of([&] { runtime.tick(); }), "inside a coroutine");
    expect_misuse(error_of([&] { runtime.finish(); }), "inside a coroutine");
    ++refused;
  };
  runtime.spawn(drive);
  runtime.tick();
  EXPECT_EQ(refused, 1);
  runtime.spawn(drive);  // this coroutine runs inside finish()
  runtime.finish();
  EXPECT_EQ(refused, 2);
}

TEST(HostMisuse, DrivingTheRuntimeInAMicrotaskIsAClearError) {
  weft::Runtime runtime;
  int refused = 0;
  weft::post_microtask([&] {
    expect_misuse(error_of([&] { runtime.tick(); }), "Scheduler context");
    expect_misuse(error_of([&] { runtime.finish(); }), "Scheduler context");
    ++refused;
  });
  runtime.tick();
  EXPECT_EQ(refused, 1);
}

TEST(HostMisuseThread, UsingTheRuntimeOfAnotherThreadIsAClearError) {
  weft::Runtime runtime;
  const auto use = [&] {
    expect_misuse(error_of([&] { runtime.tick(); }), "thread");
    expect_misuse(error_of([&] { runtime.finish(); }), "thread");
    expect_misuse(error_of([&] { static_cast<void>(runtime.descriptor()); }), "thread");
    expect_misuse(error_of([&] { runtime.spawn([] {}); }), "thread");
  };
  std::thread{use}.join();
  std::thread{[&] { weft::testing::run(use); }}.join();  // also in a thread that has a runtime
  EXPECT_EQ(weft::stats().coroutines, 1U);
  runtime.finish();
}

}  // namespace
