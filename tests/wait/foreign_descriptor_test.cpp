#include "weft/extend/foreign_descriptor.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/current.hpp"
#include "descriptors.hpp"
#include "failures.hpp"
#include "reactor/descriptor.hpp"
#include "reactor/reactor.hpp"
#include "support.hpp"
#include "weft/extend/embed.hpp"
#include "weft/extend/io.hpp"
#include "weft/extend/poll_event.hpp"
#include "weft/weft.hpp"

namespace {

using weft::Poll;
using weft_test::Ends;
using weft_test::error_of;
using weft_test::Log;
using weft_test::put;

int code_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::system_error& e) {
    return e.code().value();
  } catch (...) {
    return -1;
  }
}

bool blocks(int descriptor) { return (::fcntl(descriptor, F_GETFL) & O_NONBLOCK) == 0; }

/// Closes a descriptor as foreign code must: tells weft before.
void close_as_foreign_code_does(int descriptor) {
  weft::descriptor_closed(descriptor);
  ::close(descriptor);
}

TEST(DescriptorClosedTest, WakesEachWaiterWithAnError) {
  weft::testing::run([] {
    Ends ends = Ends::sockets();
    weft_test::fill(ends.here.get());
    const int number = ends.here.get();
    auto reader = weft::spawn([&] { weft::await(weft::poll(number, Poll::readable)); });
    auto writer = weft::spawn([&] { weft::await(weft::poll(number, Poll::writable)); });
    weft::testing::settle();
    close_as_foreign_code_does(ends.here.release());
    EXPECT_EQ(code_of(error_of([&] { weft::await(reader); })), EBADF);
    EXPECT_EQ(code_of(error_of([&] { weft::await(writer); })), EBADF);
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

TEST(DescriptorClosedTest, TheNextFileWithTheNumberHasAWatchOfItsOwn) {
  weft::testing::run([] {
    Ends first = Ends::sockets();
    const int number = first.here.get();
    auto waiting = weft::spawn([&] { weft::await(weft::poll(number, Poll::readable)); });
    weft::testing::settle();
    close_as_foreign_code_does(first.here.release());
    EXPECT_EQ(code_of(error_of([&] { weft::await(waiting); })), EBADF);

    const Ends second = Ends::sockets();
    ASSERT_EQ(second.here.get(), number);
    auto again = weft::spawn([&] { return weft::await(weft::poll(number, Poll::readable)); });
    weft::testing::settle();
    put(second.there.get(), "x");
    EXPECT_EQ(weft::await(again), Poll::readable);
  });
}

TEST(DescriptorClosedTest, IsHarmlessForADescriptorThatIsNotWatchedAndOutsideARuntime) {
  weft::descriptor_closed(0);
  weft::descriptor_closed(-1);
  weft::testing::run([] {
    weft::descriptor_closed(-1);
    weft::descriptor_closed(1 << 20);
  });
}

TEST(PollModeTest, APollThatLeavesTheModeAloneLeavesABlockingDescriptorBlocking) {
  weft::testing::run([] {
    const Ends ends = Ends::sockets();
    ::fcntl(ends.here.get(), F_SETFL, 0);
    put(ends.there.get(), "x");
    Poll alone{ends.here.get(), Poll::readable};
    alone.leave_mode_alone();
    EXPECT_EQ(weft::await(alone), Poll::readable);
    EXPECT_TRUE(blocks(ends.here.get()));
    EXPECT_EQ(weft::await(weft::poll(ends.here.get(), Poll::readable)), Poll::readable);
    EXPECT_FALSE(blocks(ends.here.get()));
  });
}

TEST(WaiterOfTest, NamesTheCoroutineThatWaitsForAWay) {
  weft::testing::run([] {
    const Ends ends = Ends::sockets();
    const int number = ends.here.get();
    weft_test::fill(number);
    EXPECT_EQ(weft::waiter_of(number, Poll::readable), nullptr);
    auto reader = weft::spawn([&] { weft::await(weft::poll(number, Poll::readable)); });
    auto writer = weft::spawn([&] { weft::await(weft::poll(number, Poll::writable)); });
    weft::testing::settle();
    ASSERT_NE(weft::waiter_of(number, Poll::readable), nullptr);
    EXPECT_EQ(weft::waiter_of(number, Poll::readable)->id(), reader.id());
    EXPECT_EQ(weft::waiter_of(number, Poll::writable)->id(), writer.id());
    EXPECT_EQ(weft::waiter_of(number, Poll::prioritized), nullptr);
    put(ends.there.get(), "x");
    weft::await(reader);
    EXPECT_EQ(weft::waiter_of(number, Poll::readable), nullptr);
    writer.cancel();
  });
}

TEST(WaiterOfTest, NamesTheReaderOfAStream) {
  weft::testing::run([] {
    Ends ends = Ends::sockets();
    const int number = ends.here.get();
    const auto stream = weft::Io::adopt(ends.here.release());
    auto reader = weft::spawn([&] {
      std::array<char, 8> buffer{};
      return stream->read_some(buffer);
    });
    weft::testing::settle();
    ASSERT_NE(weft::waiter_of(number, Poll::readable), nullptr);
    EXPECT_EQ(weft::waiter_of(number, Poll::readable)->id(), reader.id());
    put(ends.there.get(), "x");
    EXPECT_EQ(weft::await(reader), 1U);
  });
}

/// Waits like a bridged call: repeatedly for one way, without a new registration.
class Again final : public weft::ReadinessWaiter {
 public:
  explicit Again(const weft::Event& event) noexcept : ReadinessWaiter{event, Counts::active} {}
  ~Again() override = default;
  int notified = 0;

 private:
  void on_ready() noexcept override { ++notified; }
  void on_closed(const std::exception_ptr& /*error*/) noexcept override { notified = -1; }
};

TEST(LinuxKeptDescriptorTest, IsMadeKnownToTheKernelOnce) {
  weft::testing::run([] {
    const Ends ends = Ends::sockets();
    weft::Reactor& reactor = *weft::current_thread.reactor;
    weft_test::Doorbell any;
    Again waiter{any};
    std::uint64_t changes = 0;
    for (int i = 1; i <= 3; ++i) {
      const auto descriptor = weft::Descriptor::of(reactor, ends.here.get());
      descriptor->keep();
      descriptor->found_unready(Poll::readable);
      descriptor->add(waiter, Poll::readable);
      if (i == 1) changes = reactor.readiness().changes();
      put(ends.there.get(), "x");
      weft::tick_reactor();
      EXPECT_EQ(waiter.notified, i);
      EXPECT_EQ(weft_test::take(ends.here.get()), "x");
    }
    EXPECT_EQ(reactor.readiness().changes(), changes);
  });
}

TEST(KeptDescriptorTest, IsLetGoWhenTheNumberIsClosed) {
  weft::testing::run([] {
    Ends ends = Ends::sockets();
    const int number = ends.here.get();
    weft::Reactor& reactor = *weft::current_thread.reactor;
    weft_test::Doorbell any;
    Again waiter{any};
    weft::Descriptor::of(reactor, number)->keep();
    weft::Descriptor::of(reactor, number)->add(waiter, Poll::readable);
    EXPECT_NE(reactor.descriptors().find(number), nullptr);
    close_as_foreign_code_does(ends.here.release());
    EXPECT_EQ(waiter.notified, -1);
    EXPECT_EQ(reactor.descriptors().find(number), nullptr);
  });
}

}  // namespace
