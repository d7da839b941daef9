#include <cerrno>
#include <string>
#include <sys/eventfd.h>
#include <unistd.h>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "descriptors.hpp"
#include "failures.hpp"
#include "reactor/descriptor_name.hpp"
#include "support.hpp"
#include "temporary.hpp"
#include "weft/extend/io_request.hpp"
#include "weft/weft.hpp"

// Messages name the peer or the path instead of the number of a descriptor.
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using weft::File;
using weft::Listener;
using weft::Pipe;
using weft::TcpStream;
using weft::UnixStream;
using weft_test::error_of;
using weft_test::is;
using weft_test::text;

std::string address(std::uint16_t port) { return "127.0.0.1:" + std::to_string(port); }

TEST(StreamNamesTest, ATcpStreamIsCalledByItsPeer) {
  weft::testing::run([] {
    Listener listener = Listener::tcp("127.0.0.1", 0);
    EXPECT_EQ(listener.io().name(), "TCP " + address(listener.port()));
    TcpStream client = TcpStream::connect("127.0.0.1", listener.port());
    TcpStream server = listener.accept();
    EXPECT_EQ(client.io().name(), "TCP " + address(listener.port()));
    EXPECT_EQ(server.io().name(), "TCP " + address(client.local_address().port()));
    const TcpStream adopted = TcpStream::adopt(client.give_away());
    EXPECT_EQ(adopted.io().name(), "TCP " + address(listener.port()));
  });
}

// trap 62: a unix socket is not a pipe
TEST(StreamNamesTest, AUnixSocketIsNoPipe) {
  const weft_test::TemporaryDirectory directory;
  const std::string path = directory / "socket";
  weft::testing::run([&] {
    Listener listener = Listener::unix_path(path);
    EXPECT_EQ(listener.io().name(), "unix socket " + path);
    UnixStream client = UnixStream::connect(path);
    EXPECT_EQ(client.io().name(), "unix socket " + path);
    UnixStream server = listener.accept_unix();
    EXPECT_EQ(server.io().name(), "unix socket " + path);
    auto [here, there] = UnixStream::pair();
    EXPECT_EQ(here.io().name(), "unix socket");
    const auto error = error_of([&] { static_cast<void>(UnixStream::connect(path + ".missing")); });
    EXPECT_THAT(text(error), StartsWith("connect to unix socket " + path + ".missing: "));
  });
}

TEST(StreamNamesTest, AFileIsCalledByItsPath) {
  const weft_test::TemporaryDirectory directory;
  const std::string path = directory / "file";
  weft::testing::run([&] {
    File file = File::open(path, File::write | File::create);
    EXPECT_EQ(file.io().name(), "file " + path);
    const auto error = error_of([&] { file.read_all(); });
    EXPECT_THAT(text(error), HasSubstr(path));
    const File adopted = File::adopt(file.give_away());
    EXPECT_EQ(adopted.io().name(), "file " + path);
    File full = File::open("/dev/full", File::write);
    EXPECT_THAT(text(error_of([&] { full.write_all("x"); })),
                StartsWith("write to file /dev/full: "));
  });
}

TEST(StreamNamesTest, PipesAndWhatHasNoNameAreCalledByTheirKind) {
  weft::testing::run([] {
    auto [reader, writer] = Pipe::create();
    EXPECT_EQ(reader.io().name(), "pipe");
    const Pipe counter = Pipe::adopt(::eventfd(0, EFD_CLOEXEC));
    EXPECT_EQ(counter.io().name(), "eventfd");
    reader.close();
    const auto error = error_of([&writer = writer] { writer.write_all("x"); });
    EXPECT_THAT(text(error), StartsWith("write to pipe: "));
  });
}

TEST(StreamNamesTest, UdpSocketsAreCalledByWhereTheyAre) {
  weft::testing::run([] {
    weft::UdpSocket socket = weft::UdpSocket::bind("127.0.0.1", 0);
    EXPECT_EQ(socket.io().name(), "UDP " + address(socket.local_address().port()));
  });
}

TEST(StreamNamesTest, StandardStreamsAndThoseOfChildrenSayWhatTheyAre) {
  weft::testing::run([] {
    EXPECT_EQ(weft::standard_error().io().name(), "standard error");
    weft::Process child = weft::Process::start({"cat"}, {.stdin_ = weft::piped});
    EXPECT_EQ(child.stdin_().io().name(),
              "standard input of cat (process " + std::to_string(child.pid()) + ")");
    child.stdin_().close();
    child.wait();
  });
}

// trap 62: the number of a closed stream belongs to another file
TEST(StreamNamesTest, AClosedOneIsNotAskedForAnother) {
  weft::testing::run([] {
    auto [here, there] = UnixStream::pair();
    const int number = here.descriptor();
    here.close();
    const weft_test::OwnDescriptor other{::dup2(STDERR_FILENO, number)};
    EXPECT_EQ(here.io().name(), "unix socket");
  });
}

