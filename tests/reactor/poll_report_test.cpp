#include <memory>
#include <sys/socket.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/current.hpp"
#include "descriptors.hpp"
#include "failures.hpp"
#include "reactor/reactor.hpp"
#include "support.hpp"
#include "weft/extend/embed.hpp"
#include "weft/weft.hpp"

// How one report notifies all polls of the descriptor.
namespace {

using weft::Poll;
using weft_test::Ends;
using weft_test::put;

/// A poll that is armed as long as it lives, and counts its notifications.
class Listener {
 public:
  Listener(int descriptor, unsigned wanted, weft::Function<void()> then = {})
      : poll_{descriptor, wanted}, then_{std::move(then)} {
    poll_.add_callback(call_);
  }
  ~Listener() { poll_.remove_callback(call_); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  Poll& poll() noexcept { return poll_; }
  [[nodiscard]] int notified() const noexcept { return notified_; }

 private:
  Poll poll_;
  weft::Function<void()> then_;
  int notified_ = 0;
  weft_test::Call call_{[this](weft::Event&, const weft::Outcome&) {
    ++notified_;
    if (then_) then_();
  }};
};

// trap 12
TEST(PollReportTest, APollThatIsStoppedMeanwhileIsNotNotified) {
  weft::testing::run([] {
    const Ends ends = Ends::sockets();
    std::unique_ptr<Listener> second;
    std::unique_ptr<Listener> third;
    Listener first{ends.here.get(), Poll::readable, [&] {
                     second->poll().stop();
                     third.reset();
                   }};
    second = std::make_unique<Listener>(ends.here.get(), unsigned{Poll::readable});
    third = std::make_unique<Listener>(ends.here.get(), unsigned{Poll::readable});
    Listener last{ends.here.get(), Poll::readable};
    first.poll().start();
    second->poll().start();
    third->poll().start();
    last.poll().start();
    put(ends.there.get(), "x");
    weft::tick_reactor();
    EXPECT_EQ(first.notified(), 1);
    EXPECT_EQ(second->notified(), 0);
    EXPECT_EQ(last.notified(), 1);
  });
}

TEST(PollReportTest, APollThatIsStartedMeanwhileIsNotifiedByTheNextPoll) {
  weft::testing::run([] {
    const Ends ends = Ends::sockets();
    Listener late{ends.here.get(), Poll::readable};
    Listener first{ends.here.get(), Poll::readable, [&] {
                     if (first.notified() == 1) late.poll().start();
                   }};
    Listener second{ends.here.get(), Poll::readable};
    first.poll().start();
    second.poll().start();
    put(ends.there.get(), "x");
    weft::tick_reactor();
    EXPECT_EQ(second.notified(), 1);
    EXPECT_EQ(late.notified(), 0);
    weft::tick_reactor();
    EXPECT_EQ(late.notified(), 1);
  });
}

// The end of the stream stays true, but is reported once, not in every poll.
TEST(PollReportTest, AnEndNotifiesEachWaiterOnce) {
  weft::testing::run([] {
    const Ends ends = Ends::tcp();
    Listener end{ends.here.get(), Poll::disconnect};
    Listener urgent{ends.here.get(), Poll::prioritized};
    end.poll().start();
    urgent.poll().start();
    ::shutdown(ends.there.get(), SHUT_WR);
    for (int i = 0; i < 3; ++i) weft::tick_reactor();
    EXPECT_EQ(end.notified(), 1);
    EXPECT_EQ(urgent.notified(), 1);
    Listener late{ends.here.get(), Poll::disconnect};
    late.poll().start();
    for (int i = 0; i < 3; ++i) weft::tick_reactor();
    EXPECT_EQ(late.notified(), 1);
  });
}

// The kernel reports only the hang-up.
TEST(PollReportTest, APipeWhoseWriterHasGoneIsReadable) {
  weft::testing::run([] {
    Ends ends = Ends::pipe();
    auto reader =
        weft::spawn([&] { return weft::await(weft::poll(ends.here.get(), Poll::readable)); });
    weft::testing::settle();
    ends.there.reset();
    EXPECT_EQ(weft::await(reader), Poll::readable);
  });
}

// Because of a duplicate, the kernel would go on reporting the closed descriptor.
TEST(PollReportTest, OneThatIsClosedIsNotReportedThoughItsFileIsOpen) {
  weft::testing::run([] {
    Ends ends = Ends::sockets();
    const weft_test::OwnDescriptor copy{::dup(ends.here.get())};
    Poll owner{ends.here.get(), Poll::readable};
    owner.close_descriptor_at_end();
    Poll other{ends.here.get(), Poll::readable};
    other.start();
    weft::tick_reactor();
    owner.close();
    EXPECT_FALSE(weft_test::is_open(ends.here.release()));
    put(ends.there.get(), "x");
    EXPECT_EQ(weft::current_thread.reactor->readiness().count_reports(), 0U);
  });
}

// R-POLL-8
TEST(PollReportTest, AReportThatIsNotTrueIsDroppedWhateverHadTheNumberBefore) {
  weft::testing::run([] {
    const Ends pipe = Ends::pipe();
    const Ends first = Ends::sockets();
    Ends ends = Ends::sockets();
    const weft_test::OwnDescriptor number{::dup(pipe.here.get())};
    Listener poll{number.get(), Poll::readable};
    poll.poll().start();
    put(pipe.there.get(), "x");
    weft::tick_reactor();
    EXPECT_EQ(poll.notified(), 1);
    poll.poll().stop();
    ASSERT_EQ(::dup2(ends.here.get(), number.get()), number.get());
    // Reads the data after the report of the kernel and before `poll` is notified.
    Listener taker{first.here.get(), Poll::readable, [&] {
                     weft_test::take(number.get());
                     weft_test::take(first.here.get());
                   }};
    taker.poll().start();
    poll.poll().start();
    put(first.there.get(), "x");
    put(ends.there.get(), "x");
    weft::tick_reactor();
    EXPECT_EQ(taker.notified(), 1);
    EXPECT_EQ(poll.notified(), 1);
  });
}

}  // namespace
