#include <array>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/current.hpp"
#include "descriptors.hpp"
#include "failures.hpp"
#include "reactor/descriptor.hpp"
#include "reactor/reactor.hpp"
#include "support.hpp"
#include "weft/extend/embed.hpp"

namespace {

using namespace std::chrono_literals;
using weft::UnixStream;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::text;

void small_buffers(const UnixStream& stream) {
  stream.io().set_option(SOL_SOCKET, SO_SNDBUF, 1);  // the kernel makes it its minimum
  stream.io().set_option(SOL_SOCKET, SO_RCVBUF, 1);
}

std::string letters(std::size_t size) {
  std::string text(size, ' ');
  for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>('a' + i % 26);
  return text;
}

TEST(StreamTest, ReadsWhatTheOtherWrites) {
  weft::testing::run([] {
    auto both = UnixStream::pair();
    UnixStream& here = both.first;
    UnixStream& there = both.second;
    there.write_all("hello");
    std::array<char, 16> buffer{};
    ASSERT_EQ(here.read_some(buffer), 5U);
    EXPECT_EQ(std::string(buffer.data(), 5), "hello");
    there.close();
    EXPECT_EQ(here.read_some(buffer), 0U);
    EXPECT_EQ(here.read_some(buffer), 0U);
  });
}

TEST(StreamTest, WaitsUntilSomethingComes) {
  Log log;
  weft::testing::run([&] {
    auto both = UnixStream::pair();
    UnixStream& here = both.first;
    UnixStream& there = both.second;
    auto reader = weft::spawn([&] {
      std::array<std::byte, 4> buffer{};
      EXPECT_EQ(here.read_some(buffer), 2U);
      log.push_back("read");
    });
    weft::delay(1s);
    log.push_back("write");
    there.write_all("ab");
    weft::await(reader);
  });
  EXPECT_EQ(log, (Log{"write", "read"}));
}

TEST(StreamTest, AWaitForAStreamIsNoDeadlockAndAnIdleStreamDoesNotHideOne) {
  EXPECT_TRUE(is<weft::DeadlockError>(error_of([] {
    weft::testing::run(
        [] {
          auto both = UnixStream::pair();
          UnixStream& here = both.first;
          UnixStream& there = both.second;
          there.write_all("x");
          std::array<std::byte, 4> buffer{};
          here.read_some(buffer);  // from now on its descriptor stays armed
          weft_test::Doorbell never;
          weft::await(never);
        },
        weft_test::quiet());
  })));
}

TEST(StreamTest, ReadsExactlySoMuch) {
  weft::testing::run([] {
    auto both = UnixStream::pair();
    UnixStream& here = both.first;
    UnixStream& there = both.second;
    auto writer = weft::spawn([&] {
      for (const char* part : {"ab", "c", "defg"}) {
        there.write_all(part);
        weft::delay(1ms);
      }
      there.close();
    });
    std::string five(5, ' ');
    here.read_exactly(five);
    EXPECT_EQ(five, "abcde");
    const auto error = error_of([&] { here.read_exactly(five); });
    ASSERT_TRUE(is<std::system_error>(error));
    EXPECT_NE(text(error).find("2 of 5 bytes"), std::string::npos) << text(error);
    EXPECT_EQ(here.read_all(), "fg");  // nothing is lost
  });
}

TEST(StreamTest, ReadsLines) {
  weft::testing::run([] {
    auto both = UnixStream::pair();
    UnixStream& here = both.first;
    UnixStream& there = both.second;
    there.write_all("one\r\ntwo\n\nth");
    auto writer = weft::spawn([&] {
      weft::delay(1ms);
      there.write_all("ree\nlast");
      weft::delay(1ms);
      there.close();
    });
    EXPECT_EQ(here.read_line(), "one");
    EXPECT_EQ(here.read_line(), "two");
    EXPECT_EQ(here.read_line(), "");
    EXPECT_EQ(here.read_line(), "three");
    EXPECT_EQ(here.read_line(), "last");
    EXPECT_EQ(here.read_line(), std::nullopt);
    EXPECT_EQ(here.read_line(), std::nullopt);
  });
}

TEST(StreamTest, ALineMayNotBeLongerThanTheLimit) {
  weft::testing::run([] {
    auto both = UnixStream::pair();
    UnixStream& here = both.first;
    UnixStream& there = both.second;
    here.set_line_limit(3);
    there.write_all("abc\nabcd\n");
    EXPECT_EQ(here.read_line(), "abc");
    const auto error = error_of([&] { here.read_line(); });
    ASSERT_TRUE(is<std::system_error>(error));
    EXPECT_NE(text(error).find("longer than 3 bytes"), std::string::npos) << text(error);
  });
}

// trap 20
TEST(StreamTest, WhatIsBufferedCounts) {
  weft::testing::run([] {
    auto both = UnixStream::pair();
    UnixStream& here = both.first;
    UnixStream& there = both.second;
    there.write_all("line\nrest");
    EXPECT_EQ(here.read_line(), "line");
    EXPECT_EQ(here.io().buffered(), 4U);
    here.wait_readable(weft::timeout(1s));  // returns at once, although the descriptor has no bytes
    std::array<char, 2> two{};
    EXPECT_EQ(here.read_some(two), 2U);
    EXPECT_EQ(here.io().read(10)->data(), "st");
    EXPECT_TRUE(is<weft::TimedOut>(error_of([&] { here.wait_readable(weft::timeout(1s)); })));
  });
}

// trap 20: wait_readable() does not return for bytes that were read already.
TEST(StreamTest, WhatWasReadAlreadyDoesNotCount) {
  weft::testing::run([] {
    auto both = UnixStream::pair();
    UnixStream& here = both.first;
    const auto waits = [&] {
      return is<weft::TimedOut>(error_of([&] { here.wait_readable(weft::timeout(1s)); }));
    };
    both.second.write_all("ab");
    std::string two(2, ' ');
    here.read_exactly(two);
    EXPECT_TRUE(waits());
    both.second.write_all("ab");
    here.wait_readable();
    EXPECT_EQ(weft_test::take(here.descriptor()), "ab");
    EXPECT_TRUE(waits());
  });
}

// A coroutine that never has to wait must let others run.
TEST(StreamTest, WaitingForWhatIsThereLetsOthersRun) {
  weft::testing::run([] {
    auto both = UnixStream::pair();
    both.second.write_all("x");
    bool ran = false;
    both.first.wait_readable();
    auto other = weft::spawn([&] { ran = true; });
    for (int i = 0; i < 200; ++i) both.first.wait_readable();
    EXPECT_TRUE(ran);
  });
}

TEST(StreamTest, ReadsAllUntilTheEnd) {
  weft::testing::run([] {
    auto both = UnixStream::pair();
    UnixStream& here = both.first;
    UnixStream& there = both.second;
    const std::string much = letters(1'000'000);
    auto writer = weft::spawn([&] {
      there.write_all(much);
      there.close();
    });
    EXPECT_EQ(here.read_all(), much);
  });
}

// R-IO-11
TEST(StreamTest, TwoWritersNeverMix) {
  weft::testing::run([] {
    auto both = UnixStream::pair();
    UnixStream& here = both.first;
    UnixStream& there = both.second;
    small_buffers(here);
    const std::string a(100'000, 'a');
    const std::string b(100'000, 'b');
    const std::string c(50'000, 'c');
    auto first = weft::spawn([&] { here.write_all(a); });
    auto second = weft::spawn([&] { here.write_all(b); });
    auto third = weft::spawn([&] {
      std::size_t done = here.write_some(c);
      EXPECT_GT(done, 0U);
      EXPECT_LT(done, c.size());  // a short write
      return done;
    });
    std::string got(a.size() + b.size(), ' ');
    there.read_exactly(got);
    EXPECT_TRUE(got == a + b);
    std::string rest(weft::await(third), ' ');
    there.read_exactly(rest);
    EXPECT_EQ(rest, c.substr(0, rest.size()));
  });
}

TEST(StreamTest, AReaderGetsWholeLinesWhileOthersRead) {
  weft::testing::run([] {
    auto both = UnixStream::pair();
    UnixStream& here = both.first;
    UnixStream& there = both.second;
    std::vector<std::string> lines;
    std::vector<weft::Coroutine<void>> readers;
    for (int i = 0; i < 3; ++i) {
      readers.push_back(weft::spawn([&] { lines.push_back(here.read_line().value()); }));
    }
    weft::testing::settle();
    for (const char* part : {"o", "ne\ntw", "o\nthr", "ee\n"}) {
      there.write_all(part);
      weft::delay(1ms);
    }
    weft::await_all(readers);
    EXPECT_EQ(lines, (std::vector<std::string>{"one", "two", "three"}));
  });
}

TEST(StreamTest, ATimeoutEndsEveryOperationWithTimedOutItself) {
  weft::testing::run([] {
    auto both = UnixStream::pair();
    UnixStream& here = both.first;
    UnixStream& there = both.second;
    small_buffers(here);
    std::string buffer(10, ' ');
    there.write_all("abc");
    EXPECT_TRUE(
        is<weft::TimedOut>(error_of([&] { here.read_exactly(buffer, weft::timeout(1s)); })));
    EXPECT_TRUE(is<weft::TimedOut>(error_of([&] { here.read_line(weft::timeout(1s)); })));
    EXPECT_TRUE(is<weft::TimedOut>(error_of([&] { here.read_all(weft::timeout(1s)); })));
    EXPECT_EQ(here.read_some(buffer), 3U);
    EXPECT_TRUE(is<weft::TimedOut>(error_of([&] { here.read_some(buffer, weft::timeout(1s)); })));
    EXPECT_TRUE(is<weft::TimedOut>(
        error_of([&] { here.write_all(letters(1'000'000), weft::timeout(1s)); })));
    EXPECT_TRUE(is<weft::TimedOut>(error_of([&] { here.write_some("x", weft::timeout(1s)); })));
    auto writer = weft::spawn([&] { here.write_all("x"); });
    weft::testing::settle();
    EXPECT_TRUE(is<weft::TimedOut>(error_of([&] { here.write_all("y", weft::timeout(1s)); })));
    writer.cancel();
  });
}

// The timeout is checked although each read finds bytes.
TEST(StreamTest, ATimeoutEndsReadsThatNeverHaveToWait) {
  weft::testing::run([] {
    auto both = UnixStream::pair();
    both.second.write_all(letters(100'000));
    weft::Timeout limit{1ms};  // for all reads together
    std::array<std::byte, 1> one{};
    EXPECT_TRUE(is<weft::TimedOut>(error_of([&] {
      for (int i = 0; i < 100'000; ++i) both.first.read_exactly(one, limit);
    })));
  });
}

TEST(StreamTest, AnotherTokenEndsItWithOperationCancelled) {
  weft::testing::run([] {
    auto both = UnixStream::pair();
    UnixStream& here = both.first;
    auto stop = weft::spawn([] { weft::delay(1s); });
    std::string buffer(1, ' ');
    const auto error = error_of([&] { here.read_some(buffer, stop); });
    EXPECT_TRUE(is<weft::OperationCancelled>(error));
    EXPECT_FALSE(is<weft::TimedOut>(error));
  });
}

TEST(StreamTest, ACancelledReadKeepsWhatHadCome) {
  weft::testing::run([] {
    auto both = UnixStream::pair();
    UnixStream& here = both.first;
    UnixStream& there = both.second;
    there.write_all("half a ");
    auto line = weft::spawn([&] { here.read_line(); });
    weft::delay(1ms);
    line.cancel();
    weft::await_settled(std::vector{line});
    auto exact = weft::spawn([&] {
      std::string twenty(20, ' ');
      here.read_exactly(twenty);
    });
    weft::delay(1ms);
    exact.cancel();
    weft::await_settled(std::vector{exact});
    auto all = weft::spawn([&] { here.read_all(); });
    weft::delay(1ms);
    all.cancel();
    weft::await_settled(std::vector{all});
    there.write_all("line\n");
    EXPECT_EQ(here.read_line(), "half a line");
  });
}

// R-IO-7
TEST(StreamTest, AClosedOneFailsAtOnce) {
  weft::testing::run([] {
    auto both = UnixStream::pair();
    UnixStream& here = both.first;
    here.close();
    EXPECT_FALSE(here.is_open());
    EXPECT_EQ(here.descriptor(), -1);
    std::string buffer(1, ' ');
    const auto read = error_of([&] { here.read_some(buffer); });
    EXPECT_TRUE(is<std::system_error>(read));
    EXPECT_NE(text(read).find("Cannot read from closed IO handle"), std::string::npos);
    const auto write = error_of([&] { here.write_all("x"); });
    EXPECT_NE(text(write).find("Cannot write to closed IO handle"), std::string::npos);
    here.close();
    const UnixStream moved = std::move(here);
    EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { here.read_all(); })));  // NOLINT
  });
}

// R-IO-17; trap 17
TEST(StreamTest, CloseWakesAllWaiters) {
  weft::testing::run([] {
    auto both = UnixStream::pair();
    UnixStream& here = both.first;
    small_buffers(here);
    std::string a(4, ' ');
    std::vector<weft::Coroutine<void>> users;
    users.push_back(weft::spawn([&] { here.read_some(a); }));
    users.push_back(weft::spawn([&] { here.read_line(); }));
    users.push_back(weft::spawn([&] { here.write_all(letters(1'000'000)); }));
    users.push_back(weft::spawn([&] { here.write_all("in line"); }));
    users.push_back(
        weft::spawn([&] { weft::await(weft::poll(here.descriptor(), weft::Poll::prioritized)); }));
    weft::testing::settle();
    here = UnixStream{};  // destroys the stream; its handle lives until the operations have ended
    for (const auto& user : users) {
      const auto error = error_of([&] { weft::await(user); });
      EXPECT_TRUE(is<std::system_error>(error));
      EXPECT_NE(text(error).find("Stream was closed"), std::string::npos) << text(error);
    }
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

// R-IO-17; trap 17: a Poll of the descriptor, before and after the loop has armed it.
TEST(StreamTest, CloseWakesAWaiterOfTheDescriptorItself) {
  for (const bool seen : {false, true}) {
    weft::testing::run([&] {
      auto both = UnixStream::pair();
      auto waiter = weft::spawn([&] { weft::await(both.first.io().poll(weft::Poll::readable)); });
      weft::testing::settle();
      if (seen) weft::tick_reactor();
      both.first.close();
      EXPECT_TRUE(is<std::system_error>(error_of([&] { weft::await(waiter, weft::timeout(1s)); })));
      auto next = UnixStream::pair();  // uses the number again
      next.second.write_all("x");
      std::array<std::byte, 4> buffer{};
      EXPECT_EQ(next.first.read_some(buffer, weft::timeout(1s)), 1U);
    });
  }
}

// R-IO-17; trap 17: the stream is closed after a coroutine was granted the stream lock and before
// it runs. The number then belongs to another file.
TEST(StreamTest, ClosedBeforeItRunsTheOwnerOfTheStreamLockTouchesNothing) {
  weft::testing::run([] {
    auto both = UnixStream::pair();
    UnixStream& here = both.first;
    const int number = here.descriptor();
    weft_test::fill(number);
    weft_test::Ends another;
    auto first = weft::spawn([&] {
      here.write_all("first");
      here.close();
      another = weft_test::Ends::sockets();
    });
    auto second = weft::spawn([&] { here.write_all("second"); });
    weft::testing::settle();
    weft_test::drain(both.second.descriptor());
    weft::await(first);
    ASSERT_EQ(another.here.get(), number);
    const auto error = error_of([&] { weft::await(second); });
    EXPECT_NE(text(error).find("Stream was closed"), std::string::npos) << text(error);
    EXPECT_EQ(weft_test::take(another.there.get()), "");
  });
}

TEST(LinuxStreamTest, ADescriptorIsAddedToEpollOnce) {
  weft::testing::run([] {
    auto both = UnixStream::pair();
    UnixStream& here = both.first;
    UnixStream& there = both.second;
    const auto& kernel = weft::current_thread.reactor->readiness();
    std::array<std::byte, 64> buffer{};
    const std::uint64_t before = kernel.changes();
    for (int i = 0; i < 10; ++i) {
      auto reader = weft::spawn([&] { return here.read_some(buffer); });
      weft::testing::settle();
      there.write_all("message");
      EXPECT_EQ(weft::await(reader), 7U);
    }
    EXPECT_EQ(kernel.changes() - before, 1U);
    here.close();  // the kernel removes it from epoll, unless a child may share it
    EXPECT_EQ(kernel.changes() - before, weft::Readiness::may_be_shared() ? 2U : 1U);
  });
}

TEST(StreamTest, WhatIsNotReadIsNotReportedAgain) {
  weft::testing::run([] {
    auto both = UnixStream::pair();
    UnixStream& here = both.first;
    UnixStream& there = both.second;
    std::array<std::byte, 64> buffer{};
    there.write_all("read");
    EXPECT_EQ(here.read_some(buffer), 4U);
    there.write_all("unread");
    weft::Poll outside{there.descriptor(), weft::Poll::prioritized};
    outside.start();  // an active event, so that tick_reactor() polls
    weft::tick_reactor();
    weft::Reactor& reactor = *weft::current_thread.reactor;
    EXPECT_EQ(reactor.readiness().count_reports(), 0U);
    outside.stop();
    EXPECT_EQ(here.read_some(buffer), 6U);
  });
}

TEST(StreamTest, ACancelledReaderDoesNotTakeTheDescriptorFromOthers) {
  weft::testing::run([] {
    auto both = UnixStream::pair();
    UnixStream& here = both.first;
    UnixStream& there = both.second;
    std::string buffer(10, ' ');
    auto first = weft::spawn([&] { here.read_some(buffer); });
    auto second = weft::spawn([&] { return here.read_some(buffer); });
    auto third = weft::spawn(
        [&] { return weft::await(weft::poll(here.descriptor(), weft::Poll::readable)); });
    weft::testing::settle();
    first.cancel();
    weft::testing::settle();
    there.write_all("x");
    EXPECT_EQ(weft::await(third), weft::Poll::readable);
    EXPECT_EQ(weft::await(second), 1U);
  });
}

TEST(StreamTest, AStreamThatIsAlwaysReadyLetsOthersRun) {
  weft::testing::run([] {
    auto both = UnixStream::pair();
    UnixStream& here = both.first;
    UnixStream& there = both.second;
    there.write_all(letters(100'000));
    int others = 0;
    auto other = weft::spawn([&] {
      for (;;) {
        ++others;
        weft::suspend();
      }
    });
    std::array<std::byte, 100> buffer{};
    here.read_some(buffer);
    weft::suspend();
    const int before = others;
    for (int i = 0; i < 200; ++i) here.read_exactly(buffer);
    EXPECT_GT(others, before + 1);
    other.cancel();
  });
}

TEST(StreamTest, LivesThroughSeveralRuntimes) {
  auto both = UnixStream::pair();
  UnixStream& here = both.first;
  UnixStream& there = both.second;
  for (int i = 0; i < 3; ++i) {
    weft::testing::run([&] {
      std::string buffer(10, ' ');
      auto reader = weft::spawn([&] { return here.read_some(buffer); });
      weft::testing::settle();
      there.write_all("x");
      EXPECT_EQ(weft::await(reader), 1U);
    });
  }
}

TEST(StreamTest, WaitingNeedsARuntime) {
  auto both = UnixStream::pair();
  UnixStream& here = both.first;
  std::string buffer(10, ' ');
  EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { here.read_some(buffer); })));
}

TEST(StreamThreadTest, IsNotUsedByTwoThreads) {
  weft::run([] {
    auto [here, there] = UnixStream::pair();
    auto reader = weft::spawn([&stream = here] { return stream.read_line(); });
    weft::suspend();
    there.write_all("line\n");
    EXPECT_EQ(weft::await(reader), "line");
    const auto use = [&stream = here] {
      std::string buffer(10, ' ');
      EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { stream.read_some(buffer); })));
      EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { stream.write_all("x"); })));
      EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { stream.wait_readable(); })));
      EXPECT_TRUE(is<weft::MisuseError>(
          error_of([&] { static_cast<void>(stream.io().write("request")); })));
    };
    std::thread{[&] { weft::run(use); }}.join();
    std::thread{use}.join();
    here.write_all("ours\n");
    EXPECT_EQ(there.read_line(), "ours");

    const int handed_over = here.give_away();
    std::thread{[&] {
      weft::run([&] { UnixStream::adopt(handed_over).write_all("theirs\n"); });
    }}.join();
    EXPECT_EQ(there.read_line(), "theirs");
  });
}

}  // namespace
