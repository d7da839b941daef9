#include <array>
#include <csignal>
#include <cstdlib>
#include <string>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <vector>

#include <gtest/gtest.h>

#include "descriptors.hpp"
#include "failures.hpp"
#include "support.hpp"
#include "temporary.hpp"

namespace other_streams_test {

using namespace std::chrono_literals;
using weft_test::code_of;
using weft_test::error_of;
using weft_test::is;
using weft_test::TemporaryDirectory;
using weft_test::text;

// R-LSN-1
TEST(UnixStreamTest, ConnectsThroughAPath) {
  const TemporaryDirectory directory;
  weft::testing::run([&] {
    const std::string path = directory / "socket";
    {
      weft::Listener listener = weft::Listener::unix_path(path);
      EXPECT_EQ(listener.local_address().to_string(), path);
      auto server = weft::spawn([&] {
        weft::UnixStream stream = listener.accept_unix();
        stream.write_all(stream.read_line().value() + "!\n");
      });
      weft::UnixStream client = weft::UnixStream::connect(path);
      EXPECT_EQ(client.remote_address().to_string(), path);
      client.write_all("hello\n");
      EXPECT_EQ(client.read_line(), "hello!");
      client.shutdown_write();
      weft::await(server);
    }
    struct stat status {};
    EXPECT_NE(::stat(path.c_str(), &status), 0);  // the listener has removed it
    const auto error = error_of([&] { const auto stream = weft::UnixStream::connect(path); });
    EXPECT_EQ(code_of(error), ENOENT);
    EXPECT_NE(text(error).find(path), std::string::npos) << text(error);
  });
}

TEST(UnixStreamTest, RefusesPathsThatCannotBe) {
  weft::testing::run([] {
    EXPECT_TRUE(is<std::system_error>(
        error_of([] { const auto stream = weft::UnixStream::connect(std::string(200, 'x')); })));
    EXPECT_TRUE(is<std::system_error>(error_of([] {
      const auto stream = weft::UnixStream::connect(std::string_view{"a\0b", 3});
    })));
  });
}

TEST(UnixStreamTest, AFullBacklogIsWaitedFor) {
  const TemporaryDirectory directory;
  weft::testing::run([&] {
    const std::string path = directory / "socket";
    weft::Listener listener = weft::Listener::unix_path(path, {.backlog = 0});
    std::vector<weft::UnixStream> clients;
    clients.push_back(weft::UnixStream::connect(path));
    auto next = weft::spawn([&] { clients.push_back(weft::UnixStream::connect(path)); });
    EXPECT_TRUE(is<weft::TimedOut>(error_of([&] {
      for (int i = 0; i < 3; ++i) {
        clients.push_back(weft::UnixStream::connect(path, weft::timeout(1s)));
      }
    })));
    while (!next.is_completed()) {
      const weft::UnixStream accepted = listener.accept_unix();
      weft::delay(100ms);
    }
  });
}

TEST(PipeTest, CarriesBytesOneWay) {
  weft::testing::run([] {
    auto both = weft::Pipe::create();
    weft::Pipe& reader = both.first;
    weft::Pipe& writer = both.second;
    const std::string much(300'000, 'x');
    auto received = weft::spawn([&] { return reader.read_all(); });
    writer.write_all(much);
    writer.close();
    EXPECT_EQ(weft::await(received).size(), much.size());
    EXPECT_TRUE(is<std::system_error>(error_of([&] { reader.write_all("x"); })));
  });
}

TEST(UnixStreamTest, AListenerRemovesOnlyThePathThatItMade) {
  const TemporaryDirectory directory;
  const std::string path = directory / "socket";
  weft::testing::run([&] {
    weft::Listener old = weft::Listener::unix_path(path);
    ASSERT_EQ(::unlink(path.c_str()), 0);
    weft::Listener renewed = weft::Listener::unix_path(path);
    old.close();
    auto accepted = weft::spawn([&] { return renewed.accept_unix(); });
    weft::UnixStream client = weft::UnixStream::connect(path);
    weft::await(accepted).close();
    EXPECT_EQ(client.read_line(), std::nullopt);
    weft::Listener moved{std::move(renewed)};
    moved.close();
    EXPECT_NE(::access(path.c_str(), F_OK), 0);
  });
}

TEST(PipeTest, AWriteWithoutAReaderIsAnErrorAndNoSignal) {
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  struct sigaction before {};
  ::sigaction(SIGPIPE, &standard, &before);
  weft::testing::run([] {
    auto both = weft::Pipe::create();
    both.first.close();
    EXPECT_EQ(code_of(error_of([&] { both.second.write_all("x"); })), EPIPE);
  });
  ::sigaction(SIGPIPE, &before, nullptr);
}

TEST(PipeTest, AWriterWakesWhenTheReaderGoes) {
  weft::testing::run([] {
    auto both = weft::Pipe::create();
    auto writer = weft::spawn([&] { both.second.write_all(std::string(1'000'000, 'x')); });
    weft::testing::settle();
    both.first.close();
    EXPECT_EQ(code_of(error_of([&] { weft::await(writer); })), EPIPE);
  });
}

TEST(PipeTest, TakesOverADescriptor) {
  weft::testing::run([] {
    weft_test::Ends ends = weft_test::Ends::pipe();
    weft::Pipe reader = weft::Pipe::adopt(ends.here.release());
    weft_test::put(ends.there.get(), "text");
    ends.there.reset();
    EXPECT_EQ(reader.read_all(), "text");
    const int number = reader.give_away();
    EXPECT_FALSE(reader.is_open());
    EXPECT_TRUE(weft_test::is_open(number));
    ::close(number);
    EXPECT_TRUE(is<std::system_error>(
        error_of([&] { const weft::Pipe closed = weft::Pipe::adopt(number); })));
  });
}

// Read like a file, an eventfd would block a worker thread, and so the end of the runtime.
TEST(PipeTest, ADescriptorOfTheKernelIsWaitedForInTheLoop) {
  weft::testing::run([] {
    weft::Pipe counter = weft::Pipe::adopt(::eventfd(0, EFD_CLOEXEC));
    ASSERT_EQ(counter.io().type(), weft::Io::Type::pipe);
    std::uint64_t count = 0;
    const weft::Bytes to{&count, sizeof count};
    EXPECT_TRUE(is<weft::TimedOut>(error_of([&] { counter.read_some(to, weft::timeout(1s)); })));
    const std::uint64_t three = 3;
    counter.write_all({&three, sizeof three});
    counter.read_exactly(to);
    EXPECT_EQ(count, 3U);
  });
}

/// A pseudo terminal: `near` is the master, `far` the slave.
struct Terminal {
  Terminal() : near{::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)} {
    ::grantpt(near.get());
    ::unlockpt(near.get());
    far = weft_test::OwnDescriptor{::open(::ptsname(near.get()), O_RDWR | O_NOCTTY | O_CLOEXEC)};
  }
  weft_test::OwnDescriptor near;
  weft_test::OwnDescriptor far;
};

TEST(TtyTest, ReadsLinesAndWrites) {
  weft::testing::run([] {
    Terminal terminal;
    winsize size{};
    size.ws_col = 80;
    size.ws_row = 24;
    ::ioctl(terminal.near.get(), TIOCSWINSZ, &size);
    weft::Tty tty = weft::Tty::adopt(terminal.far.release());
    EXPECT_EQ(tty.size().columns, 80);
    EXPECT_EQ(tty.size().rows, 24);
    weft_test::put(terminal.near.get(), "typed\nand more\n");
    EXPECT_EQ(tty.read_line(), "typed");
    EXPECT_EQ(tty.read_line(), "and more");
    weft_test::drain(terminal.near.get());  // the echo
    tty.write_all("shown\n");
    EXPECT_EQ(weft_test::take(terminal.near.get()), "shown\r\n");
    EXPECT_TRUE(is<weft::TimedOut>(error_of([&] { tty.read_line(weft::timeout(1s)); })));
    terminal.near.reset();
    EXPECT_EQ(tty.read_line(), std::nullopt);  // hung up
  });
}

TEST(TtyTest, RefusesWhatIsNone) {
  weft_test::Ends ends = weft_test::Ends::pipe();
  EXPECT_EQ(code_of(error_of([&] { const auto tty = weft::Tty::adopt(ends.here.get()); })), ENOTTY);
  EXPECT_TRUE(weft_test::is_open(ends.here.get()));
}

// R-IO-18
TEST(TtyTest, ACopyOfAStandardStreamLeavesTheOriginalBlocking) {
  weft::testing::run([] {
    Terminal terminal;
    const int kept = ::dup(0);
    ::dup2(terminal.far.get(), 0);
    {
      weft::Stream input = weft::standard_input();
      EXPECT_EQ(input.io().type(), weft::Io::Type::tty);
      weft_test::put(terminal.near.get(), "typed\n");
      EXPECT_EQ(input.read_line(), "typed");
      EXPECT_EQ(::fcntl(0, F_GETFL) & O_NONBLOCK, 0);
    }
    EXPECT_TRUE(weft_test::is_open(0));
    ::dup2(kept, 0);
    ::close(kept);
  });
}

// R-IO-6
TEST(UdpTest, SendsAndReceivesWholeDatagrams) {
  weft::testing::run([] {
    weft::UdpSocket server = weft::UdpSocket::bind("127.0.0.1", 0);
    weft::UdpSocket client = weft::UdpSocket::bind("127.0.0.1", 0);
    auto echo = weft::spawn([&] {
      std::array<std::byte, 2048> buffer;
      for (int i = 0; i < 3; ++i) {
        const weft::Received received = server.receive_from(buffer);
        server.send_to(std::span{buffer}.first(received.size), received.from);
      }
    });
    std::array<char, 16> buffer{};
    for (const std::string message : {"one", "", "three"}) {
      client.send_to(message, server.local_address());
      const weft::Received answer = client.receive_from(buffer);
      EXPECT_EQ(answer.from, server.local_address());
      EXPECT_EQ(std::string(buffer.data(), answer.size), message);
    }
    weft::await(echo);
    client.send_to("longer than the buffer", client.local_address());
    EXPECT_EQ(client.receive_from(buffer).size, buffer.size());
    EXPECT_TRUE(
        is<weft::TimedOut>(error_of([&] { client.receive_from(buffer, weft::timeout(1s)); })));
    auto waiter = weft::spawn([&] { client.receive_from(buffer); });
    weft::testing::settle();
    client.close();
    EXPECT_NE(text(error_of([&] { weft::await(waiter); })).find("Stream was closed"),
              std::string::npos);
  });
}

TEST(UdpTest, ErrorsNameTheAddress) {
  weft::testing::run([] {
    weft::UdpSocket socket = weft::UdpSocket::bind("127.0.0.1", 0);
    const auto error =
        error_of([&] { socket.send_to(std::string(100'000, 'x'), socket.local_address()); });
    EXPECT_EQ(code_of(error), EMSGSIZE);
    EXPECT_EQ(text(error).find("send to UDP 127.0.0.1:"), 0U) << text(error);
    EXPECT_EQ(code_of(error_of(
                  [&] { const auto second = weft::UdpSocket::bind("127.0.0.1", socket.port()); })),
              EADDRINUSE);
  });
}

TEST(CopyTest, CopiesUntilTheEnd) {
  const TemporaryDirectory directory;
  weft::testing::run([&] {
    std::string much;
    for (int i = 0; i < 100'000; ++i) much += std::to_string(i);
    weft::File from = weft::File::open(directory / "from",
                                       weft::File::read | weft::File::write | weft::File::create);
    from.write_all(much);
    from.seek(0);
    weft::File to = weft::File::open(directory / "to",
                                     weft::File::read | weft::File::write | weft::File::create);
    std::vector<std::uint64_t> progress;
    EXPECT_EQ(weft::copy(from, to, [&](std::uint64_t so_far) { progress.push_back(so_far); }),
              much.size());
    EXPECT_EQ(progress.back(), much.size());
    EXPECT_GT(progress.size(), 2U);
    to.seek(0);
    EXPECT_TRUE(to.read_all() == much);
  });
}

TEST(CopyTest, CopiesAFileToASocketFromItsPositionOn) {
  const TemporaryDirectory directory;
  weft::testing::run([&] {
    const std::string much(2'500'000, 'x');
    weft::File from = weft::File::open(directory / "from",
                                       weft::File::read | weft::File::write | weft::File::create);
    from.write_all("line\n" + much);
    from.seek(0);
    EXPECT_EQ(from.read_line(), "line");
    weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);
    auto received = weft::spawn([&] { return listener.accept().read_all(); });
    weft::TcpStream client = weft::TcpStream::connect("127.0.0.1", listener.port());
    EXPECT_EQ(weft::copy(from, client), much.size());
    client.close();
    EXPECT_TRUE(weft::await(received) == much);
    EXPECT_EQ(from.read_all(), "");
  });
}

TEST(CopyTest, CopiesANamedPipeToASocket) {
  const TemporaryDirectory directory;
  const std::string path = directory / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  weft::testing::run([&] {
    weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);
    auto received = weft::spawn([&] { return listener.accept().read_all(); });
    weft::TcpStream client = weft::TcpStream::connect("127.0.0.1", listener.port());
    weft::File from = weft::File::open(path);
    weft::File::open(path, weft::File::write).write_all("text");
    EXPECT_EQ(weft::copy(from, client), 4U);
    client.close();
    EXPECT_EQ(weft::await(received), "text");
  });
}

}  // namespace other_streams_test
