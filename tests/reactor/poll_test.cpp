#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/current.hpp"
#include "descriptors.hpp"
#include "failures.hpp"
#include "reactor/descriptor.hpp"
#include "reactor/reactor.hpp"
#include "support.hpp"
#include "weft/extend/embed.hpp"
#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;
using weft::Poll;
using weft_test::Call;
using weft_test::Ends;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::put;
using weft_test::text;

unsigned armed(int descriptor) {
  const weft::Descriptor* known = weft::current_thread.reactor->descriptors().find(descriptor);
  return known != nullptr ? known->armed() : 0;
}

// R-POLL-1
TEST(PollTest, ReportsWhatIsReady) {
  weft::testing::run([] {
    const Ends ends = Ends::sockets();
    EXPECT_EQ(weft::await(weft::poll(ends.here.get(), Poll::writable)), Poll::writable);
    put(ends.there.get(), "x");
    EXPECT_EQ(weft::await(weft::poll(ends.here.get(), Poll::readable)), Poll::readable);
    Poll both{ends.here.get(), Poll::readable | Poll::writable};
    EXPECT_EQ(both.triggered(), 0U);
    EXPECT_EQ(weft::await(both), Poll::readable | Poll::writable);
    EXPECT_EQ(both.triggered(), Poll::readable | Poll::writable);
  });
}

// R-POLL-1
TEST(PollTest, ReportsTheEndOfThePeerAndUrgentData) {
  weft::testing::run([] {
    Ends ends = Ends::tcp();
    ::send(ends.there.get(), "!", 1, MSG_OOB);
    EXPECT_EQ(weft::await(weft::poll(ends.here.get(), Poll::prioritized)), Poll::prioritized);
    ends.there.reset();
    EXPECT_EQ(weft::await(weft::poll(ends.here.get(), Poll::disconnect)), Poll::disconnect);
  });
}

TEST(PollTest, RefusesWhatMakesNoSense) {
  EXPECT_TRUE(is<weft::ValueError>(error_of([] { Poll none{0, 0}; })));
  EXPECT_TRUE(is<weft::ValueError>(error_of([] { Poll none{0, 16}; })));
  EXPECT_TRUE(is<weft::ValueError>(error_of([] { Poll none{-1, Poll::readable}; })));
}

