#include <cstdlib>
#include <fcntl.h>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "datagrams.hpp"
#include "descriptors.hpp"
#include "failures.hpp"
#include "support.hpp"
#include "temporary.hpp"
#include "timed_read.hpp"
#include "weft/extend/embed.hpp"

// What the kernel reports of the kinds of files that streams use: each ends, fails and fills
// up in its own way. After a missed report a read would wait for ever, here until the timeout.
namespace {

using namespace std::chrono_literals;
using weft::Io;
using weft::Poll;
using weft_test::adopt;
using weft_test::Ends;
using weft_test::OwnDescriptor;
using weft_test::put;
using weft_test::timed_read;

// The receiver is full, but the kernel reports the sender as writable all the time.
TEST(EdgeKindsTest, ADatagramWaitsForRoomAtAReceiverThatItIsNotConnectedTo) {
  weft::testing::run([] {
    const weft_test::NamedDatagrams receiver;
    const auto io = weft_test::adopt_datagrams();
    const auto send = [&] { io->send_to(std::string{"x"}, receiver.name, weft::timeout(1s)); };
    int sent = 0;
    try {
      for (; sent < 100'000; ++sent) send();
    } catch (const weft::TimedOut&) {
    }
    ASSERT_LT(sent, 100'000);
    const auto looks = [] { return weft::stats().reactor_waits + weft::stats().reactor_ticks; };
    const std::uint64_t before = looks();
    EXPECT_THROW(send(), weft::TimedOut);
    EXPECT_LT(looks() - before, 100U);  // waits instead of trying all the time
    auto sender = weft::spawn(send);
    weft::testing::settle();
    EXPECT_FALSE(sender.is_completed());
    EXPECT_EQ(weft_test::take(receiver.socket.get()), "x");
    EXPECT_EQ(weft_test::error_of([&] { weft::await(sender); }), nullptr);
    auto late = weft::spawn(send);
    weft::testing::settle();
    io->close();
    EXPECT_EQ(weft_test::code_of(weft_test::error_of([&] { weft::await(late); })), ECANCELED);
  });
}

// The kernel reports no edge for it: a wait would last until its timeout.
TEST(EdgeKindsTest, AFullReceiverLeavesItsSenderWritable) {
  weft::testing::run([] {
    const weft_test::NamedDatagrams receiver;
    const auto io = weft_test::adopt_datagrams();
    io->wait_writable(weft::timeout(1s));
    const auto send = [&] { io->send_to(std::string{"x"}, receiver.name, weft::timeout(1s)); };
    EXPECT_THROW(for (int i = 0; i < 100'000; ++i) send(), weft::TimedOut);
    EXPECT_EQ(weft_test::error_of([&] { io->wait_writable(weft::timeout(1s)); }), nullptr);
  });
}

TEST(EdgeKindsTest, ADatagramWaitsForRoomAtTheReceiverThatItIsConnectedTo) {
  weft::testing::run([] {
    const weft_test::NamedDatagrams receiver;
    OwnDescriptor socket = weft_test::unix_datagrams();
    const weft::Address& name = receiver.name;
    ASSERT_EQ(::connect(socket.get(), static_cast<const sockaddr*>(name.native()),
                        static_cast<socklen_t>(name.native_size())),
              0);
    const auto io = adopt(socket);
    const auto send = [&] { io->write_all(std::string{"x"}, weft::timeout(1s)); };
    EXPECT_THROW(for (int i = 0; i < 100'000; ++i) send(), weft::TimedOut);
    auto sender = weft::spawn(send);
    weft::testing::settle();
    EXPECT_FALSE(sender.is_completed());
    EXPECT_EQ(weft_test::take(receiver.socket.get()), "x");
    EXPECT_EQ(weft_test::error_of([&] { weft::await(sender); }), nullptr);
  });
}

struct Terminal {
  OwnDescriptor master{::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)};
  OwnDescriptor open() const {
    ::grantpt(master.get());
    ::unlockpt(master.get());
    OwnDescriptor slave{
        ::open(::ptsname(master.get()), O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)};
    termios raw{};
    ::tcgetattr(slave.get(), &raw);
    ::cfmakeraw(&raw);
    ::tcsetattr(slave.get(), TCSANOW, &raw);
    return slave;
  }
};

TEST(EdgeKindsTest, ATerminalThatHangsUpEndsItsReaderAndItsWriter) {
  weft::testing::run([] {
    Terminal terminal;
    OwnDescriptor slave = terminal.open();
    weft_test::fill(slave.get());
    const auto io = adopt(slave);
    auto reader = weft::spawn([&] { return timed_read(*io); });
    auto writer = weft::spawn([&] { io->write_all(std::string(100'000, 'x'), weft::timeout(1s)); });
    weft::testing::settle();
    weft::tick_reactor();
    terminal.master.reset();
    EXPECT_EQ(weft::await(reader), "(end)");
    EXPECT_EQ(weft_test::code_of(weft_test::error_of([&] { weft::await(writer); })), EIO);
  });
}

TEST(EdgeKindsTest, TheLastUserOfATerminalEndsAReadOfItsOtherSide) {
  weft::testing::run([] {
    Terminal terminal;
    OwnDescriptor slave = terminal.open();
    const auto io = adopt(terminal.master);
    EXPECT_EQ(timed_read(*io), "(nothing)");
    put(slave.get(), "last");
    slave.reset();
    EXPECT_TRUE(weft_test::is_readable(io->descriptor(), 5000));  // the kernel reports later
    EXPECT_EQ(timed_read(*io), "last");
    EXPECT_EQ(timed_read(*io), "(end)");
  });
}

// One read of a terminal returns one line, even if more lines follow.
TEST(EdgeKindsTest, LinesOfATerminalAreReadOneByOne) {
  weft::testing::run([] {
    const Terminal terminal;
    OwnDescriptor slave = terminal.open();
    termios lines{};
    ::tcgetattr(slave.get(), &lines);
    lines.c_lflag |= ICANON;
    ::tcsetattr(slave.get(), TCSANOW, &lines);
    const auto io = adopt(slave);
    EXPECT_EQ(timed_read(*io), "(nothing)");
    put(terminal.master.get(), "one\ntwo\nthr");
    EXPECT_TRUE(weft_test::is_readable(io->descriptor(), 5000));  // the kernel reports later
    EXPECT_EQ(timed_read(*io), "one\n");
    EXPECT_EQ(timed_read(*io), "two\n");
    EXPECT_EQ(timed_read(*io), "(nothing)");
    put(terminal.master.get(), "ee\n");
    EXPECT_TRUE(weft_test::is_readable(io->descriptor(), 5000));
    EXPECT_EQ(timed_read(*io), "three\n");
  });
}

TEST(EdgeKindsTest, ANamedPipeHasNoEndBeforeItsFirstWriterWasThere) {
  weft::testing::run([] {
    const weft_test::TemporaryDirectory directory;
    const std::string path = directory / "pipe";
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    OwnDescriptor end{::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
    const auto io = adopt(end);
    EXPECT_EQ(timed_read(*io), "(nothing)");
    OwnDescriptor writer{::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC)};
    EXPECT_EQ(timed_read(*io), "(nothing)");
    put(writer.get(), "x");
    EXPECT_EQ(timed_read(*io), "x");
    EXPECT_EQ(timed_read(*io), "(nothing)");
    writer.reset();
    EXPECT_EQ(timed_read(*io), "(end)");
  });
}

// The end of one writer is not the end of the pipe: `end` keeps it open for writing.
TEST(EdgeKindsTest, ANamedPipeIsReadThroughAllItsWriters) {
  weft::testing::run([] {
    const weft_test::TemporaryDirectory directory;
    const std::string path = directory / "pipe";
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    OwnDescriptor end{::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC)};
    const auto io = adopt(end);
    for (const char* text : {"one", "two", "three"}) {
      EXPECT_EQ(timed_read(*io), "(nothing)");
      auto reader = weft::spawn([&] { return timed_read(*io); });
      weft::testing::settle();
      OwnDescriptor writer{::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC)};
      put(writer.get(), text);
      writer.reset();
      EXPECT_EQ(weft::await(reader), text);
    }
  });
}

TEST(EdgeKindsTest, AWriterOfAPipeGoesOnWithEveryPieceThatIsRead) {
  weft::testing::run([] {
    Ends ends = Ends::pipe();
    weft_test::fill(ends.there.get());
    const auto io = adopt(ends.there);
    auto writer = weft::spawn([&] { io->write_all(std::string(300'000, 'y'), weft::timeout(1s)); });
    weft::testing::settle();
    std::size_t got = 0;
    while (!writer.is_completed()) {
      got += weft_test::take(ends.here.get(), 4096).size();
      weft::delay(1ms);
    }
    EXPECT_EQ(weft_test::error_of([&] { weft::await(writer); }), nullptr);
    EXPECT_GT(got, 300'000U);
  });
}

TEST(EdgeKindsTest, AReaderGoesOnAfterThePeerHasEndedAndTheWriterAfterIt) {
  weft::testing::run([] {
    Ends ends = Ends::tcp();
    const int there = ends.there.get();
    const auto io = adopt(ends.here);
    EXPECT_EQ(timed_read(*io), "(nothing)");
    ::shutdown(there, SHUT_WR);
    EXPECT_EQ(timed_read(*io), "(end)");
    weft_test::fill(io->descriptor());
    auto writer = weft::spawn([&] { io->write_all(std::string(100'000, 'x'), weft::timeout(1s)); });
    weft::testing::settle();
    while (!writer.is_completed()) {
      weft_test::drain(there);
      weft::delay(1ms);
    }
    EXPECT_EQ(weft_test::error_of([&] { weft::await(writer); }), nullptr);
  });
}

// Shutting down this side ends a wait, like the end of the peer.
TEST(EdgeKindsTest, ShuttingDownOurOwnSideEndsARead) {
  weft::testing::run([] {
    for (const bool tcp : {true, false}) {
      Ends ends = tcp ? Ends::tcp() : Ends::sockets();
      const auto io = adopt(ends.here);
      auto reader = weft::spawn([&] { return timed_read(*io); });
      weft::testing::settle();
      weft::tick_reactor();
      ::shutdown(io->descriptor(), SHUT_RD);
      EXPECT_EQ(weft::await(reader), "(end)");
    }
  });
}

struct Datagrams {
  OwnDescriptor socket{::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
  sockaddr_in address{};
  Datagrams() {
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const raw = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(socket.get(), raw, size), 0);
    EXPECT_EQ(::getsockname(socket.get(), raw, &size), 0);
  }
  void connect_to(const Datagrams& other) const {
    const auto* const raw = reinterpret_cast<const sockaddr*>(&other.address);
    EXPECT_EQ(::connect(socket.get(), raw, sizeof other.address), 0);
  }
};

TEST(EdgeKindsTest, ARefusedDatagramIsOneErrorAndTheSocketGoesOn) {
  weft::testing::run([] {
    Datagrams here;
    Datagrams there;
    here.connect_to(there);
    there.connect_to(here);
    const sockaddr_in address = there.address;
    const auto io = adopt(here.socket);
    EXPECT_EQ(timed_read(*io), "(nothing)");
    there.socket.reset();
    put(io->descriptor(), "into the void");
    EXPECT_EQ(weft_test::code_of(weft_test::error_of([&] { timed_read(*io); })), ECONNREFUSED);
    EXPECT_EQ(timed_read(*io), "(nothing)");
    const OwnDescriptor again{::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
    ASSERT_EQ(::bind(again.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    sockaddr_in to{};
    socklen_t size = sizeof to;
    ASSERT_EQ(::getsockname(io->descriptor(), reinterpret_cast<sockaddr*>(&to), &size), 0);
    ::sendto(again.get(), "x", 1, 0, reinterpret_cast<const sockaddr*>(&to), size);
    EXPECT_EQ(timed_read(*io), "x");
  });
}

// The kernel reports queued errors until they are taken: level-triggered, the loop would spin.
TEST(LinuxEdgeKindsTest, ALineOfErrorsDoesNotKeepTheReaderBusy) {
  weft::testing::run([] {
    Datagrams here;
    Datagrams there;
    here.connect_to(there);
    const int on = 1;
    ASSERT_EQ(::setsockopt(here.socket.get(), IPPROTO_IP, IP_RECVERR, &on, sizeof on), 0);
    const auto io = adopt(here.socket);
    EXPECT_EQ(timed_read(*io), "(nothing)");
    there.socket.reset();
    put(io->descriptor(), "into the void");
    EXPECT_EQ(weft_test::code_of(weft_test::error_of([&] { timed_read(*io); })), ECONNREFUSED);
    const std::uint64_t before = weft::stats().reactor_waits + weft::stats().reactor_ticks;
    EXPECT_EQ(timed_read(*io), "(nothing)");
    EXPECT_LT(weft::stats().reactor_waits + weft::stats().reactor_ticks - before, 20U);
  });
}

// Nor does it spin when a Poll watches the same descriptor; the Poll is notified once.
TEST(LinuxEdgeKindsTest, AQueueOfErrorsKeepsNoOtherBusyBesideAPoll) {
  weft::testing::run([] {
    Datagrams here;
    Datagrams there;
    here.connect_to(there);
    const int on = 1;
    ASSERT_EQ(::setsockopt(here.socket.get(), IPPROTO_IP, IP_RECVERR, &on, sizeof on), 0);
    Poll other{here.socket.get(), Poll::disconnect};
    int notified = 0;
    weft_test::Call count{[&](weft::Event&, const weft::Outcome&) { ++notified; }};
    other.add_callback(count);
    const auto io = adopt(here.socket);
    EXPECT_EQ(timed_read(*io), "(nothing)");
    other.start();
    there.socket.reset();
    put(io->descriptor(), "into the void");
    EXPECT_EQ(weft_test::code_of(weft_test::error_of([&] { timed_read(*io); })), ECONNREFUSED);
    const std::uint64_t before = weft::stats().reactor_waits + weft::stats().reactor_ticks;
    EXPECT_EQ(timed_read(*io), "(nothing)");
    EXPECT_LT(weft::stats().reactor_waits + weft::stats().reactor_ticks - before, 20U);
    EXPECT_EQ(notified, 1);
    other.stop();
    other.start();  // a new wait is notified again
    weft::tick_reactor();
    EXPECT_EQ(notified, 2);
    other.stop();
    other.remove_callback(count);
    std::string errors(1024, ' ');
    iovec piece{errors.data(), errors.size()};
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    EXPECT_GT(::recvmsg(io->descriptor(), &message, MSG_ERRQUEUE), 0);
    EXPECT_EQ(timed_read(*io), "(nothing)");
  });
}

TEST(EdgeKindsTest, AFileThatIsTakenForAPipeFailsInEveryRead) {
  weft::testing::run([] {
    const weft_test::TemporaryDirectory directory;
    OwnDescriptor file{::open((directory / "file").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)};
    const auto io = Io::adopt(file.release(), Io::Type::pipe);
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(weft_test::code_of(weft_test::error_of([&] { timed_read(*io); })), EPERM);
      EXPECT_EQ(weft::stats().active_events, 0U);
    }
  });
}

// A read stops at the mark of urgent data; the next read begins there.
TEST(EdgeKindsTest, UrgentDataInLineIsReadInLine) {
  weft::testing::run([] {
    Ends ends = Ends::tcp();
    const int on = 1;
    ::setsockopt(ends.here.get(), SOL_SOCKET, SO_OOBINLINE, &on, sizeof on);
    const auto io = adopt(ends.here);
    EXPECT_EQ(timed_read(*io), "(nothing)");
    put(ends.there.get(), "before");
    ::send(ends.there.get(), "!", 1, MSG_OOB);
    put(ends.there.get(), "behind");
    EXPECT_EQ(timed_read(*io), "before");
    EXPECT_EQ(timed_read(*io), "!behind");
    EXPECT_EQ(timed_read(*io), "(nothing)");
  });
}

TEST(EdgeKindsTest, DataBehindUrgentDataThatAPollHasReportedIsSeen) {
  weft::testing::run([] {
    Ends ends = Ends::tcp();
    const auto io = adopt(ends.here);
    EXPECT_EQ(timed_read(*io), "(nothing)");
    auto taker = weft::spawn([&] {
      weft::await(weft::poll(io->descriptor(), Poll::prioritized));
      char urgent = 0;
      EXPECT_EQ(::recv(io->descriptor(), &urgent, 1, MSG_OOB), 1);
    });
    weft::testing::settle();
    put(ends.there.get(), "before");
    ::send(ends.there.get(), "!", 1, MSG_OOB);
    put(ends.there.get(), "behind");
    weft::await(taker);
    EXPECT_EQ(timed_read(*io), "before");
    EXPECT_EQ(timed_read(*io), "behind");
    EXPECT_EQ(timed_read(*io), "(nothing)");
  });
}

}  // namespace
