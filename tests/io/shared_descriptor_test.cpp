#include <array>
#include <deque>
#include <memory>
#include <string>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "base/current.hpp"
#include "context/sanitizer.hpp"
#include "descriptors.hpp"
#include "failures.hpp"
#include "reactor/reactor.hpp"
#include "support.hpp"
#include "timed_read.hpp"
#include "weft/extend/embed.hpp"
#include "weft/extend/io_request.hpp"

// Several handles of one descriptor, several descriptors of one file, and numbers that are used
// again.
namespace {

using namespace std::chrono_literals;
using weft::Io;
using weft::Poll;
using weft_test::adopt;
using weft_test::Call;
using weft_test::Ends;
using weft_test::error_of;
using weft_test::OwnDescriptor;
using weft_test::put;
using weft_test::timed_read;

TEST(SharedDescriptorTest, TwoHandlesOfOneNumberShareWhatComes) {
  weft::testing::run([] {
    Ends ends = Ends::tcp();
    const auto first = Io::adopt(ends.here.get(), false);
    const auto second = Io::adopt(ends.here.get(), false);
    for (int i = 0; i < 3; ++i) {
      auto one = weft::spawn([&] { return timed_read(*first, 1); });
      auto two = weft::spawn([&] { return timed_read(*second, 1); });
      weft::testing::settle();
      put(ends.there.get(), "x");
      weft::delay(1ms);
      EXPECT_NE(one.is_completed(), two.is_completed());
      put(ends.there.get(), "y");
      EXPECT_EQ(weft::await(one) < weft::await(two) ? "xy" : "yx", "xy");
    }
  });
}

// close() of a handle without ownership leaves the descriptor open for the other handle.
TEST(SharedDescriptorTest, TheEndOfAHandleThatOwnsNothingIsNothingToTheOther) {
  weft::testing::run([] {
    Ends ends = Ends::tcp();
    const int socket = ends.here.get();
    const auto lent = Io::adopt(socket, false);
    const auto io = adopt(ends.here);
    EXPECT_EQ(timed_read(*lent), "(nothing)");
    auto reader = weft::spawn([&] { return timed_read(*io); });
    auto other = weft::spawn([&] { return weft::await(weft::poll(socket, Poll::readable)); });
    auto own = weft::spawn([&] { lent->write_all(std::string(10'000'000, 'x')); });
    weft::testing::settle();
    weft::tick_reactor();
    lent->close();
    EXPECT_NE(error_of([&] { weft::await(own); }), nullptr);
    EXPECT_FALSE(reader.is_completed());
    put(ends.there.get(), "x");
    EXPECT_EQ(error_of([&] { EXPECT_EQ(weft::await(other), Poll::readable); }), nullptr);
    EXPECT_EQ(error_of([&] { EXPECT_EQ(weft::await(reader), "x"); }), nullptr);
  });
}

// A coroutine, a request, and a request of another handle wait for one report.
TEST(SharedDescriptorTest, RequestsAndCoroutinesOfSeveralHandlesAreNotifiedInTheirOrder) {
  weft::testing::run([] {
    Ends ends = Ends::tcp();
    const auto first = Io::adopt(ends.here.get(), false);
    const auto second = Io::adopt(ends.here.get(), false);
    const auto third = Io::adopt(ends.here.get(), false);
    const auto one = first->read(1);
    auto two = weft::spawn([&] { return timed_read(*second, 1); });
    weft::testing::settle();
    const auto three = third->read(1);
    auto seen = weft::spawn([&] { first->wait_readable(weft::timeout(1s)); });
    weft::testing::settle();
    put(ends.there.get(), "xyz");
    weft::await(*one, weft::timeout(1s));
    weft::await(*three, weft::timeout(1s));
    EXPECT_EQ(weft::await(two).size(), 1U);
    EXPECT_EQ(one->data(), "x");
    EXPECT_EQ(three->data(), "y");  // completed in the report; the coroutine reads when it runs
    weft::await(seen);
    EXPECT_EQ(weft::stats().hidden_events, 0U);
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

TEST(SharedDescriptorTest, TheOwnersCloseEndsARequestOfAHandleThatOwnsNothing) {
  weft::testing::run([] {
    Ends ends = Ends::tcp();
    const auto lent = Io::adopt(ends.here.get(), false);
    const auto owner = adopt(ends.here);
    static_cast<void>(timed_read(*owner));  // the owner watches the descriptor, too
    const auto request = lent->read(1);
    auto waits = weft::spawn([&] { weft::await(*request); });
    weft::testing::settle();
    owner->close();
    EXPECT_TRUE(request->is_completed());
    EXPECT_EQ(weft_test::code_of(error_of([&] { weft::await(waits); })), ECANCELED);
    EXPECT_EQ(weft::stats().hidden_events, 0U);
  });
}

// All requests wait for the report that completes the first.
TEST(SharedDescriptorTest, ACompletionMayDropAndCloseAndBeginWhatElseWaits) {
  weft::testing::run([] {
    Ends ends = Ends::tcp();
    const auto first = Io::adopt(ends.here.get(), false);
    const auto second = Io::adopt(ends.here.get(), false);
    auto third = Io::adopt(ends.here.get(), false);
    auto one = first->read(1);
    auto two = second->read(1);
    const auto three = third->read(1);
    weft::Ref<weft::IoRequest> again;
    Call call{[&](weft::Event&, const weft::Outcome&) {
      two = nullptr;
      third->close();
      again = second->read(1);
    }};
    one->add_callback(call);
    one->start();
    put(ends.there.get(), "x");
    weft::tick_reactor();
    EXPECT_EQ(one->data(), "x");
    EXPECT_TRUE(three->is_io_closed());
    ASSERT_TRUE(again);
    EXPECT_FALSE(again->is_completed());
    put(ends.there.get(), "y");
    weft::await(*again, weft::timeout(1s));
    EXPECT_EQ(again->data(), "y");
    one->remove_callback(call);
    EXPECT_EQ(weft::stats().hidden_events, 0U);
  });
}

// A callback closes the descriptor whose report has called it.
TEST(SharedDescriptorTest, ACompletionMayCloseTheDescriptorThatOthersWaitFor) {
  weft::testing::run([] {
    Ends ends = Ends::tcp();
    const auto lent = Io::adopt(ends.here.get(), false);
    auto owner = adopt(ends.here);
    static_cast<void>(timed_read(*owner));
    const auto request = owner->read(1);
    auto behind = weft::spawn([&] { return timed_read(*lent); });
    weft::testing::settle();
    Call call{[&](weft::Event&, const weft::Outcome&) {
      owner->close();
      owner = nullptr;
    }};
    request->add_callback(call);
    put(ends.there.get(), "xy");
    EXPECT_EQ(weft_test::code_of(error_of([&] { weft::await(behind); })), ECANCELED);
    EXPECT_EQ(request->data(), "x");
    request->remove_callback(call);
  });
}

TEST(SharedDescriptorTest, EachNumberOfOneFileIsNotified) {
  weft::testing::run([] {
    Ends ends = Ends::sockets();
    const auto copy = Io::adopt(::dup(ends.here.get()));
    const auto io = adopt(ends.here);
    auto one = weft::spawn([&] { return timed_read(*io, 1); });
    auto two = weft::spawn([&] { return timed_read(*copy, 1); });
    weft::testing::settle();
    weft::tick_reactor();
    put(ends.there.get(), "xy");
    EXPECT_NE(weft::await(one), "(nothing)");
    EXPECT_NE(weft::await(two), "(nothing)");
    io->close();  // the file stays open
    auto again = weft::spawn([&] { return timed_read(*copy); });
    weft::testing::settle();
    put(ends.there.get(), "z");
    EXPECT_EQ(weft::await(again), "z");
  });
}

// The kernel still has the old watch, under the same file and number.
TEST(SharedDescriptorTest, ADuplicateThatComesBackUnderTheOldNumberIsWatched) {
  weft::testing::run([] {
    Ends ends = Ends::sockets();
    const int number = ends.here.get();
    const OwnDescriptor copy{::dup(number)};
    const auto old = adopt(ends.here);
    EXPECT_EQ(timed_read(*old), "(nothing)");
    old->close();
    ASSERT_EQ(::dup2(copy.get(), number), number);
    const auto io = Io::adopt(number);
    auto reader = weft::spawn([&] { return timed_read(*io); });
    weft::testing::settle();
    weft::tick_reactor();
    put(ends.there.get(), "x");
    EXPECT_EQ(weft::await(reader), "x");
  });
}

// A watch that outlives its descriptor reports changes that no coroutine waits for. Many such
// reports must not hide one that a coroutine waits for.
TEST(SharedDescriptorTest, TimeDoesNotJumpOverDataBehindManyReportsWithoutAWaiter) {
  weft::testing::run([] {
    std::vector<Ends> gone;
    std::vector<OwnDescriptor> copies;
    for (int i = 0; i < 100; ++i) {
      gone.push_back(Ends::sockets());
      copies.emplace_back(::dup(gone.back().here.get()));
      const auto io = adopt(gone.back().here);
      EXPECT_THROW(io->wait_readable(weft::timeout(1ms)), weft::TimedOut);
    }
    Ends ends = Ends::sockets();
    const auto io = adopt(ends.here);
    EXPECT_EQ(timed_read(*io), "(nothing)");
    for (const Ends& each : gone) put(each.there.get(), "x");
    put(ends.there.get(), "x");
    EXPECT_EQ(timed_read(*io), "x");
  });
}

TEST(SharedDescriptorTest, AStreamIsNotifiedThoughItsNumberPassedOnUnderAWaiter) {
  weft::testing::run([] {
    Ends ends = Ends::tcp();
    const int number = ends.here.release();
    Poll other{number, Poll::readable};
    other.start();
    Ends fresh = Ends::tcp();
    ASSERT_EQ(::dup2(fresh.here.get(), number), number);
    const auto io = Io::adopt(number);
    auto reader = weft::spawn([&] { return timed_read(*io); });
    weft::testing::settle();
    put(fresh.there.get(), "x");
    EXPECT_EQ(weft::await(reader), "x");
    other.stop();
  });
}

TEST(SharedDescriptorTest, WhatWasKnownIsKnownAfterAWatchThatFailed) {
  weft::testing::run([] {
    Ends ends = Ends::sockets();
    const int number = ends.here.get();
    const OwnDescriptor copy{::dup(number)};
    const auto io = Io::adopt(ends.here.release(), false);
    io->wait_writable(weft::timeout(1s));
    ::close(number);
    EXPECT_EQ(weft_test::code_of(error_of([&] { io->wait_writable(weft::timeout(1s)); })), EBADF);
    ASSERT_EQ(::dup2(copy.get(), number), number);
    EXPECT_EQ(error_of([&] { io->wait_writable(weft::timeout(1s)); }), nullptr);
    ::close(number);
  });
}

// R-POLL-10
TEST(SharedDescriptorTest, AnOwnerOfAnEarlierRuntimeClosesWhatOthersWaitForNow) {
  Ends ends = Ends::sockets();
  const int socket = ends.here.release();
  Poll owner{socket, Poll::writable};
  owner.close_descriptor_at_end();
  weft::testing::run([&] { weft::await(owner); });
  weft::testing::run([&] {
    auto waits = weft::spawn([&] { return weft::await(weft::poll(socket, Poll::readable)); });
    weft::testing::settle();
    owner.close();
    EXPECT_FALSE(weft_test::is_open(socket));
    EXPECT_EQ(weft_test::code_of(error_of([&] { weft::await(waits); })), ECANCELED);
  });
}

// The new file becomes non-blocking and is checked for readiness, whatever is stored for the
// number.
TEST(SharedDescriptorTest, APollKnowsNothingOfTheFileThatHadItsNumberBefore) {
  weft::testing::run([] {
    const Ends pipe = Ends::pipe();
    Ends ends = Ends::sockets();
    const int number = ::dup(pipe.here.get());
    Poll poll{number, Poll::readable};
    put(pipe.there.get(), "x");
    weft::await(poll);
    ASSERT_EQ(::dup2(ends.here.get(), number), number);
    ::fcntl(number, F_SETFL, 0);
    put(ends.there.get(), "x");
    weft::await(poll);
    EXPECT_NE(::fcntl(number, F_GETFL) & O_NONBLOCK, 0);
    ::close(number);
  });
}

// More descriptors than one epoll_wait() reports.
TEST(SharedDescriptorTest, EachWaiterIsNotifiedHoweverManyAreReadyAtOnce) {
  weft::testing::run([] {
    constexpr int count = 200;
    std::deque<Ends> all;
    std::vector<weft::Ref<Io>> streams;
    std::vector<weft::Coroutine<std::string>> readers;
    for (int i = 0; i < count; ++i) {
      all.push_back(Ends::sockets());
      streams.push_back(adopt(all.back().here));
      readers.push_back(
          weft::spawn([&io = *streams.back()] { return timed_read(io) + timed_read(io); }));
    }
    weft::testing::settle();
    weft::tick_reactor();
    for (const Ends& each : all) put(each.there.get(), "x");
    for (Ends& each : all) each.there.reset();
    for (auto& reader : readers) EXPECT_EQ(weft::await(reader).size(), 6U);
  });
}

// A descriptor that is always ready does not keep others from being reported.
TEST(SharedDescriptorTest, ManyThatAreAlwaysReadyLetTheOthersBeNotified) {
  weft::testing::run([] {
    std::vector<Ends> busy;
    std::vector<std::unique_ptr<Poll>> polls;
    for (int i = 0; i < 100; ++i) {
      busy.push_back(Ends::sockets());
      polls.push_back(std::make_unique<Poll>(busy.back().here.get(), unsigned{Poll::writable}));
      polls.back()->start();
    }
    Ends ends = Ends::sockets();
    const auto io = adopt(ends.here);
    bool notified = false;
    auto reader = weft::spawn([&] {
      io->wait_readable();
      notified = true;
    });
    weft::testing::settle();
    weft::tick_reactor();
    put(ends.there.get(), "x");
    for (int i = 0; i < 4 && !notified; ++i) {
      weft::tick_reactor();
      weft::suspend();
    }
    EXPECT_TRUE(notified);
    for (auto& poll : polls) poll->stop();
    weft::await(reader);
  });
}

// A callback closes its own descriptor and another one of the same report, and opens a new one.
TEST(SharedDescriptorTest, ANotifiedWaiterMayCloseAndOpenDescriptors) {
  weft::testing::run([] {
    Ends ends = Ends::sockets();
    Ends later = Ends::sockets();
    const int socket = ends.here.get();
    const auto io = adopt(ends.here);
    const auto other = adopt(later.here);
    Poll first{socket, Poll::readable};
    Poll second{socket, Poll::readable};
    std::string fresh_data;
    Ends fresh = Ends::sockets();
    const auto fresh_io = adopt(fresh.here);
    weft::Coroutine<std::string> fresh_reader;
    int notified = 0;
    Call close{[&](weft::Event&, const weft::Outcome&) {
      if (++notified > 1) return;
      other->close();
      io->close();
      fresh_reader = weft::spawn([&] { return timed_read(*fresh_io); });
      put(fresh.there.get(), "x");
    }};
    int second_notified = 0;
    bool second_failed = false;
    Call see{[&](weft::Event&, const weft::Outcome& outcome) {
      ++second_notified;
      second_failed = outcome.error() != nullptr;
    }};
    first.add_callback(close);
    second.add_callback(see);
    first.start();
    second.start();
    auto reader = weft::spawn([&] { return timed_read(*io); });
    auto other_reader = weft::spawn([&] { return timed_read(*other); });
    weft::testing::settle();
    weft::tick_reactor();
    put(ends.there.get(), "x");
    put(later.there.get(), "x");
    weft::tick_reactor();
    EXPECT_EQ(second_notified, 1);
    EXPECT_TRUE(second_failed);
    EXPECT_NE(error_of([&] { weft::await(reader); }), nullptr);
    EXPECT_NE(error_of([&] { weft::await(other_reader); }), nullptr);
    EXPECT_EQ(weft::await(fresh_reader), "x");
    first.remove_callback(close);
    second.remove_callback(see);
  });
}

// A child that cannot create an epoll instance must not change the one that it shares with its
// parent.
TEST(LinuxSharedDescriptorTest, AChildThatCannotWatchByItselfLeavesItsParentsWatchesAlone) {
  if (WEFT_TSAN || !weft_test::descriptors_can_run_out()) GTEST_SKIP() << "descriptors are needed";
  weft::testing::run([] {
    Ends ends = Ends::tcp();
    const auto io = adopt(ends.here);
    EXPECT_EQ(timed_read(*io), "(nothing)");
    rlimit usual{};
    ::getrlimit(RLIMIT_NOFILE, &usual);
    rlimit none = usual;
    const int lowest_free = ::dup(0);
    ::close(lowest_free);
    none.rlim_cur = static_cast<rlim_t>(lowest_free);
    ::setrlimit(RLIMIT_NOFILE, &none);
    int child = -1;
    try {
      child = weft::fork();
    } catch (const std::system_error& error) {
      io->close();
      ::_exit(error.code().value() == EMFILE ? 42 : 1);
    }
    if (child == 0) ::_exit(2);
    ::setrlimit(RLIMIT_NOFILE, &usual);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : 201, 42);
    put(ends.there.get(), "x");
    EXPECT_EQ(timed_read(*io), "x");
  });
}

TEST(SharedDescriptorTest, WhatIsGivenAwayAndTakenAgainReportsWhatIsThere) {
  weft::testing::run([] {
    Ends ends = Ends::tcp();
    auto io = adopt(ends.here);
    EXPECT_EQ(timed_read(*io), "(nothing)");
    put(ends.there.get(), "abcdef");
    for (const char* piece : {"ab", "cd", "ef"}) {
      EXPECT_EQ(timed_read(*io, 2), piece);
      const int number = io->give_away();
      EXPECT_TRUE(weft_test::is_open(number));
      io = Io::adopt(number);
    }
    EXPECT_EQ(timed_read(*io), "(nothing)");
  });
}

TEST(SharedDescriptorTest, ARequestForManyChunksLivesThroughSeveralRuntimes) {
  Ends ends = Ends::tcp();
  const auto io = adopt(ends.here);
  weft::Ref<weft::IoRequest> request;
  weft::testing::run([&] {
    request = io->read_multishot(64);
    EXPECT_THROW(weft::await(*request, weft::timeout(1s)), weft::OperationCancelled);
  });
  for (const char* text : {"one", "two", "three"}) {
    weft::testing::run([&] {
      EXPECT_THROW(weft::await(*request, weft::timeout(1s)), weft::OperationCancelled);
      put(ends.there.get(), text);
      weft::await(*request, weft::timeout(1s));
      EXPECT_EQ(request->data(), text);
    });
  }
}

unsigned armed(int descriptor) {
  const weft::Descriptor* known = weft::current_thread.reactor->descriptors().find(descriptor);
  return known != nullptr ? known->armed() : 0;
}

// Beside a Poll (level-triggered), a stream is watched only for what its waiters want, and only
// while they wait.
TEST(SharedDescriptorTest, BesideAPollTheWatchCoversWhatIsWantedNow) {
  weft::testing::run([] {
    Ends ends = Ends::sockets();
    const int socket = ends.here.get();
    const auto io = adopt(ends.here);
    const auto lent = Io::adopt(socket, false);
    Poll other{socket, Poll::disconnect};
    other.start();
    EXPECT_EQ(armed(socket), Poll::disconnect);
    auto reader = weft::spawn([&] { return timed_read(*io); });
    weft_test::fill(socket);
    auto writer = weft::spawn([&] { lent->write_all(std::string{"x"}, weft::timeout(5s)); });
    weft::testing::settle();
    EXPECT_EQ(armed(socket), Poll::disconnect | Poll::readable | Poll::writable);
    EXPECT_EQ(weft::await(reader), "(nothing)");
    EXPECT_EQ(armed(socket), Poll::disconnect | Poll::writable);
    weft_test::drain(ends.there.get());
    EXPECT_EQ(error_of([&] { weft::await(writer); }), nullptr);
    EXPECT_EQ(armed(socket), Poll::disconnect);
    auto late = weft::spawn([&] { lent->wait_readable(weft::timeout(1s)); });
    weft::testing::settle();
    EXPECT_EQ(armed(socket), Poll::disconnect | Poll::readable);
    lent->close();
    EXPECT_EQ(armed(socket), Poll::disconnect);
    EXPECT_EQ(weft_test::code_of(error_of([&] { weft::await(late); })), ECANCELED);
    other.stop();
  });
}

TEST(SharedDescriptorTest, WithItsLastStreamTheWatchEndsThoughAPollKnowsTheDescriptor) {
  weft::testing::run([] {
    const Ends ends = Ends::sockets();
    const int socket = ends.here.get();
    const auto lent = Io::adopt(socket, false);
    Poll idle{socket, Poll::writable};
    weft::await(idle);
    EXPECT_EQ(timed_read(*lent), "(nothing)");
    EXPECT_NE(armed(socket), 0U);
    lent->close();
    EXPECT_EQ(armed(socket), 0U);
  });
}

// R-IO-17
TEST(SharedDescriptorTest, TheEndOfAHandleThatOwnsNothingWakesAllItsWaiters) {
  weft::testing::run([] {
    const Ends ends = Ends::sockets();
    const auto lent = Io::adopt(ends.here.get(), false);
    const auto wait = [&] { lent->wait_readable(weft::timeout(1s)); };
    std::array waits{weft::spawn(wait), weft::spawn(wait), weft::spawn(wait)};
    weft::testing::settle();
    lent->close();
    for (auto& each : waits) {
      EXPECT_EQ(weft_test::code_of(error_of([&] { weft::await(each); })), ECANCELED);
    }
  });
}

TEST(SharedDescriptorTest, AStreamIsNotifiedThatAnOwnerHasClosedItsDescriptor) {
  weft::testing::run([] {
    Ends ends = Ends::sockets();
    const auto lent = Io::adopt(ends.here.get(), false);
    Poll owner{ends.here.release(), Poll::writable};
    owner.close_descriptor_at_end();
    auto reader = weft::spawn([&] { return timed_read(*lent); });
    weft::testing::settle();
    owner.close();
    EXPECT_EQ(weft_test::code_of(error_of([&] { weft::await(reader); })), ECANCELED);
  });
}

TEST(SharedDescriptorTest, WhatIsGivenAwayIsNotReported) {
  weft::testing::run([] {
    Ends ends = Ends::sockets();
    const auto io = adopt(ends.here);
    EXPECT_EQ(timed_read(*io), "(nothing)");
    const OwnDescriptor given{io->give_away()};
    put(ends.there.get(), "x");
    EXPECT_EQ(weft::current_thread.reactor->readiness().count_reports(), 0U);
  });
}

TEST(SharedDescriptorTest, WhenTheLoopEndsNoWaiterIsRegisteredAnyMore) {
  weft::testing::run([] {
    Ends ends = Ends::sockets();
    const auto io = adopt(ends.here);
    auto reader = weft::spawn([&] { io->wait_readable(); });
    weft::testing::settle();
    EXPECT_EQ(weft::stats().active_events, 1U);
    weft::current_thread.reactor->disarm_all();
    EXPECT_EQ(weft::stats().active_events, 0U);
    put(ends.there.get(), "x");
    reader.cancel();
    EXPECT_NE(error_of([&] { weft::await(reader); }), nullptr);
  });
}

}  // namespace
