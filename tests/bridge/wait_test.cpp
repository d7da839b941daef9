#include <array>
#include <cerrno>
#include <memory>
#include <poll.h>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "bridged.hpp"
#include "failures.hpp"
#include "foreign/calls.hpp"
#include "support.hpp"
#include "weft/extend/foreign_descriptor.hpp"
#include "weft/extend/poll_event.hpp"

namespace {

using namespace std::chrono_literals;
using weft_test::blocking;
using weft_test::Bridged;
using weft_test::Ends;
using weft_test::error_of;
using weft_test::is;
using weft_test::Log;
using weft_test::put;

/// What recv() gives for one byte, and its errno.
struct Received {
  ssize_t size = 0;
  int error = 0;
  char byte = 0;
};
Received receive(int descriptor, int flags = 0) {
  Received got;
  errno = 0;
  got.size = foreign::recv(descriptor, &got.byte, 1, flags);
  got.error = errno;
  return got;
}

class BridgeWaitTest : public ::testing::Test {
  Bridged bridged_;
};

TEST_F(BridgeWaitTest, OtherCoroutinesRunWhileOneReceives) {
  Log log;
  weft::testing::run([&] {
    const Ends ends = blocking(Ends::sockets());
    auto reader = weft::spawn([&] {
      log.push_back("receives");
      const Received got = receive(ends.here.get());
      EXPECT_EQ(got.size, 1);
      log.push_back("got " + std::string(1, got.byte));
    });
    weft::testing::settle();
    log.push_back("sends");
    put(ends.there.get(), "x");
    weft::await(reader);
    EXPECT_TRUE(weft_test::blocks(ends.here.get()));
  });
  EXPECT_EQ(log, (Log{"receives", "sends", "got x"}));
}

// trap 35
TEST_F(BridgeWaitTest, ACancelledCallFailsWithEcanceledAndTheNextWaitOfWeftThrows) {
  weft::testing::run([&] {
    const Ends ends = blocking(Ends::sockets());
    Log log;
    auto reader = weft::spawn([&] {
      const Received first = receive(ends.here.get());
      EXPECT_EQ(first.size, -1);
      EXPECT_EQ(first.error, ECANCELED);
      log.push_back("first");
      // A library that tries again gets the same at once.
      EXPECT_EQ(receive(ends.here.get()).error, ECANCELED);
      EXPECT_EQ(foreign::usleep(1'000'000), -1);
      EXPECT_EQ(errno, ECANCELED);
      // What need not wait works: clean-up may send.
      EXPECT_EQ(foreign::send(ends.here.get(), "q", 1, 0), 1);
      log.push_back("tidied up");
      weft::suspend();
      log.push_back("never");
    });
    weft::testing::settle();
    reader.cancel();
    EXPECT_TRUE(is<weft::Cancelled>(error_of([&] { weft::await(reader); })));
    EXPECT_TRUE(reader.is_cancelled());
    EXPECT_EQ(log, (Log{"first", "tidied up"}));
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

TEST_F(BridgeWaitTest, AProtectedCallWaitsAsUsual) {
  weft::testing::run([&] {
    const Ends ends = blocking(Ends::sockets());
    auto reader =
        weft::spawn([&] { weft::protect([&] { EXPECT_EQ(receive(ends.here.get()).size, 1); }); });
    weft::testing::settle();
    reader.cancel();
    weft::testing::settle();
    put(ends.there.get(), "x");
    EXPECT_TRUE(is<weft::Cancelled>(error_of([&] { weft::await(reader); })));
  });
}

TEST_F(BridgeWaitTest, ACallInADestructorWaitsWhileACancellationIsThrown) {
  weft::testing::run([&] {
    const Ends ends = blocking(Ends::sockets());
    ssize_t at_end = 0;
    auto reader = weft::spawn([&] {
      struct Tidy {
        int descriptor;
        ssize_t& result;
        ~Tidy() { result = receive(descriptor).size; }
      } const tidy{ends.here.get(), at_end};
      weft::delay(1h);
    });
    weft::testing::settle();
    reader.cancel();
    weft::testing::settle();
    EXPECT_EQ(at_end, 0);
    put(ends.there.get(), "x");
    EXPECT_TRUE(is<weft::Cancelled>(error_of([&] { weft::await(reader); })));
    EXPECT_EQ(at_end, 1);
  });
}

// trap 36
TEST_F(BridgeWaitTest, ASecondReaderIsRefusedWithAnErrorThatNamesBoth) {
  std::vector<std::string> warnings;
  weft::testing::run(
      [&] {
        const Ends ends = blocking(Ends::sockets());
        auto first = weft::spawn([&] { EXPECT_EQ(receive(ends.here.get()).size, 1); });
        weft::testing::settle();
        auto second = weft::spawn([&] {
          const Received got = receive(ends.here.get());
          EXPECT_EQ(got.size, -1);
          EXPECT_EQ(got.error, EBUSY);
        });
        weft::await(second);
        const weft::bridge::Refusal refusal = weft::bridge::last_refusal();
        EXPECT_EQ(refusal.descriptor, ends.here.get());
        EXPECT_EQ(refusal.waiter, first.id());
        EXPECT_EQ(refusal.refused, second.id());
        ASSERT_EQ(warnings.size(), 1U);
        EXPECT_EQ(warnings[0], refusal.text);
        EXPECT_NE(refusal.text.find("coroutine " + std::to_string(first.id())), std::string::npos);
        EXPECT_NE(refusal.text.find("coroutine " + std::to_string(second.id())), std::string::npos);
        put(ends.there.get(), "x");
        weft::await(first);
        // Once the first is through, the descriptor is free.
        put(ends.there.get(), "y");
        EXPECT_EQ(receive(ends.here.get()).byte, 'y');
      },
      weft_test::collecting(warnings));
}

// The first has been woken, but has not run: its data is not the second one's.
TEST_F(BridgeWaitTest, ASecondReaderIsRefusedAlsoWhenTheDataHasCome) {
  std::vector<std::string> warnings;
  weft::testing::run(
      [&] {
        const Ends ends = blocking(Ends::sockets());
        Received of_first;
        auto first = weft::spawn([&] { of_first = receive(ends.here.get()); });
        weft::testing::settle();
        put(ends.there.get(), "x");
        EXPECT_EQ(receive(ends.here.get()).error, EBUSY);
        weft::await(first);
        EXPECT_EQ(of_first.byte, 'x');
      },
      weft_test::collecting(warnings));
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(BridgeWaitTest, AReaderOfAStreamIsNamedToo) {
  std::vector<std::string> warnings;
  weft::testing::run(
      [&] {
        const Ends ends = Ends::sockets();
        auto first =
            weft::spawn([&] { weft::await(weft::poll(ends.here.get(), weft::Poll::readable)); });
        weft::testing::settle();
        pollfd look{ends.here.get(), POLLIN, 0};
        EXPECT_EQ(foreign::poll(&look, 1, -1), -1);
        EXPECT_EQ(errno, EBUSY);
        EXPECT_EQ(weft::bridge::last_refusal().waiter, first.id());
        first.cancel();
      },
      weft_test::collecting(warnings));
}

// trap 36
TEST_F(BridgeWaitTest, OneReadsWhileAnotherWrites) {
  weft::testing::run([&] {
    const Ends ends = blocking(Ends::sockets());
    const std::string much(2'000'000, 'a');
    auto writer = weft::spawn([&] {
      EXPECT_EQ(foreign::send(ends.here.get(), much.data(), much.size(), 0),
                static_cast<ssize_t>(much.size()));
    });
    auto reader = weft::spawn([&] { EXPECT_EQ(receive(ends.here.get()).byte, 'b'); });
    weft::testing::settle();
    EXPECT_NE(weft::waiter_of(ends.here.get(), weft::Poll::readable), nullptr);
    EXPECT_NE(weft::waiter_of(ends.here.get(), weft::Poll::writable), nullptr);
    put(ends.there.get(), "b");
    weft::await(reader);
    std::string got(much.size(), '\0');
    EXPECT_EQ(foreign::recv(ends.there.get(), got.data(), got.size(), MSG_WAITALL),
              static_cast<ssize_t>(got.size()));
    EXPECT_EQ(got, much);
    weft::await(writer);
  });
}

// trap 37
TEST_F(BridgeWaitTest, ACloseEndsTheWaitAndTheNextFileWithTheNumberIsWatched) {
  weft::testing::run([&] {
    Ends first = blocking(Ends::sockets());
    const int number = first.here.get();
    Received of_first;
    auto reader = weft::spawn([&] { of_first = receive(number); });
    weft::testing::settle();
    EXPECT_EQ(foreign::close(first.here.release()), 0);
    weft::await(reader);
    EXPECT_EQ(of_first.size, -1);
    EXPECT_EQ(of_first.error, EBADF);
    const Ends second = blocking(Ends::sockets());
    ASSERT_EQ(second.here.get(), number);
    auto again = weft::spawn([&] { EXPECT_EQ(receive(number).byte, 'y'); });
    weft::testing::settle();
    put(second.there.get(), "y");
    weft::await(again);
  });
}

TEST_F(BridgeWaitTest, Dup2EndsTheWaitsForTheNumberThatItReplaces) {
  weft::testing::run([&] {
    const Ends first = blocking(Ends::sockets());
    const Ends second = blocking(Ends::sockets());
    Received of_first;
    auto reader = weft::spawn([&] { of_first = receive(first.here.get()); });
    weft::testing::settle();
    EXPECT_EQ(foreign::dup2(second.here.get(), first.here.get()), first.here.get());
    weft::await(reader);
    EXPECT_EQ(of_first.error, EBADF);
    put(second.there.get(), "z");
    EXPECT_EQ(receive(first.here.get()).byte, 'z');
  });
}

// trap 38
TEST_F(BridgeWaitTest, ANumberThatWasClosedUnseenIsWatchedAgain) {
  weft::testing::run([&] {
    Ends first = blocking(Ends::sockets());
    const int number = first.here.get();
    auto reader = weft::spawn([&] { EXPECT_EQ(receive(number).byte, 'x'); });
    weft::testing::settle();
    put(first.there.get(), "x");
    weft::await(reader);
    first.here.reset();  // as a raw system call does
    first.there.reset();
    const weft_test::OwnDescriptor fresh{foreign::socket(AF_INET, SOCK_DGRAM, 0)};
    ASSERT_EQ(fresh.get(), number);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const raw = reinterpret_cast<sockaddr*>(&address);
    ASSERT_EQ(::bind(number, raw, size), 0);
    ASSERT_EQ(::getsockname(number, raw, &size), 0);
    auto again = weft::spawn([&] { EXPECT_EQ(receive(number).byte, 'u'); });
    weft::testing::settle();
    const weft_test::OwnDescriptor sender{::socket(AF_INET, SOCK_DGRAM, 0)};
    ASSERT_EQ(::sendto(sender.get(), "u", 1, 0, raw, size), 1);
    weft::await(again);
  });
}

// trap 39
TEST_F(BridgeWaitTest, ACallbackBlocksInsteadOfSuspending) {
  weft::testing::run([&] {
    const Ends ends = blocking(Ends::sockets());
    weft_test::Doorbell bell;
    Received got;
    weft_test::Call call{
        [&](weft::Event&, const weft::Outcome&) { got = receive(ends.here.get()); }};
    bell.add_callback(call);
    put(ends.there.get(), "x");
    bell.ring();
    EXPECT_EQ(got.byte, 'x');
    bell.remove_callback(call);
  });
}

TEST_F(BridgeWaitTest, AForeignThreadBlocksAsEver) {
  weft::testing::run([&] {
    const Ends ends = blocking(Ends::sockets());
    Received got;
    std::thread thread{[&] { got = receive(ends.here.get()); }};
    put(ends.there.get(), "x");
    thread.join();
    EXPECT_EQ(got.byte, 'x');
  });
}

TEST_F(BridgeWaitTest, DirectMakesCallsBlock) {
  weft::testing::run([&] {
    const Ends ends = blocking(Ends::sockets());
    bool other_ran = false;
    auto other = weft::spawn([&] { other_ran = true; });
    {
      const weft::bridge::Direct direct;
      EXPECT_EQ(foreign::usleep(1'000), 0);
      EXPECT_FALSE(other_ran);
    }
    EXPECT_EQ(foreign::usleep(1'000), 0);
    EXPECT_TRUE(other_ran);
    weft::await(other);
  });
}

// trap 40
TEST_F(BridgeWaitTest, ErrnoIsThatOfTheCallWhateverOthersDid) {
  weft::testing::run([&] {
    const Ends ends = blocking(Ends::sockets());
    const timeval soon{0, 20'000};
    foreign::setsockopt(ends.here.get(), SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof soon);
    auto other = weft::spawn([&] {
      for (int i = 0; i < 5; ++i) {
        errno = ENOTTY;
        weft::delay(5ms);
      }
    });
    const Received got = receive(ends.here.get());
    EXPECT_EQ(got.error, EAGAIN);
    weft::await(other);
  });
}

// trap 41
TEST_F(BridgeWaitTest, ACoroutineWhoseCallsNeverWaitLetsTheOthersRun) {
  weft::testing::run([&] {
    const Ends ends = blocking(Ends::sockets());
    bool stop = false;
    auto other = weft::spawn([&] { stop = true; });
    int rounds = 0;
    while (!stop && rounds < 1'000) {
      ++rounds;
      put(ends.there.get(), "x");
      EXPECT_EQ(receive(ends.here.get()).size, 1);
    }
    EXPECT_LT(rounds, 1'000);
    weft::await(other);
  });
}

// trap 41
TEST_F(BridgeWaitTest, CallsThatOnlySendLetNoOthersRun) {
  weft::testing::run([&] {
    const Ends ends = blocking(Ends::sockets());
    bool other_ran = false;
    auto other = weft::spawn([&] { other_ran = true; });
    for (int i = 0; i < 100; ++i) {
      EXPECT_EQ(foreign::send(ends.here.get(), "x", 1, 0), 1);
      EXPECT_EQ(foreign::write(ends.here.get(), "y", 1), 1);
      weft_test::take(ends.there.get(), 2);
    }
    EXPECT_FALSE(other_ran);
    weft::await(other);
  });
}

TEST_F(BridgeWaitTest, AReportNamesTheCallAndItsDescriptor) {
  weft::testing::run([&] {
    const Ends ends = blocking(Ends::tcp());
    auto reader = weft::spawn([&] { receive(ends.here.get()); });
    weft::testing::settle();
    const auto awaiting = reader.awaiting();
    ASSERT_EQ(awaiting.size(), 1U);
    EXPECT_EQ(awaiting[0].rfind("recv() of TCP 127.0.0.1:", 0), 0U) << awaiting[0];
    put(ends.there.get(), "x");
    weft::await(reader);
  });
}

TEST_F(BridgeWaitTest, NothingComesMeansADeadlockThatIsReported) {
  // A wait for a descriptor keeps the program alive, as one of weft's own does.
  weft::testing::run([&] {
    const Ends ends = blocking(Ends::sockets());
    auto reader = weft::spawn([&] { receive(ends.here.get()); });
    weft::testing::settle();
    EXPECT_EQ(weft::stats().active_events, 1U);
    reader.cancel();
    error_of([&] { weft::await(reader); });
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

// All schedules of a reader, a writer and their canceller; and a cancellation at each suspension.
void talk() {
  // A cancelled main leaves before its coroutines do.
  const auto ends = std::make_shared<Ends>(blocking(Ends::sockets()));
  const timeval limit{1, 0};  // a cancelled writer sends nothing
  foreign::setsockopt(ends->here.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  auto reader = weft::spawn([ends] {
    const Received got = receive(ends->here.get());
    const bool ended = got.error == ECANCELED || got.error == EAGAIN;
    if (got.size == 1 ? got.byte != 'x' : !ended) weft::testing::fail("recv");
  });
  auto writer = weft::spawn([ends] {
    if (foreign::send(ends->there.get(), "x", 1, 0) != 1) weft::testing::fail("send");
  });
  auto sleeper = weft::spawn([] {
    if (foreign::usleep(10) != 0 && errno != ECANCELED) weft::testing::fail("usleep");
  });
  weft::await(writer);
  weft::await(sleeper);
  weft::await(reader);
}

TEST_F(BridgeWaitTest, HoldsUnderAllSchedules) {
  const auto report = weft::testing::explore(&talk);
  EXPECT_TRUE(report.ok()) << report.first_failure();
  EXPECT_TRUE(report.complete());
}

TEST_F(BridgeWaitTest, HoldsWithACancellationAtEverySuspension) {
  const auto report = weft::testing::explore(&talk, {.cancel = weft::testing::every_point});
  EXPECT_TRUE(report.ok()) << report.first_failure();
  EXPECT_TRUE(report.complete());
}

void refuse_one() {
  const Ends ends = blocking(Ends::sockets());
  int refused = 0;
  int served = 0;
  const auto read_one = [&] {
    const Received got = receive(ends.here.get());
    if (got.size == 1) ++served;
    if (got.size < 0 && got.error == EBUSY) ++refused;
  };
  auto one = weft::spawn(read_one);
  auto two = weft::spawn(read_one);
  auto writer = weft::spawn([&] { foreign::send(ends.there.get(), "xy", 2, 0); });
  weft::await(one);
  weft::await(two);
  weft::await(writer);
  if (served < 1 || served + refused != 2) weft::testing::fail("a reader was lost");
}

TEST_F(BridgeWaitTest, ExactlyOneOfTwoReadersWaitsUnderAllSchedules) {
  const auto report = weft::testing::explore(&refuse_one);
  EXPECT_TRUE(report.ok()) << report.first_failure();
  EXPECT_TRUE(report.complete());
}

void close_while_waiting() {
  Ends ends = blocking(Ends::sockets());
  const int number = ends.here.get();
  auto reader = weft::spawn([&] {
    const Received got = receive(number);
    if (got.size >= 0 || (got.error != EBADF && got.error != ECANCELED))
      weft::testing::fail("recv");
  });
  auto closer = weft::spawn([&] { foreign::close(ends.here.release()); });
  weft::await(closer);
  weft::await(reader);
}

TEST_F(BridgeWaitTest, ACloseIsSeenUnderAllSchedules) {
  auto report = weft::testing::explore(&close_while_waiting);
  EXPECT_TRUE(report.ok()) << report.first_failure();
}

TEST_F(BridgeWaitTest, ANonBlockingReceiveIsNotRefusedWhileAnotherCoroutinePolls) {
  weft::testing::run([&] {
    const Ends ends = Ends::sockets();
    auto poller = weft::spawn([&] {
      pollfd look{ends.here.get(), POLLIN, 0};
      EXPECT_EQ(foreign::poll(&look, 1, -1), 1);
    });
    weft::testing::settle();
    EXPECT_EQ(receive(ends.here.get()).error, EAGAIN);
    put(ends.there.get(), "x");
    EXPECT_EQ(receive(ends.here.get()).byte, 'x');
    put(ends.there.get(), "y");
    weft::await(poller);
  });
}

}  // namespace