// R-KIND-4
TEST(PollTest, WhatCannotBePolledFailsAtTheStartAndLeavesNothing) {
  weft::testing::run([] {
    weft_test::OwnDescriptor file{::open("/dev/null", O_RDONLY | O_CLOEXEC)};
    const auto error = error_of([&] { weft::await(weft::poll(file.get(), Poll::readable)); });
    ASSERT_TRUE(is<std::system_error>(error));
    EXPECT_NE(text(error).find("cannot poll descriptor"), std::string::npos) << text(error);
    EXPECT_EQ(weft::stats().active_events, 0U);
    const int gone = file.get();
    file.reset();
    EXPECT_TRUE(
        is<std::system_error>(error_of([&] { weft::await(weft::poll(gone, Poll::readable)); })));
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

// R-OBS-3
TEST(PollTest, DescribesItself) {
  const Ends sockets = Ends::sockets();
  const Ends pipe = Ends::pipe();
  const int socket = sockets.here.get();
  EXPECT_EQ(weft::poll(socket, Poll::readable | Poll::writable).info(),
            "Poll(socket=" + std::to_string(socket) + ", events=rw)");
  EXPECT_EQ(weft::poll(pipe.here.get(), Poll::readable).info(),
            "Poll(fd=" + std::to_string(pipe.here.get()) + ", events=r)");
  EXPECT_EQ(weft::poll(socket, Poll::disconnect | Poll::prioritized).info(),
            "Poll(socket=" + std::to_string(socket) + ", events=dp)");
}

// R-POLL-2, R-POLL-4
TEST(PollTest, TwoCoroutinesWaitForTheTwoDirectionsOfOneSocket) {
  Log log;
  weft::testing::run([&] {
    const Ends ends = Ends::sockets();
    weft_test::fill(ends.here.get());
    auto reader = weft::spawn([&] {
      EXPECT_EQ(weft::await(weft::poll(ends.here.get(), Poll::readable)), Poll::readable);
      log.push_back("reader");
    });
    auto writer = weft::spawn([&] {
      EXPECT_EQ(weft::await(weft::poll(ends.here.get(), Poll::writable)), Poll::writable);
      log.push_back("writer");
    });
    weft::testing::settle();
    weft::tick_reactor();
    log.push_back("nothing yet");
    weft_test::drain(ends.there.get());
    weft::await(writer);
    log.push_back("now the other");
    put(ends.there.get(), "x");
    weft::await(reader);
  });
  EXPECT_EQ(log, (Log{"nothing yet", "writer", "now the other", "reader"}));
}

// R-POLL-3, R-POLL-5
TEST(PollTest, TheHandleIsArmedWithTheUnionOfWhatIsWanted) {
  weft::testing::run([] {
    const Ends ends = Ends::sockets();
    const int socket = ends.here.get();
    Poll reader{socket, Poll::readable};
    Poll writer{socket, Poll::writable};
    EXPECT_EQ(armed(socket), 0U);
    reader.start();
    EXPECT_EQ(armed(socket), Poll::readable);
    writer.start();
    EXPECT_EQ(armed(socket), Poll::readable | Poll::writable);
    reader.stop();
    EXPECT_EQ(armed(socket), Poll::writable);
    reader.start();
    writer.stop();
    EXPECT_EQ(armed(socket), Poll::readable);
    reader.stop();
    EXPECT_EQ(armed(socket), 0U);
  });
}

// R-POLL-4
TEST(PollTest, NotifiesOnlyThePollsThatWantIt) {
  weft::testing::run([] {
    const Ends ends = Ends::sockets();
    Poll reader{ends.here.get(), Poll::readable};
    Poll writer{ends.here.get(), Poll::writable};
    Poll both{ends.here.get(), Poll::readable | Poll::writable};
    int reads = 0;
    int writes = 0;
    Call read{[&](weft::Event&, const weft::Outcome&) { ++reads; }};
    Call write{[&](weft::Event&, const weft::Outcome&) { ++writes; }};
    Call any{[&](weft::Event&, const weft::Outcome&) {}};
    reader.add_callback(read);
    writer.add_callback(write);
    both.add_callback(any);
    reader.start();
    writer.start();
    both.start();
    weft::tick_reactor();
    EXPECT_EQ(reads, 0);
    EXPECT_EQ(writes, 1);
    EXPECT_EQ(both.triggered(), Poll::writable);
    put(ends.there.get(), "x");
    weft::tick_reactor();
    EXPECT_EQ(reads, 1);
    EXPECT_EQ(writes, 2);
    EXPECT_EQ(reader.triggered(), Poll::readable);
    EXPECT_EQ(writer.triggered(), Poll::writable);
    EXPECT_EQ(both.triggered(), Poll::readable | Poll::writable);
    for (Poll* poll : {&reader, &writer, &both}) poll->stop();
    reader.remove_callback(read);
    writer.remove_callback(write);
    both.remove_callback(any);
  });
}

// R-POLL-6
TEST(PollTest, AResetWakesWritersToo) {
  weft::testing::run([] {
    Ends ends = Ends::tcp();
    weft_test::fill(ends.here.get());
    auto writer =
        weft::spawn([&] { return weft::await(weft::poll(ends.here.get(), Poll::writable)); });
    auto urgent =
        weft::spawn([&] { return weft::await(weft::poll(ends.here.get(), Poll::prioritized)); });
    weft::testing::settle();
    weft_test::reset(ends.there);
    EXPECT_EQ(weft::await(writer), Poll::disconnect);
    EXPECT_EQ(weft::await(urgent), Poll::disconnect);
  });
}

// R-POLL-6
TEST(PollTest, AHangUpThatIsAwaitedWakesAllWaiters) {
  weft::testing::run([] {
    Ends ends = Ends::sockets();
    weft_test::fill(ends.here.get());
    auto watcher =
        weft::spawn([&] { return weft::await(weft::poll(ends.here.get(), Poll::disconnect)); });
    auto urgent =
        weft::spawn([&] { return weft::await(weft::poll(ends.here.get(), Poll::prioritized)); });
    weft::testing::settle();
    ::shutdown(ends.there.get(), SHUT_WR);
    EXPECT_EQ(weft::await(watcher), Poll::disconnect);
    EXPECT_EQ(weft::await(urgent), Poll::disconnect);
  });
}

// R-POLL-7
TEST(PollTest, ABrokenDescriptorIsADisconnectAndNoException) {
  weft::testing::run([] {
    Ends ends = Ends::pipe();
    weft_test::fill(ends.there.get());
    auto writer =
        weft::spawn([&] { return weft::await(weft::poll(ends.there.get(), Poll::writable)); });
    weft::testing::settle();
    ends.here.reset();  // without a reader, the other end reports an error
    EXPECT_EQ(weft::await(writer), Poll::disconnect);
  });
}

// R-POLL-7
TEST(PollTest, AnotherErrorOfTheWatchIsThrown) {
  weft::testing::run([] {
    Ends ends = Ends::sockets();
    const int socket = ends.here.get();
    Poll reader{socket, Poll::readable};
    reader.start();
    ends.here.reset();  // closed while a poll waits for it
    Poll writer{socket, Poll::writable};
    const auto error = error_of([&] { weft::await(writer); });
    EXPECT_TRUE(is<std::system_error>(error));
    EXPECT_EQ(text(error), "Input output error: Bad file descriptor");
    EXPECT_EQ(armed(socket), Poll::readable);
    reader.stop();
    EXPECT_EQ(armed(socket), 0U);  // the poll that failed is not armed any more
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

// R-POLL-8
TEST(PollTest, AReadableReportThatIsNotTrueIsDropped) {
  weft::testing::run([] {
    const Ends ends = Ends::sockets();
    Poll poll{ends.here.get(), Poll::readable};
    int notified = 0;
    Call call{[&](weft::Event&, const weft::Outcome&) { ++notified; }};
    poll.add_callback(call);
    poll.start();
    // A second poll reads the data after the report of the kernel and before the first is notified.
    const Ends first = Ends::sockets();
    Poll taker{first.here.get(), Poll::readable};
    Call take{[&](weft::Event&, const weft::Outcome&) {
      weft_test::take(ends.here.get());
      weft_test::take(first.here.get());
    }};
    taker.add_callback(take);
    taker.start();
    weft::tick_reactor();  // registers both with the kernel, which reports in the order of arrival
    put(first.there.get(), "x");
    put(ends.there.get(), "x");
    weft::tick_reactor();
    weft::tick_reactor();
    EXPECT_EQ(notified, 0);
    put(ends.there.get(), "y");
    weft::tick_reactor();
    EXPECT_EQ(notified, 1);
    poll.stop();
    taker.stop();
    poll.remove_callback(call);
    taker.remove_callback(take);
  });
}

// R-POLL-8
TEST(PollTest, DatagramsAreNotRead) {
  weft::testing::run([] {
    const Ends ends = Ends::sockets(SOCK_DGRAM);
    ::send(ends.there.get(), "", 0, 0);  // an empty message is a message, too
    EXPECT_EQ(weft::await(weft::poll(ends.here.get(), Poll::readable)), Poll::readable);
  });
}

// R-POLL-9
TEST(PollTest, TheNativeHandleLivesAsLongAsItMayBeNeeded) {
  weft::testing::run([] {
    const Ends ends = Ends::sockets();
    const int socket = ends.here.get();
    const auto known = [&] {
      return weft::current_thread.reactor->descriptors().find(socket) != nullptr;
    };
    {
      Poll first{socket, Poll::readable};
      first.start();
      first.stop();
      EXPECT_TRUE(known());
      Poll second{socket, Poll::readable};
      second.start();
      first.close();
      EXPECT_TRUE(known());
      second.stop();
    }
    EXPECT_FALSE(known());
  });
}

// R-POLL-9, R-RC-6
TEST(PollTest, ItsLastReferenceMayGoWhileItNotifies) {
  weft::testing::run([] {
    const Ends ends = Ends::sockets();
    weft::Ref<Poll> poll = weft::make_ref<Poll>(ends.here.get(), unsigned{Poll::writable});
    bool notified = false;
    Call call{[&](weft::Event& event, const weft::Outcome&) {
      notified = true;
      event.remove_callback(call);
      event.stop();
      poll = nullptr;
    }};
    poll->add_callback(call);
    poll->start();
    weft::tick_reactor();
    EXPECT_TRUE(notified);
    weft::tick_reactor();
  });
}

// R-POLL-10, R-FLG-10
TEST(PollTest, TheDescriptorClosesWhenTheLoopHasLetGoOfItAndNotBefore) {
  weft::testing::run([] {
    Ends ends = Ends::sockets();
    const int socket = ends.here.release();
    Poll other{socket, Poll::readable};
    bool was_open = false;
    bool was_known = true;
    Call call{[&](weft::Event&, const weft::Outcome&) {
      was_open = weft_test::is_open(socket);
      was_known = weft::current_thread.reactor->descriptors().find(socket) != nullptr;
    }};
    other.add_callback(call);
    other.start();
    {
      Poll poll{socket, Poll::readable};
      poll.close_descriptor_at_end();
      EXPECT_TRUE(poll.has(weft::Event::close_descriptor_flag));
      poll.start();
      poll.stop();
      EXPECT_TRUE(weft_test::is_open(socket));
    }
    EXPECT_TRUE(was_open);
    EXPECT_FALSE(was_known);
    EXPECT_FALSE(weft_test::is_open(socket));
    other.remove_callback(call);
  });
}

// R-POLL-10
TEST(PollTest, OneThatWasNeverArmedClosesItsDescriptorAtOnce) {
  Ends ends = Ends::sockets();
  const int socket = ends.here.release();
  {
    Poll poll{socket, Poll::readable};
    poll.close_descriptor_at_end();
  }
  EXPECT_FALSE(weft_test::is_open(socket));
}

// R-POLL-10; trap 17
TEST(PollTest, ClosingTheDescriptorWakesAllItsWaiters) {
  weft::testing::run([] {
    Ends ends = Ends::sockets();
    const int socket = ends.here.release();
    Poll owner{socket, Poll::readable};
    owner.close_descriptor_at_end();
    auto own = weft::spawn([&] { weft::await(owner); });
    auto other = weft::spawn([&] { weft::await(weft::poll(socket, Poll::disconnect)); });
    weft::testing::settle();
    owner.close();
    for (auto& waiter : {own, other}) {
      const auto error = error_of([&] { weft::await(waiter); });
      EXPECT_TRUE(is<std::system_error>(error));
      EXPECT_NE(text(error).find("Poll was closed"), std::string::npos) << text(error);
    }
    EXPECT_TRUE(is<std::system_error>(error_of([&] { weft::await(owner); })));
  });
}

// R-POLL-10; trap 17: the Poll that owns the descriptor was never armed.
TEST(PollTest, AnIdleOwnerClosesTheDescriptorThatOthersWaitFor) {
  weft::testing::run([] {
    Ends ends = Ends::sockets();
    const int socket = ends.here.release();
    Poll owner{socket, Poll::readable};
    owner.close_descriptor_at_end();
    auto other = weft::spawn([&] { weft::await(weft::poll(socket, Poll::readable)); });
    weft::testing::settle();
    owner.close();
    EXPECT_FALSE(weft_test::is_open(socket));
    EXPECT_TRUE(is<std::system_error>(error_of([&] { weft::await(other, weft::timeout(1s)); })));
  });
}

// R-EVT-12, R-POLL-5; trap 15
TEST(PollTest, ACancelledReaderDoesNotDisarmItsSiblings) {
  weft::testing::run([] {
    const Ends ends = Ends::sockets();
    const int socket = ends.here.get();
    const auto wait = [&] { weft::await(weft::poll(socket, Poll::readable)); };
    auto first = weft::spawn(wait);
    auto second = weft::spawn(wait);
    Poll shared{socket, Poll::readable};
    auto third = weft::spawn([&] { weft::await(shared); });
    auto fourth = weft::spawn([&] { weft::await(shared); });
    weft::testing::settle();
    EXPECT_EQ(weft::stats().active_events, 3U);
    first.cancel();
    third.cancel();
    weft::testing::settle();
    EXPECT_EQ(weft::stats().active_events, 2U);
    EXPECT_EQ(armed(socket), Poll::readable);
    shared.stop();  // must not stop the waits of the coroutines
    shared.start();
    put(ends.there.get(), "x");
    weft::await(second);
    weft::await(fourth);
    shared.stop();
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

// R-HID-1, R-HID-2
TEST(PollTest, CountsAsSomethingThatMayHappenUnlessItIsHidden) {
  EXPECT_TRUE(is<weft::DeadlockError>(error_of([] {
    weft::Options options = weft_test::quiet();
    weft::testing::run(
        [] {
          const Ends ends = Ends::sockets();
          Poll poll{ends.here.get(), Poll::readable};
          poll.set_hidden(true);
          weft::await(poll);
        },
        options);
  })));
}

TEST(PollTest, ATokenEndsTheWait) {
  weft::testing::run([] {
    const Ends ends = Ends::sockets();
    const auto error = error_of(
        [&] { weft::await(weft::poll(ends.here.get(), Poll::readable), weft::timeout(1s)); });
    EXPECT_TRUE(is<weft::OperationCancelled>(error));
    EXPECT_EQ(armed(ends.here.get()), 0U);
  });
}

TEST(PollTest, ManyWaitForOneDescriptor) {
  weft::testing::run([] {
    const Ends ends = Ends::sockets();
    int woken = 0;
    std::vector<weft::Coroutine<void>> waiters;
    for (int i = 0; i < 100; ++i) {
      waiters.push_back(weft::spawn([&] {
        weft::await(weft::poll(ends.here.get(), Poll::readable));
        ++woken;
      }));
    }
    weft::testing::settle();
    put(ends.there.get(), "x");
    weft::await_all(waiters);
    EXPECT_EQ(woken, 100);
  });
}

TEST(PollTest, IsCancelledAtEverySuspension) {
  const auto report = weft::testing::explore(
      [] {
        const Ends ends = Ends::sockets();
        weft::with_scope([&](weft::Scope& scope) {
          scope.spawn([&] {
            try {
              weft::await(weft::poll(ends.here.get(), Poll::readable), weft::timeout(1s));
            } catch (
                const weft::OperationCancelled&) {  // the coroutine that feeds it was cancelled
            }
          });
          scope.spawn([&] { weft::await(weft::poll(ends.here.get(), Poll::writable)); });
          scope.spawn([&] {
            weft::suspend();
            put(ends.there.get(), "x");
          });
        });
      },
      {.cancel = weft::testing::every_point});
  EXPECT_TRUE(report.ok()) << report.first_failure();
}

TEST(PollTest, OutlivesItsRuntime) {
  const Ends ends = Ends::sockets();
  Poll poll{ends.here.get(), Poll::writable};
  for (int i = 0; i < 2; ++i) {
    weft::testing::run([&] { EXPECT_EQ(weft::await(poll), Poll::writable); });
  }
}

}  // namespace
