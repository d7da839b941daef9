#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <thread>

#include <gtest/gtest.h>
#include <uv.h>

#include "base/current.hpp"
#include "descriptors.hpp"
#include "reactor/reactor.hpp"
#include "reactor/uv_handle.hpp"
#include "temporary.hpp"
#include "weft/extend/clock.hpp"
#include "weft/timer.hpp"

// Polls of the reactor serve every kind of libuv handle, and every kind ends a sleep of the
// reactor.

namespace {

using namespace std::chrono_literals;
using weft::never;
using weft::Reactor;
using weft::UvHandle;
using weft::Wait;

class RealTimeLibuvHandles : public ::testing::Test {
 protected:
  RealTimeLibuvHandles() {
    weft::current_thread.reactor = &reactor_;
    reactor_.background_op_begins();  // something in the loop may wake a coroutine
    reactor_.hold_time();
    poll_without_waiting();
  }
  ~RealTimeLibuvHandles() override {
    reactor_.release_time();
    reactor_.background_op_ends();
    weft::current_thread.reactor = nullptr;
  }

  /// `init` is uv_<kind>_init, or a function that calls it with further arguments.
  template <class Handle, class Init>
  Handle* open(UvHandle<Handle>& handle, Init init) {
    handle.open(
        [&](Handle* made) {
          made->data = &calls_;
          return init(&reactor_.loop(), made);
        },
        "a handle");
    return handle.get();
  }
  template <class Handle>
  static void count_call(Handle* handle) {
    ++*static_cast<std::atomic<int>*>(handle->data);
  }
  /// Polls until a handle was notified. If none is, the time limit of the test ends this.
  void sleep_until_called() {
    while (calls_ == 0) reactor_.poll(Wait::yes, never);
  }
  void poll_without_waiting() { reactor_.poll(Wait::no, never); }

