#include <array>
#include <string>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/current.hpp"
#include "context/sanitizer.hpp"
#include "descriptors.hpp"
#include "failures.hpp"
#include "reactor/reactor.hpp"
#include "support.hpp"
#include "timed_read.hpp"
#include "weft/extend/embed.hpp"

// Streams are watched edge-triggered: the kernel reports each change once. After a missed report a
// read would wait for ever, here until its timeout.
namespace {

using namespace std::chrono_literals;
using weft::Io;
using weft::Poll;
using weft_test::adopt;
using weft_test::Ends;
using weft_test::put;
using weft_test::timed_read;

/// Makes the kernel watch `io`, with a read that finds nothing.
void watch(Io& io) { ASSERT_EQ(timed_read(io), "(nothing)"); }

TEST(EdgeTest, AnEndThatIsReportedTogetherWithDataIsSeen) {
  weft::testing::run([] {
    Ends ends = Ends::tcp();
    const auto io = adopt(ends.here);
    watch(*io);
    put(ends.there.get(), "last");
    ::shutdown(ends.there.get(), SHUT_WR);
    EXPECT_EQ(timed_read(*io), "last");
    EXPECT_EQ(timed_read(*io), "(end)");
  });
}

TEST(EdgeTest, DataBehindUrgentDataIsSeen) {
  weft::testing::run([] {
    Ends ends = Ends::tcp();
    const auto io = adopt(ends.here);
    watch(*io);
    put(ends.there.get(), "before");
    ::send(ends.there.get(), "!", 1, MSG_OOB);
    put(ends.there.get(), "behind");
    EXPECT_EQ(timed_read(*io), "before");  // a read stops at the mark
    EXPECT_EQ(timed_read(*io), "behind");
    put(ends.there.get(), "later");
    EXPECT_EQ(timed_read(*io), "later");
    EXPECT_EQ(timed_read(*io), "(nothing)");
  });
}

TEST(EdgeTest, AResetThatIsReportedTogetherWithDataIsSeen) {
  weft::testing::run([] {
    Ends ends = Ends::tcp();
    const auto io = adopt(ends.here);
    watch(*io);
    weft_test::reset(ends.there);
    EXPECT_EQ(weft_test::code_of(weft_test::error_of([&] { timed_read(*io); })), ECONNRESET);
  });
}

TEST(EdgeTest, WhatDoesNotFitInOneReadIsReadByTheNext) {
  weft::testing::run([] {
    Ends ends = Ends::tcp();
    const auto io = adopt(ends.here);
    watch(*io);
    put(ends.there.get(), "abcdef");
    EXPECT_EQ(timed_read(*io, 2), "ab");
    EXPECT_EQ(timed_read(*io, 2), "cd");
    EXPECT_EQ(timed_read(*io, 2), "ef");  // a full read, although there are no more bytes
    EXPECT_EQ(timed_read(*io, 2), "(nothing)");
    put(ends.there.get(), "g");
    EXPECT_EQ(timed_read(*io, 2), "g");
  });
}

// A short read of a message socket does not mean that the socket is empty.
TEST(EdgeTest, MessagesAreReadOneByOne) {
  weft::testing::run([] {
    for (const int type : {SOCK_SEQPACKET, SOCK_DGRAM}) {
      Ends ends = Ends::sockets(type);
      const auto io = adopt(ends.here);
      watch(*io);
      put(ends.there.get(), "one");
      put(ends.there.get(), "two");
      EXPECT_EQ(timed_read(*io), "one");
      EXPECT_EQ(timed_read(*io), "two");
      EXPECT_EQ(timed_read(*io), "(nothing)");
    }
  });
}

TEST(EdgeTest, DataBehindAPassedDescriptorIsSeen) {
  weft::testing::run([] {
    Ends ends = Ends::sockets();
    const auto io = adopt(ends.here);
    watch(*io);
    char letter = 'a';
    iovec piece{&letter, 1};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> room{};
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = room.data();
    message.msg_controllen = room.size();
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    *reinterpret_cast<int*>(CMSG_DATA(header)) = ends.there.get();
    ASSERT_EQ(::sendmsg(ends.there.get(), &message, 0), 1);
    put(ends.there.get(), "b");
    EXPECT_EQ(timed_read(*io), "a");  // a read stops at the passed descriptor
    EXPECT_EQ(timed_read(*io), "b");
  });
}

TEST(EdgeTest, ARequestForManyChunksGetsThemAll) {
  weft::testing::run([] {
    Ends ends = Ends::tcp();
    const auto io = adopt(ends.here);
    watch(*io);
    std::string got;
    const auto request = io->read_multishot(2);
    put(ends.there.get(), "abcdefg");
    ::shutdown(ends.there.get(), SHUT_WR);
    while (!request->is_completed()) {
      weft::await(*request, weft::timeout(1s));
      got += request->data();
    }
    EXPECT_EQ(got, "abcdefg");
  });
}

TEST(EdgeTest, AReaderByOtherMeansIsNotifiedAsLongAsThereIsSomething) {
  weft::testing::run([] {
    Ends ends = Ends::tcp();
    const int socket = ends.here.get();
    const auto io = adopt(ends.here);
    put(ends.there.get(), "abc");
    for (const char* letter : {"a", "b", "c"}) {
      io->wait_readable(weft::timeout(1s));
      EXPECT_EQ(weft_test::take(socket, 1), letter);
    }
    EXPECT_THROW(io->wait_readable(weft::timeout(1s)), weft::TimedOut);
    for (int i = 0; i < 3; ++i) io->wait_writable(weft::timeout(1s));
    weft_test::fill(socket);
    EXPECT_THROW(io->wait_writable(weft::timeout(1s)), weft::TimedOut);
    weft_test::drain(ends.there.get());
    io->wait_writable(weft::timeout(1s));
  });
}

// A wait after a try that failed needs no epoll_ctl: the kernel reports the next change anyway.
TEST(LinuxEdgeTest, WhatWasFoundUntrueIsNotAskedFor) {
  weft::testing::run([] {
    Ends ends = Ends::sockets();
    const int socket = ends.here.get();
    const auto io = adopt(ends.here);
    put(ends.there.get(), "x");
    io->wait_readable(weft::timeout(1s));
    io->wait_writable(weft::timeout(1s));
    const auto asked = [] { return weft::current_thread.reactor->readiness().changes(); };
    std::uint64_t before = asked();
    weft_test::take(socket);
    EXPECT_THROW(io->wait_readable(weft::timeout(1s)), weft::TimedOut);
    EXPECT_EQ(asked(), before);
    weft_test::fill(socket);
    EXPECT_THROW(io->write_all(std::string{"x"}, weft::timeout(1s)), weft::TimedOut);
    EXPECT_EQ(asked(), before);
    weft_test::drain(ends.there.get());
    io->wait_writable(weft::timeout(1s));
    weft_test::fill(socket);
    EXPECT_THROW(io->wait_writable(weft::timeout(1s)), weft::TimedOut);  // arms again
    before = asked();
    EXPECT_THROW(io->wait_writable(weft::timeout(1s)), weft::TimedOut);
    EXPECT_EQ(asked(), before);
  });
}

// Room for writing that was reported while no coroutine wrote.
TEST(EdgeTest, AWriterFindsTheRoomThatWasMadeMeanwhile) {
  weft::testing::run([] {
    Ends ends = Ends::sockets();
    const int socket = ends.here.get();
    const auto io = adopt(ends.here);
    const auto write = [&] { io->write_all(std::string(400'000, 'x'), weft::timeout(1s)); };
    EXPECT_THROW(write(), weft::TimedOut);
    weft_test::drain(ends.there.get());
    Poll outside{ends.there.get(), Poll::prioritized};
    outside.start();
    weft::tick_reactor();  // reported while no coroutine waits
    outside.stop();
    weft_test::fill(socket);
    auto writer = weft::spawn(write);
    weft::testing::settle();
    weft::tick_reactor();
    std::size_t got = 0;
    while (!writer.is_completed()) {
      got += weft_test::drain(ends.there.get());
      weft::delay(1ms);
    }
    EXPECT_EQ(weft_test::error_of([&] { weft::await(writer); }), nullptr);
    EXPECT_GT(got + weft_test::drain(ends.there.get()), 400'000U);
  });
}

// A stream, and a Poll of the same descriptor.

TEST(EdgeTest, BothSortsOfWaitersAreNotified) {
  weft::testing::run([] {
    Ends ends = Ends::tcp();
    const int socket = ends.here.get();
    const auto io = adopt(ends.here);
    auto stream = weft::spawn([&] { return timed_read(*io); });
    weft::testing::settle();
    auto other = weft::spawn([&] { return weft::await(weft::poll(socket, Poll::readable)); });
    weft::testing::settle();
    put(ends.there.get(), "x");
    EXPECT_EQ(weft::await(other), Poll::readable);
    EXPECT_EQ(weft::await(stream), "x");
    put(ends.there.get(), "y");
    EXPECT_EQ(timed_read(*io), "y");
  });
}

TEST(EdgeTest, AStreamIsNotifiedThoughAnotherWaiterComesAndGoes) {
  weft::testing::run([] {
    Ends ends = Ends::tcp();
    const int socket = ends.here.get();
    const auto io = adopt(ends.here);
    watch(*io);
    Poll other{socket, Poll::writable};
    other.start();
    auto stream = weft::spawn([&] { return timed_read(*io); });
    weft::testing::settle();
    put(ends.there.get(), "x");
    EXPECT_EQ(weft::await(stream), "x");
    put(ends.there.get(), "y");  // no reader waits: not watched for reading now
    weft::tick_reactor();
    other.stop();
    EXPECT_EQ(timed_read(*io), "y");
    EXPECT_EQ(timed_read(*io), "(nothing)");
    ::shutdown(ends.there.get(), SHUT_WR);
    EXPECT_EQ(timed_read(*io), "(end)");
  });
}

TEST(EdgeTest, AnotherWaiterIsNotifiedByEveryPollOfWhatAStreamWasNotifiedOnce) {
  weft::testing::run([] {
    Ends ends = Ends::tcp();
    const int socket = ends.here.get();
    const auto io = adopt(ends.here);
    watch(*io);
    put(ends.there.get(), "x");
    Poll other{ends.there.get(), Poll::prioritized};
    other.start();
    weft::tick_reactor();  // the change is reported without a waiter
    other.stop();
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(weft::await(weft::poll(socket, Poll::readable)), Poll::readable);
    }
    EXPECT_EQ(timed_read(*io), "x");
  });
}

// The number of a closed descriptor is used for another file.

/// Two descriptors are ready in one turn; the callback of the first closes the second, whose number
/// is used for another file.
void close_one_that_is_ready_too() {
  weft::testing::run([] {
    Ends first = Ends::sockets();
    Ends second = Ends::sockets();
    Ends fresh = Ends::sockets();
    const int number = second.here.get();
    const auto io = adopt(second.here);
    watch(*io);
    Poll successor{number, Poll::readable};
    int notified = 0;
    weft_test::Call count{[&](weft::Event&, const weft::Outcome&) { ++notified; }};
    successor.add_callback(count);
    Poll closer{first.here.get(), Poll::readable};
    weft_test::Call close{[&](weft::Event&, const weft::Outcome&) {
      closer.stop();
      io->close();
      ::dup2(fresh.here.get(), number);
      successor.start();
    }};
    closer.add_callback(close);
    closer.start();
    put(first.there.get(), "x");
    put(second.there.get(), "x");
    weft::tick_reactor();
    EXPECT_EQ(notified, 0);
    put(fresh.there.get(), "x");
    weft::tick_reactor();
    EXPECT_EQ(notified, 1);
    successor.stop();
    successor.remove_callback(count);
    closer.remove_callback(close);
    ::close(number);
  });
}

TEST(EdgeTest, AReportForOneThatWasClosedInTheSameTurnDoesNotReachItsSuccessor) {
  close_one_that_is_ready_too();
}

// The report was in the same batch of epoll_wait() and must be dropped.
TEST(LinuxEdgeTest, AReportForOneThatWasClosedInTheSameTurnIsDropped) {
  constexpr const char* probe = "a report came for a descriptor that has gone";
  const std::uint64_t before = weft::testing::probe_count(probe);
  close_one_that_is_ready_too();
  EXPECT_EQ(weft::testing::probe_count(probe), before + 1);
}

TEST(EdgeTest, AStreamIsWatchedThoughItsNumberHadBeenClosedBehindOurBack) {
  weft::testing::run([] {
    Ends ends = Ends::tcp();
    const int number = ends.here.get();
    const auto old = Io::adopt(number, false);
    watch(*old);
    ends.here.reset();
    Ends fresh = Ends::tcp();
    if (fresh.here.get() != number) {
      ASSERT_EQ(::dup2(fresh.here.get(), number), number);
      fresh.here = weft_test::OwnDescriptor{number};
    }
    const auto io = adopt(fresh.here);
    auto reader = weft::spawn([&] { return timed_read(*io); });
    weft::testing::settle();
    put(fresh.there.get(), "x");
    EXPECT_EQ(weft::await(reader), "x");
  });
}

// After a fork, parent and child share one epoll instance of the kernel.

constexpr const char* edge_not_followed =
    "the thread sanitizer does not follow a fork with several stacks";

int exit_code(int child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 201;
}

TEST(EdgeTest, TheChildOfAForkWatchesItsStreamsItself) {
  if (WEFT_TSAN) GTEST_SKIP() << edge_not_followed;
  weft::testing::run([] {
    Ends ends = Ends::tcp();
    const auto io = adopt(ends.here);
    watch(*io);
    const int child = weft::fork();
    if (child == 0) {
      put(ends.there.get(), "x");
      bool works = timed_read(*io) == "x";
      io->close();
      ::_exit(works ? 42 : 1);
    }
    EXPECT_EQ(exit_code(child), 42);
    put(ends.there.get(), "y");  // the close in the child does not affect this process
    EXPECT_EQ(timed_read(*io), "y");
  });
}

TEST(EdgeTest, TheChildOfAPlainForkLeavesOurWatchesAlone) {
  if (WEFT_TSAN) GTEST_SKIP() << edge_not_followed;
  weft::testing::run([] {
    Ends ends = Ends::tcp();
    const auto io = adopt(ends.here);
    watch(*io);
    const int child = ::fork();
    if (child == 0) {
      io->close();
      ::_exit(42);
    }
    EXPECT_EQ(exit_code(child), 42);
    auto reader = weft::spawn([&] { return timed_read(*io); });
    weft::testing::settle();
    put(ends.there.get(), "y");
    EXPECT_EQ(weft::await(reader), "y");
  });
}

TEST(EdgeTest, OneThatAChildHasAsWellIsNotReportedAfterItsClose) {
  if (WEFT_TSAN) GTEST_SKIP() << edge_not_followed;
  weft::testing::run([] {
    Ends ends = Ends::tcp();
    const auto io = adopt(ends.here);
    watch(*io);
    const Ends end_of_child = Ends::pipe();
    const int child = ::fork();
    if (child == 0) {
      char byte = 0;
      ::fcntl(end_of_child.here.get(), F_SETFL, 0);
      ::close(end_of_child.there.get());
      ::_exit(::read(end_of_child.here.get(), &byte, 1) == 1 ? 42 : 1);
    }
    io->close();
    put(ends.there.get(), "x");
    EXPECT_EQ(weft::current_thread.reactor->readiness().count_reports(), 0U);
    put(end_of_child.there.get(), "x");
    EXPECT_EQ(exit_code(child), 42);
  });
}

// A stream that waits in the loop of a host.
TEST(RealTimeEdgeTest, TheRuntimesDescriptorIsReadableWhenAStreamIs) {
  weft::Runtime runtime;
  Ends ends = Ends::tcp();
  const auto io = adopt(ends.here);
  std::string got;
  auto reader = runtime.spawn([&] {
    for (int i = 0; i < 2; ++i) got += timed_read(*io);
  });
  runtime.tick(weft::Wait::no);
  for (const char* letter : {"x", "y"}) {
    // The timeout is due in a second, so only the stream makes the descriptor readable.
    EXPECT_FALSE(weft_test::is_readable(runtime.descriptor(), 0));
    put(ends.there.get(), letter);
    EXPECT_TRUE(weft_test::is_readable(runtime.descriptor(), 0));
    while (weft_test::is_readable(runtime.descriptor(), 0)) runtime.tick(weft::Wait::no);
  }
  EXPECT_EQ(got, "xy");
  runtime.finish();
}

// A descriptor that is readable for the host does not keep tick(Wait::yes) from sleeping.
TEST(RealTimeEdgeTest, TheAlarmOfTheRuntimesDescriptorEndsWithAPoll) {
  weft::Runtime runtime;
  auto sleeper = runtime.spawn([] { weft::delay(50ms); });
  static_cast<void>(runtime.descriptor());  // readable at once, because a coroutine is ready
  const std::uint64_t before = runtime.tick() ? weft::stats().reactor_waits : 0;
  while (!sleeper.is_completed()) runtime.tick(weft::Wait::yes);
  EXPECT_LT(weft::stats().reactor_waits - before, 10U);
  runtime.finish();
}

TEST(EdgeTest, APollInsideAPollChangesNothing) {
  weft::testing::run([] {
    Ends first = Ends::sockets();
    Ends second = Ends::sockets();
    int notified = 0;
    weft_test::Call call{[&](weft::Event&, const weft::Outcome&) {
      ++notified;
      weft::tick_reactor();
    }};
    weft_test::Call other{[&](weft::Event&, const weft::Outcome&) { ++notified; }};
    Poll one{first.here.get(), Poll::readable};
    Poll two{second.here.get(), Poll::readable};
    one.add_callback(call);
    two.add_callback(other);
    one.start();
    two.start();
    put(first.there.get(), "x");
    put(second.there.get(), "x");
    weft::tick_reactor();
    EXPECT_EQ(notified, 2);
    one.stop();
    two.stop();
    one.remove_callback(call);
    two.remove_callback(other);
  });
}

}  // namespace
