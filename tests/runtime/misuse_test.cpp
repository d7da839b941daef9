#include <memory>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"
#include "weft/extend/embed.hpp"

namespace misuse_test {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using weft_test::Call;
using weft_test::Doorbell;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::quiet;
using weft_test::text;

/// Expects a MisuseError with these words in its text.
void expect_misuse(const std::exception_ptr& error, const std::string& words = {}) {
  EXPECT_TRUE(is<weft::MisuseError>(error)) << text(error);
  EXPECT_THAT(text(error), HasSubstr(words));
}

void expect_refused_without_a_runtime() {
  Doorbell bell;
  expect_misuse(error_of([&] { weft::await(bell); }), "run");
  expect_misuse(error_of([] { weft::spawn([] {}); }), "run");
  expect_misuse(error_of([] { weft::suspend(); }), "run");
  expect_misuse(error_of([] { weft::delay(1ms); }), "run");
  expect_misuse(error_of([] { weft::delay_until(weft::now()); }), "run");
  expect_misuse(error_of([] { static_cast<void>(weft::current()); }), "run");
  expect_misuse(error_of([] { weft::post_microtask([] {}); }), "run");
  expect_misuse(error_of([] {
                  weft::Timer timer{1ms};
                  timer.start();
                }),
                "run");
  EXPECT_EQ(bell.subscribers(), 0U);
}

// R-SUS-11: every way to suspend or to spawn needs a runtime.
TEST(Misuse, OutsideARuntimeIsAClearError) {
  std::thread{expect_refused_without_a_runtime}.join();  // this thread never had one
}

// R-SHU-6
TEST(Misuse, AfterTheRuntimeHasEndedIsAClearError) {
  weft::testing::run([] {});
  expect_refused_without_a_runtime();
}

// R-SHU-6
TEST(Misuse, OfAHandleAfterTheRuntimeIsHarmless) {
  weft::Coroutine<int> done;
  weft::AnyCoroutine main;
  weft::testing::run([&] {
    done = weft::spawn([] { return 5; });
    main = weft::current();
  });
  done.cancel();
  main.cancel();
  EXPECT_EQ(weft::await(done), 5);
  EXPECT_TRUE(main.is_completed());
  EXPECT_FALSE(main.info().empty());
  expect_misuse(error_of([&] { weft::resume(done.base()); }));
}

// R-MT-9, R-SUS-11
TEST(Misuse, SuspendingInAMicrotaskIsAClearError) {
  Log log;
  weft::testing::run([&] {
    Doorbell bell;
    const auto note = [&](const std::exception_ptr& error) {
      expect_misuse(error);
      log.push_back(text(error));
    };
    auto unfinished = weft::spawn([] { weft::delay(1ms); });
    weft::post_microtask([&] {
      note(error_of([] { weft::suspend(); }));
      note(error_of([] { weft::delay(1ms); }));
      note(error_of([&] { weft::await(bell); }));
      note(error_of([&] { weft::await(unfinished); }));
    });
    weft::suspend();
    EXPECT_EQ(bell.subscribers(), 0U);
    weft::await(unfinished);
  });
  ASSERT_EQ(log.size(), 4U);
  for (const std::string& one : log) {
    EXPECT_THAT(one, HasSubstr("A coroutine cannot be stopped from the Scheduler context"));
  }
}

// R-SUS-11
TEST(Misuse, SuspendingInACallbackIsAClearError) {
  int calls = 0;
  weft::testing::run([&] {
    weft::Timer timer{1ms};
    auto callback = weft::make_ref<Call>([&](weft::Event&, const weft::Outcome&) {
      ++calls;
      expect_misuse(error_of([] { weft::delay(1ms); }));
    });
    timer.add_callback(*callback);
    timer.start();
    weft::delay(5ms);
    timer.remove_callback(*callback);
  });
  EXPECT_EQ(calls, 1);
}

// R-SUS-11, R-SWH-1
TEST(Misuse, SuspendingInASwitchHandlerIsAClearError) {
  int calls = 0;
  weft::testing::run([&] {
    auto handled = weft::spawn([] { weft::suspend(); });
    handled.add_switch_handler([&](weft::Switch) {
      ++calls;
      expect_misuse(error_of([] { weft::suspend(); }));
      return true;
    });
    weft::await(handled);
  });
  EXPECT_EQ(calls, 4);  // ENTER, LEAVE, ENTER, FINISH
}

// R-WAK-15
TEST(Misuse, ResumingARunningCoroutineIsAClearError) {
  weft::testing::run([] {
    const std::string words = "Cannot resume a coroutine that has not been suspended";
    expect_misuse(error_of([] { weft::resume(weft::current().base()); }), words);
    auto ended = weft::spawn([] {});
    weft::await(ended);
    expect_misuse(error_of([&] { weft::resume(ended.base()); }));
    weft::suspend();  // the run queue is unchanged
    EXPECT_EQ(weft::stats().queued, 0U);
  });
}

// R-ARCH-10
TEST(Misuse, ASecondRuntimeOnOneThreadIsRefused) {
  weft::testing::run([] {
    expect_misuse(error_of([] { weft::testing::run([] {}); }));
    expect_misuse(error_of([] { const weft::Runtime second; }));
    weft::await(weft::spawn([] { expect_misuse(error_of([] { weft::run([] {}); })); }));
    EXPECT_EQ(weft::stats().coroutines, 1U);  // the first runtime is unchanged
    weft::delay(1ms);
  });
  {
    weft::Runtime first;
    expect_misuse(error_of([] { const weft::Runtime second; }));
    expect_misuse(error_of([] { weft::run([] {}); }));
    first.finish();
  }
  EXPECT_EQ(weft::testing::run([] { return 5; }), 5);
}

// R-ARCH-10
TEST(Misuse, IsNotASecondRuntimeOnAnotherThread) {
  int inner = 0;
  weft::testing::run([&] {
    std::thread{[&] {
      inner = weft::testing::run([] { return weft::await(weft::spawn([] { return 5; })); });
    }}.join();
    weft::delay(1ms);
  });
  EXPECT_EQ(inner, 5);
}

// R-LIFE-7
TEST(Misuse, PreparingAWaitForAClosedEventIsAClearError) {
  weft::testing::run([] {
    Doorbell bell;
    bell.ring_and_close();
    weft::Waker& waker = weft::current().base().waker().renew();
    expect_misuse(error_of([&] { waker.resume_when(bell); }),
                  "The event cannot be used after it has been terminated");
    EXPECT_TRUE(waker.empty());
  });
}

// R-COR-10: an await of a result that was moved out throws.
TEST(Misuse, TakingAMoveOnlyResultTwiceIsAClearError) {
  weft::testing::run([] {
    auto maker = weft::spawn([] { return std::make_unique<int>(5); });
    EXPECT_EQ(*weft::await(maker), 5);
    expect_misuse(error_of([&] { weft::await(maker); }));
  });
}

// R-EXC-6: a MisuseError that is not caught is handled like any other error.
TEST(Misuse, UncaughtInAMicrotaskEndsTheProgramGracefully) {
  const std::exception_ptr error = error_of([] {
    weft::testing::run(
        [] {
          weft::post_microtask([] { weft::suspend(); });
          weft::delay(1h);
        },
        quiet());
  });
  expect_misuse(error, "Scheduler context");
}

}  // namespace misuse_test