  weft::Clock& clock_ = weft::Clock::real();
  Reactor reactor_{clock_, nullptr};
  uv_loop_t& loop_ = reactor_.loop();
  std::atomic<int> calls_{0};
};

// R-REA-9
TEST_F(RealTimeLibuvHandles, ALookupEndsASleep) {
  uv_getaddrinfo_t request{};
  request.data = &calls_;
  uv_getaddrinfo(
      &loop_, &request,
      [](uv_getaddrinfo_t* done, int, addrinfo* found) {
        uv_freeaddrinfo(found);
        count_call(done);
      },
      "127.0.0.1", nullptr, nullptr);
  sleep_until_called();
}

// R-REA-9
TEST_F(RealTimeLibuvHandles, WorkOnAFileEndsASleep) {
  uv_fs_t request{};
  request.data = &calls_;
  uv_fs_stat(&loop_, &request, "/", [](uv_fs_t* done) {
    uv_fs_req_cleanup(done);
    count_call(done);
  });
  sleep_until_called();
}

// R-REA-9
TEST_F(RealTimeLibuvHandles, AWatchOfADirectoryEndsASleep) {
  const weft_test::TemporaryDirectory directory;
  UvHandle<uv_fs_event_t> watch;
  uv_fs_event_start(
      open(watch, uv_fs_event_init), [](uv_fs_event_t* h, const char*, int, int) { count_call(h); },
      (directory / ".").c_str(), 0);
  poll_without_waiting();
  EXPECT_EQ(calls_, 0);
  std::fclose(std::fopen((directory / "new").c_str(), "w"));
  sleep_until_called();
}

// R-REA-9
TEST_F(RealTimeLibuvHandles, ADescriptorEndsASleep) {
  const weft_test::Ends ends = weft_test::Ends::pipe();
  UvHandle<uv_poll_t> poll;
  open(poll,
       [&](uv_loop_t* loop, uv_poll_t* made) { return uv_poll_init(loop, made, ends.here.get()); });
  uv_poll_start(poll.get(), UV_READABLE, [](uv_poll_t* h, int, int) { count_call(h); });
  poll_without_waiting();
  EXPECT_EQ(calls_, 0);
  weft_test::put(ends.there.get(), "x");
  sleep_until_called();
  // Polls of libuv are level-triggered.
  poll_without_waiting();
  EXPECT_EQ(calls_, 2);
}

// R-REA-9: a handle that libuv has not yet registered with the kernel ends a sleep.
TEST_F(RealTimeLibuvHandles, ADescriptorThatIsReadyAlreadyEndsASleep) {
  const weft_test::Ends ends = weft_test::Ends::pipe();
  weft_test::put(ends.there.get(), "x");
  UvHandle<uv_poll_t> poll;
  open(poll,
       [&](uv_loop_t* loop, uv_poll_t* made) { return uv_poll_init(loop, made, ends.here.get()); });
  uv_poll_start(poll.get(), UV_READABLE, [](uv_poll_t* h, int, int) { count_call(h); });
  sleep_until_called();
}

// R-REA-9
TEST_F(RealTimeLibuvHandles, ASignalEndsASleep) {
  UvHandle<uv_signal_t> signal;
  uv_signal_start(
      open(signal, uv_signal_init), [](uv_signal_t* h, int) { count_call(h); }, SIGUSR2);
  poll_without_waiting();
  ::raise(SIGUSR2);
  sleep_until_called();
}

// R-REA-9
TEST_F(RealTimeLibuvHandles, TheEndOfAChildEndsASleep) {
  UvHandle<uv_process_t> child;
  std::array<char, 8> name{"true"};
  std::array<char*, 2> arguments{name.data(), nullptr};
  uv_process_options_t options{};
  options.file = name.data();
  options.args = arguments.data();
  options.exit_cb = [](uv_process_t* h, std::int64_t, int) { count_call(h); };
  open(child, [&](uv_loop_t* loop, uv_process_t* made) { return uv_spawn(loop, made, &options); });
  sleep_until_called();
}

// R-REA-9
TEST_F(RealTimeLibuvHandles, AKnockOfAnotherThreadEndsASleep) {
  UvHandle<uv_async_t> knock;
  open(knock, [](uv_loop_t* loop, uv_async_t* made) {
    return uv_async_init(loop, made, [](uv_async_t* h) { count_call(h); });
  });
  for (int round = 1; round <= 3; ++round) {
    std::thread other{[&] { uv_async_send(knock.get()); }};
    while (calls_ < round) reactor_.poll(Wait::yes, never);
    other.join();
  }
}

// R-REA-9: libuv counts a timer from when it last looked at the clock.
TEST_F(RealTimeLibuvHandles, ATimerCountsFromItsStartThoughLibuvHasNotTurnedForLong) {
  UvHandle<uv_timer_t> timer;
  open(timer, uv_timer_init);
  poll_without_waiting();
  const weft_test::Ends ends = weft_test::Ends::sockets();
  reactor_.poll(Wait::yes, clock_.now() + 30ms);  // sleeps, and libuv does not turn
  const std::uint64_t start = uv_hrtime();
  uv_timer_start(
      timer.get(), [](uv_timer_t* h) { count_call(h); }, 20, 0);
  sleep_until_called();
  EXPECT_GE(uv_hrtime() - start, 18'000'000U);  // libuv counts whole milliseconds
}

// R-REA-9: bare libuv also runs a due timer before it sleeps.
TEST_F(RealTimeLibuvHandles, ATimerThatCameDueWhileTheProgramWasBusyIsNotSleptOver) {
  UvHandle<uv_timer_t> timer;
  open(timer, uv_timer_init);
  poll_without_waiting();
  uv_timer_start(
      timer.get(), [](uv_timer_t* h) { count_call(h); }, 2, 0);
  const std::uint64_t start = uv_hrtime();
  while (uv_hrtime() - start < 5'000'000U) {
  }
  reactor_.poll(Wait::yes, clock_.now() + 20ms);
  EXPECT_EQ(calls_, 1);
}

// R-REA-9: a loop with an idle handle does not sleep, and turns in every poll.
TEST_F(RealTimeLibuvHandles, IdleHandlesKeepThePollsAwake) {
  UvHandle<uv_idle_t> idle;
  UvHandle<uv_prepare_t> prepare;
  UvHandle<uv_check_t> check;
  uv_idle_start(open(idle, uv_idle_init), [](uv_idle_t* h) { count_call(h); });
  uv_prepare_start(open(prepare, uv_prepare_init), [](uv_prepare_t* h) { count_call(h); });
  uv_check_start(open(check, uv_check_init), [](uv_check_t* h) { count_call(h); });
  for (int turn = 1; turn <= 3; ++turn) {
    reactor_.poll(Wait::yes, never);
    EXPECT_EQ(calls_, 3 * turn);
  }
}

// R-REA-9: prepare and check handles run in each turn of libuv.
TEST_F(RealTimeLibuvHandles, PrepareAndCheckHandlesRunWhenLibuvTurns) {
  UvHandle<uv_prepare_t> prepare;
  UvHandle<uv_check_t> check;
  UvHandle<uv_async_t> knock;
  open(knock, [](uv_loop_t* loop, uv_async_t* made) {
    return uv_async_init(loop, made, [](uv_async_t*) {});
  });
  uv_prepare_start(open(prepare, uv_prepare_init), [](uv_prepare_t* h) { count_call(h); });
  uv_check_start(open(check, uv_check_init), [](uv_check_t* h) { count_call(h); });
  uv_async_send(knock.get());
  reactor_.poll(Wait::yes, never);
  EXPECT_EQ(calls_, 2);
}

// R-REA-9
TEST_F(RealTimeLibuvHandles, AHandleThatClosesIsNotSleptOver) {
  auto* const timer = new uv_timer_t;
  timer->data = &calls_;
  uv_timer_init(&loop_, timer);
  uv_close(reinterpret_cast<uv_handle_t*>(timer), [](uv_handle_t* closed) {
    count_call(closed);
    delete reinterpret_cast<uv_timer_t*>(closed);
  });
  reactor_.poll(Wait::yes, never);
  EXPECT_EQ(calls_, 1);
}

// R-REA-9: the next poll runs a loop that was stopped.
TEST_F(RealTimeLibuvHandles, AStoppedLoopGoesOn) {
  uv_stop(&loop_);
  reactor_.poll(Wait::yes, never);
  uv_fs_t request{};
  request.data = &calls_;
  uv_fs_stat(&loop_, &request, "/", [](uv_fs_t* done) {
    uv_fs_req_cleanup(done);
    uv_stop(done->loop);
    count_call(done);
  });
  sleep_until_called();
  EXPECT_EQ(calls_, 1);
}

// R-REA-9: a host sleeps on the descriptor instead.
TEST_F(RealTimeLibuvHandles, AHostIsWokenByThem) {
  while (weft_test::is_readable(reactor_.descriptor(false, never), 0)) poll_without_waiting();
  uv_fs_t request{};
  request.data = &calls_;
  uv_fs_stat(&loop_, &request, "/", [](uv_fs_t* done) {
    uv_fs_req_cleanup(done);
    count_call(done);
  });
  while (calls_ == 0) {
    ASSERT_TRUE(weft_test::is_readable(reactor_.descriptor(false, never), 10'000));
    poll_without_waiting();
  }
  EXPECT_FALSE(weft_test::is_readable(reactor_.descriptor(false, never), 0));
}

// R-REA-9: a poll does the queued work of libuv even if only a timer is armed; otherwise a host
// would be woken again and again.
TEST(RealTimeLibuvHandle, ThatClosesBesideATimerKeepsNoHostBusy) {
  Reactor reactor{weft::Clock::real(), nullptr};
  weft::current_thread.reactor = &reactor;
  {
    weft::Timer timer{1h};
    timer.start();
    UvHandle<uv_timer_t> handle;
    handle.open([&](uv_timer_t* made) { return uv_timer_init(&reactor.loop(), made); }, "a timer");
    handle.close();
    static_cast<void>(reactor.descriptor(false, never));
    reactor.poll(Wait::no, never);
    EXPECT_FALSE(weft_test::is_readable(reactor.descriptor(false, never), 0));
    timer.stop();
  }
  weft::current_thread.reactor = nullptr;
}

}  // namespace
