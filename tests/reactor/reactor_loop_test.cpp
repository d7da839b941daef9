#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <uv.h>

#include "children.hpp"
#include "dispositions.hpp"
#include "process/process_table.hpp"
#include "reactor/reactor.hpp"
#include "reactor/uv_handle.hpp"
#include "signal/signal_table.hpp"
#include "temporary.hpp"
#include "weft/extend/clock.hpp"
#include "weft/extend/process_event.hpp"
#include "weft/testing.hpp"

namespace reactor_loop_test {

using namespace std::chrono_literals;
using weft::ProcessTable;
using weft::Reactor;
using weft::SignalTable;
using weft::Wait;

std::ptrdiff_t open_descriptors() {
  return std::distance(std::filesystem::directory_iterator{"/dev/fd"},
                       std::filesystem::directory_iterator{});
}

/// One operation of every kind that libuv offers, on the loop of a reactor.
class UvWork {
 public:
  explicit UvWork(uv_loop_t& loop) : loop_{loop} {
    async_.open(
        [&](uv_async_t* handle) {
          handle->data = this;
          return uv_async_init(&loop_, handle, [](uv_async_t* h) { of(h).note(async); });
        },
        "async");
    watch_.open(
        [&](uv_fs_event_t* handle) {
          handle->data = this;
          return uv_fs_event_init(&loop_, handle);
        },
        "watch");
    timer_.open(
        [&](uv_timer_t* handle) {
          handle->data = this;
          return uv_timer_init(&loop_, handle);
        },
        "timer");
    lookup_.data = file_.data = this;
  }

  enum What : unsigned { async = 1, watch = 2, timer = 4, lookup = 8, file = 16, all = 31 };

  /// Begins all operations, and changes the watched directory.
  void begin() {
    uv_async_send(async_.get());
    uv_fs_event_start(
        watch_.get(), [](uv_fs_event_t* h, const char*, int, int) { of(h).note(watch); },
        (directory_ / ".").c_str(), 0);
    std::fclose(std::fopen((directory_ / "new").c_str(), "w"));
    uv_timer_start(
        timer_.get(), [](uv_timer_t* h) { of(h).note(timer); }, 1, 0);
    uv_getaddrinfo(
        &loop_, &lookup_,
        [](uv_getaddrinfo_t* request, int, addrinfo* found) {
          uv_freeaddrinfo(found);
          static_cast<UvWork*>(request->data)->note(lookup);
        },
        "127.0.0.1", nullptr, nullptr);
    uv_fs_stat(&loop_, &file_, "/", [](uv_fs_t* request) {
      uv_fs_req_cleanup(request);
      static_cast<UvWork*>(request->data)->note(file);
    });
  }
  [[nodiscard]] unsigned done() const noexcept { return done_; }

 private:
  template <class Handle>
  static UvWork& of(Handle* handle) noexcept {
    return *static_cast<UvWork*>(handle->data);
  }
  void note(What what) noexcept { done_ |= what; }

