#include <csignal>
#include <fstream>
#include <stdexcept>
#include <string>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "children.hpp"
#include "descriptors.hpp"
#include "failures.hpp"
#include "support.hpp"
#include "temporary.hpp"
#include "weft/extend/dns_event.hpp"
#include "weft/extend/exec_event.hpp"
#include "weft/extend/fs_watch.hpp"

// The public part of the event kinds of the loop. Their native handles are the private part, which
// no public header names.
#ifdef UV_H
#error "a public header includes libuv"
#endif

namespace public_part_test {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using weft_test::Ends;
using weft_test::error_of;
using weft_test::text;

// R-KIND-1
TEST(PublicPart, OfAPollIsItsDescriptorAndWhatIsWantedAndTriggered) {
  weft::run([] {
    const Ends ends = Ends::sockets();
    weft::Poll poll{ends.here.get(), weft::Poll::readable | weft::Poll::disconnect};
    EXPECT_EQ(poll.descriptor(), ends.here.get());
    EXPECT_EQ(poll.wanted(), weft::Poll::readable | weft::Poll::disconnect);
    EXPECT_EQ(poll.triggered(), 0U);
    weft_test::put(ends.there.get(), "x");
    weft::await(poll);
    EXPECT_EQ(poll.triggered(), weft::Poll::readable);
  });
}

// R-KIND-1
TEST(PublicPart, OfASignalIsItsNumber) { EXPECT_EQ(weft::SignalEvent{SIGUSR2}.number(), SIGUSR2); }

// R-KIND-1
TEST(PublicPart, OfAProcessIsItsIdAndItsExitCode) {
  weft::run([] {
    weft_test::HeldChild child{3};
    const auto event = weft::ProcessEvent::of(child.pid());
    EXPECT_EQ(event->pid(), child.pid());
    EXPECT_EQ(event->exit_code(), std::nullopt);
    child.release();
    weft::await(*event);
    EXPECT_EQ(event->exit_code(), 3);
    EXPECT_EQ(event->killed_by(), 0);
  });
}

// R-KIND-1
TEST(PublicPart, OfAThreadIsItsResultOrExceptionAndItsPlace) {
  weft::run([] {
    const weft::Place here{"foo.cpp", 10};
    const auto good = weft::Thread::start([] { return 7; }, {}, here);
    const auto bad = weft::Thread::start([]() -> int { throw std::runtime_error{"bad"}; });
    EXPECT_EQ(good.created_at().text(), here.text());
    EXPECT_EQ(weft::await(good), 7);
    EXPECT_EQ(text(error_of([&] { weft::await(bad); })), "bad");
    EXPECT_EQ(text(bad.exception()), "bad");
  });
}

// R-KIND-1
TEST(PublicPart, OfAFileWatchIsItsPathItsDepthAndWhatHasChanged) {
  weft::run([] {
    const weft_test::TemporaryDirectory directory;
    weft::FileWatchEvent watch{directory / "", true};
    EXPECT_EQ(watch.path(), directory / "");
    EXPECT_TRUE(watch.is_recursive());
    EXPECT_EQ(watch.last(), weft::FileChange{});
    weft::spawn([&] { std::ofstream{directory / "new"}; });
    weft::await(watch);
    EXPECT_EQ(watch.last().name, "new");
    EXPECT_TRUE(watch.last().renamed);
  });
}

// R-KIND-1
TEST(PublicPart, OfLookupsIsWhatIsLookedUpAndWhatWasFound) {
  weft::run([] {
    weft::AddressLookup addresses{"127.0.0.1", "80"};
    EXPECT_EQ(addresses.host(), "127.0.0.1");
    EXPECT_EQ(addresses.service(), "80");
    weft::await(addresses);
    const weft::Address found = weft::Address::parse("127.0.0.1", 80);
    EXPECT_THAT(addresses.take(), ElementsAre(found));
    weft::NameLookup names{found};
    EXPECT_EQ(names.address(), found);
    EXPECT_EQ(names.host(), "");
    weft::await(names);
    EXPECT_NE(names.host(), "");
    EXPECT_NE(names.service(), "");
  });
}

// R-KIND-1
TEST(PublicPart, OfAnExecIsItsOutputAndHowItEnded) {
  weft::run([] {
    weft::ExecEvent exec{{.argv = {"sh", "-c", "echo out; echo errors >&2; exit 3"},
                          .errors = weft::ChildStream::piped}};
    weft::await(exec);
    const weft::ExecResult result = exec.take_result();
    EXPECT_EQ(result.output, "out\n");
    EXPECT_EQ(result.errors, "errors\n");
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_EQ(result.signal, 0);

    weft::ExecEvent running{{.argv = {"sleep", "1000"}}};
    EXPECT_EQ(running.pid(), -1);
    running.start();
    EXPECT_GT(running.pid(), 0);
    running.stop();
  });
}

// R-KIND-1
TEST(PublicPart, OfAListenEventIsItsConnectionAndThePeer) {
  weft::run([] {
    weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);
    weft::ListenEvent event = listener.event();
    EXPECT_EQ(event.take(), -1);
    weft::TcpStream client = weft::TcpStream::connect("127.0.0.1", listener.port());
    weft::await(event);
    EXPECT_EQ(event.peer(), client.local_address());
    const weft_test::OwnDescriptor accepted{event.take()};
    EXPECT_GE(accepted.get(), 0);
  });
}

// R-KIND-1
TEST(PublicPart, OfATriggerAndATaskIsWhatTheyDo) {
  weft::run([] {
    weft::Trigger trigger;
    trigger.fire();
    weft::await(trigger);
    weft::ThreadPool pool{{.workers = 1}};
    const auto here = std::this_thread::get_id();
    EXPECT_NE(weft::await(pool.submit([] { return std::this_thread::get_id(); })), here);
  });
}

// R-KIND-1
TEST(PublicPart, OfAnIoIsItsDescriptorItsTypeAndItsState) {
  weft::run([] {
    Ends ends = Ends::pipe();
    const auto io =
        weft::Io::adopt(ends.here.get(), weft::Io::Type::pipe, weft::Io::readable, false);
    EXPECT_EQ(io->descriptor(), ends.here.get());
    EXPECT_EQ(io->type(), weft::Io::Type::pipe);
    EXPECT_EQ(io->state(), weft::Io::readable);
    ends.there.reset();
    EXPECT_EQ(io->read_all(), "");
    EXPECT_TRUE(io->is_at_end());
    EXPECT_EQ(io->state() & weft::Io::end_of_file, weft::Io::end_of_file);
  });
}

}  // namespace public_part_test