TEST(StreamNamesTest, ANameLeavesErrnoAlone) {
  errno = EPIPE;
  EXPECT_EQ(weft::name_of_descriptor(1'000'000), "closed descriptor");
  EXPECT_EQ(errno, EPIPE);
}

/// The text of the TimedOut that `operation` throws.
template <class F>
std::string timed_out(F operation) {
  const auto error = error_of(operation);
  EXPECT_TRUE(is<weft::TimedOut>(error)) << text(error);
  return text(error);
}

// trap 63: "Operation has been cancelled by timeout" does not say which operation
TEST(StreamNamesTest, ATimeoutNamesOperationAndPeer) {
  weft::testing::run([] {
    Listener listener = Listener::tcp("127.0.0.1", 0);
    const std::string self = "TCP " + address(listener.port());
    EXPECT_THAT(timed_out([&] { static_cast<void>(listener.accept(weft::timeout(1s))); }),
                StartsWith("accept from " + self + ": "));
    TcpStream client = TcpStream::connect("127.0.0.1", listener.port());
    std::string buffer(10, ' ');
    EXPECT_THAT(timed_out([&] { client.read_some(buffer, weft::timeout(1s)); }),
                StartsWith("read from " + self + ": "));
    EXPECT_THAT(timed_out([&] { client.read_exactly(buffer, weft::timeout(1s)); }),
                StartsWith("read from " + self + ": "));
    EXPECT_THAT(timed_out([&] { client.read_line(weft::timeout(1s)); }),
                StartsWith("read a line from " + self + ": "));
    EXPECT_THAT(timed_out([&] { client.read_all(weft::timeout(1s)); }),
                StartsWith("read from " + self + ": "));
    EXPECT_THAT(timed_out([&] { client.wait_readable(weft::timeout(1s)); }),
                StartsWith("read from " + self + ": "));
    const std::string much(100'000'000, 'x');
    EXPECT_THAT(timed_out([&] { client.write_all(much, weft::timeout(1s)); }),
                StartsWith("write to " + self + ": "));
    EXPECT_THAT(timed_out([&] {
                  client.write_gathered({much, much}, weft::timeout(1s));
                }),
                StartsWith("write to " + self + ": "));
    weft::UdpSocket socket = weft::UdpSocket::bind("127.0.0.1", 0);
    EXPECT_THAT(timed_out([&] { socket.receive_from(buffer, weft::timeout(1s)); }),
                StartsWith("receive from UDP " + address(socket.local_address().port()) + ": "));
  });
}

TEST(StreamNamesTest, ATimeoutNamesTheChildAndTheCommand) {
  weft::run([] {
    weft::Process child = weft::Process::start({"sleep", "1000"});
    EXPECT_THAT(timed_out([&] { child.wait(weft::timeout(1ms)); }),
                StartsWith("wait for process " + std::to_string(child.pid()) + ": "));
    EXPECT_THAT(timed_out([&] {
                  weft::exec({"sleep", "1000"}, {}, weft::timeout(1ms));
                }),
                StartsWith("Exec(cmd=sleep 1000): "));
  });
}

TEST(StreamNamesTest, ATimeoutInTheQueueNamesThemAsWell) {
  weft::testing::run([] {
    auto both = UnixStream::pair();
    auto first = weft::spawn([&] { both.first.read_line(); });
    weft::suspend();
    EXPECT_THAT(timed_out([&] { both.first.read_line(weft::timeout(1s)); }),
                StartsWith("read a line from unix socket: "));
    first.cancel();
  });
}

TEST(StreamNamesTest, AReportShowsThePeerNotTheNumber) {
  weft::testing::run([] {
    Listener listener = Listener::tcp("127.0.0.1", 0);
    const std::string self = "TCP " + address(listener.port());
    TcpStream client = TcpStream::connect("127.0.0.1", listener.port());
    auto reader = weft::spawn([&] { client.read_line(); });
    TcpStream server = listener.accept();
    auto accepter = weft::spawn([&] { static_cast<void>(listener.accept()); });
    weft::Poll poll{server.descriptor(), weft::Poll::readable};
    auto poller = weft::spawn([&] { weft::await(poll); });
    weft::delay(1ms);
    EXPECT_THAT(reader.awaiting(), ::testing::ElementsAre("read from " + self));
    EXPECT_THAT(accepter.awaiting(), ::testing::ElementsAre("accept from " + self));
    EXPECT_THAT(
        poller.awaiting(),
        ::testing::ElementsAre(HasSubstr(" of TCP " + address(client.local_address().port()))));
    for (auto* each : {&reader, &accepter, &poller}) each->cancel();
  });
}

TEST(StreamNamesTest, ARequestSaysWhatItIsFor) {
  weft::testing::run([] {
    auto both = UnixStream::pair();
    const auto request = both.first.io().read(10);
    EXPECT_EQ(request->describe(), "read from unix socket");
    EXPECT_THAT(request->info(), StartsWith("IoRequest("));
  });
}

}  // namespace