  uv_loop_t& loop_;
  weft_test::TemporaryDirectory directory_;
  weft::UvHandle<uv_async_t> async_;
  weft::UvHandle<uv_fs_event_t> watch_;
  weft::UvHandle<uv_timer_t> timer_;
  uv_getaddrinfo_t lookup_{};
  uv_fs_t file_{};
  unsigned done_ = 0;
};

// R-REA-9, R-REA-1: only poll() turns the loop.
TEST(RealTimeReactorLoop, ServesLookupsFilesWatchesTimersAndAsyncsOfLibuvByItsOwnPoll) {
  weft::Clock& clock = weft::Clock::real();
  Reactor reactor{clock, nullptr};
  UvWork work{reactor.loop()};
  reactor.background_op_begins();  // something in the loop may wake a coroutine
  reactor.hold_time();
  work.begin();
  EXPECT_EQ(work.done(), 0U);
  const weft::TimePoint limit = clock.now() + 20s;
  while (work.done() != UvWork::all && clock.now() < limit) reactor.poll(Wait::yes, limit);
  EXPECT_EQ(work.done(), UvWork::all);
  reactor.release_time();
  reactor.background_op_ends();
}

// R-REA-9: a poll that must not wait serves libuv as well.
TEST(RealTimeReactorLoop, ServesThemWithoutWaiting) {
  weft::Clock& clock = weft::Clock::real();
  Reactor reactor{clock, nullptr};
  UvWork work{reactor.loop()};
  reactor.hold_time();
  work.begin();
  const weft::TimePoint limit = clock.now() + 20s;
  while (work.done() != UvWork::all && clock.now() < limit) {
    reactor.poll(Wait::no, weft::never);
  }
  EXPECT_EQ(work.done(), UvWork::all);
  EXPECT_EQ(reactor.waits(), 0U);
  reactor.release_time();
}

// R-REA-10: the loop is created when it is first needed.
TEST(ReactorLoop, IsMadeWhenTheFirstThingNeedsIt) {
  weft::testing::VirtualClock clock;
  { Reactor{clock, nullptr}.loop(); }  // libuv opens what it shares between loops, once
  const auto before = open_descriptors();
  {
    Reactor reactor{clock, nullptr};
    reactor.open();
    EXPECT_EQ(reactor.ticks() + reactor.waits(), 0U);
    EXPECT_FALSE(reactor.poll(Wait::no, weft::never));
    EXPECT_EQ(reactor.ticks(), 1U);
    EXPECT_EQ(reactor.active_events(), 0U);
    EXPECT_EQ(reactor.hidden_events(), 0U);
    EXPECT_TRUE(reactor.timers().empty());
    EXPECT_EQ(open_descriptors(), before) << "no loop up to here";
    uv_loop_t* first = &reactor.loop();
    EXPECT_GT(open_descriptors(), before);
    EXPECT_EQ(first, &reactor.loop()) << "one loop, for the reactor's life";
    Reactor other{clock, nullptr};
    EXPECT_NE(first, &other.loop());
  }
  EXPECT_EQ(open_descriptors(), before);
}

// R-REA-10: there is one table of native handlers in the process, and a table of signal events in
// each reactor.
TEST(ReactorState, HasATableOfSignalEventsAndSharesTheOneOfHandlers) {
  weft::testing::VirtualClock clock;
  Reactor one{clock, nullptr};
  Reactor two{clock, nullptr};
  EXPECT_EQ(&SignalTable::of(one), &SignalTable::of(one));
  EXPECT_NE(&SignalTable::of(one), &SignalTable::of(two));
  ASSERT_TRUE(weft_test::has_default_action(SIGUSR2));
  SignalTable::of(one).add_user(SIGUSR2);
  const struct sigaction installed = weft_test::disposition(SIGUSR2);
  EXPECT_NE(installed.sa_flags & SA_SIGINFO, 0);
  SignalTable::of(two).add_user(SIGUSR2);
  EXPECT_EQ(weft_test::disposition(SIGUSR2).sa_sigaction, installed.sa_sigaction);
  SignalTable::of(one).remove_user(SIGUSR2);
  EXPECT_EQ(weft_test::disposition(SIGUSR2).sa_sigaction, installed.sa_sigaction)
      << "the other reactor still uses the handler";
  SignalTable::of(two).remove_user(SIGUSR2);
  EXPECT_TRUE(weft_test::has_default_action(SIGUSR2));
}

// R-REA-10
TEST(ReactorState, HasATableOfProcessEventsWithOneForEachId) {
  weft::testing::VirtualClock clock;
  Reactor one{clock, nullptr};
  Reactor two{clock, nullptr};
  EXPECT_EQ(&ProcessTable::of(one), &ProcessTable::of(one));
  EXPECT_NE(&ProcessTable::of(one), &ProcessTable::of(two));
  weft_test::HeldChild child{0};
  weft_test::HeldChild sibling{0};
  const auto event = ProcessTable::of(one).find_or_make(child.pid());
  EXPECT_EQ(ProcessTable::of(one).find_or_make(child.pid()).get(), event.get());
  EXPECT_NE(ProcessTable::of(one).find_or_make(sibling.pid()).get(), event.get());
  EXPECT_NE(ProcessTable::of(two).find_or_make(child.pid()).get(), event.get());
  // `sibling` was forked later and holds the pipe of `child`, too.
  for (weft_test::HeldChild* held : {&sibling, &child}) {
    held->release();
    weft_test::wait_until_dead(held->pid());
    ::waitpid(held->pid(), nullptr, 0);
  }
}

}  // namespace reactor_loop_test
