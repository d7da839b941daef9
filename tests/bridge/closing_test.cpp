#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <netinet/in.h>
#include <string>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <gtest/gtest.h>

#include "bridged.hpp"
#include "conformance.hpp"
#include "foreign/calls.hpp"
#include "weft/extend/embed.hpp"

// Descriptors that are closed, and whose numbers pass to other files, while calls of coroutines are
// under way.
namespace {

using weft_test::blocking;
using weft_test::Bridged;
using weft_test::Ends;
using weft_test::FileWith;
using weft_test::Listening;
using weft_test::OwnDescriptor;

/// Closes `old`, opens a pair of sockets, and returns it: its first end has the number of `old`.
Ends replace(weft_test::OwnDescriptor& old) {
  const int number = old.get();
  foreign::close(old.release());
  Ends ends = blocking(Ends::sockets());
  EXPECT_EQ(ends.here.get(), number);
  return ends;
}

TEST(BridgeClosing, AReceiveThatIsWokenDoesNotReadFromTheNextFileOfItsNumber) {
  const Bridged bridged;
  weft::testing::run([] {
    Ends ends = blocking(Ends::sockets());
    ssize_t got = 0;
    int error = 0;
    auto reader = weft::spawn([&, number = ends.here.get()] {
      char byte = 0;
      got = foreign::recv(number, &byte, 1, 0);
      error = errno;
    });
    weft::testing::settle();
    ASSERT_EQ(foreign::send(ends.there.get(), "o", 1, 0), 1);
    weft::tick_reactor();  // the reader is queued, and has not run
    const Ends next = replace(ends.here);
    ASSERT_EQ(foreign::send(next.there.get(), "n", 1, 0), 1);
    weft::await(reader);
    EXPECT_EQ(got, -1);
    EXPECT_EQ(error, EBADF);
    char byte = 0;
    EXPECT_EQ(foreign::recv(next.here.get(), &byte, 1, 0), 1);
    EXPECT_EQ(byte, 'n');
  });
}

TEST(BridgeClosing, ASendThatIsWokenDoesNotWriteToTheNextFileOfItsNumber) {
  const Bridged bridged;
  weft::testing::run([] {
    Ends ends = blocking(Ends::sockets());
    std::string data(1'000'000, 's');
    ssize_t sent = 0;
    auto writer = weft::spawn([&, number = ends.here.get()] {
      sent = foreign::send(number, data.data(), data.size(), MSG_NOSIGNAL);
    });
    weft::testing::settle();
    std::string sink(1'000'000, '\0');
    ASSERT_GT(::recv(ends.there.get(), sink.data(), sink.size(), MSG_DONTWAIT), 0);
    weft::tick_reactor();  // the writer is queued, and has not run
    const Ends next = replace(ends.here);
    weft::await(writer);
    EXPECT_GT(sent, 0);
    EXPECT_LT(sent, 1'000'000);
    EXPECT_EQ(::recv(next.there.get(), sink.data(), sink.size(), MSG_DONTWAIT), -1);
  });
}

TEST(BridgeClosing, TheNextFileOfANumberIsNotInUseByAWaitForTheLastOne) {
  const Bridged bridged;
  weft::testing::run([] {
    Ends ends = blocking(Ends::sockets());
    auto reader = weft::spawn([number = ends.here.get()] {
      char byte = 0;
      EXPECT_EQ(foreign::recv(number, &byte, 1, 0), -1);
    });
    weft::testing::settle();
    const Ends next = replace(ends.here);  // the reader is queued, and has not run
    ASSERT_EQ(foreign::send(next.there.get(), "n", 1, 0), 1);
    char byte = 0;
    EXPECT_EQ(foreign::recv(next.here.get(), &byte, 1, 0), 1);
    EXPECT_EQ(byte, 'n');
    weft::await(reader);
  });
}

TEST(BridgeClosing, ALockThatIsWaitedForIsNotTakenOfTheNextFileOfItsNumber) {
  const Bridged bridged;
  const FileWith first{"a"};
  const FileWith second{"b"};
  weft::testing::run([&] {
    const OwnDescriptor holder{foreign::open(first.path().c_str(), O_RDWR | O_CLOEXEC)};
    OwnDescriptor waits{foreign::open(first.path().c_str(), O_RDWR | O_CLOEXEC)};
    ASSERT_EQ(foreign::flock(holder.get(), LOCK_EX), 0);
    auto waiter = weft::spawn([number = waits.get()] {
      EXPECT_EQ(foreign::flock(number, LOCK_EX), -1);
      EXPECT_EQ(errno, EBADF);
    });
    weft::delay(std::chrono::milliseconds{10});
    const int number = waits.get();
    foreign::close(waits.release());
    const OwnDescriptor next{foreign::open(second.path().c_str(), O_RDWR | O_CLOEXEC)};
    ASSERT_EQ(next.get(), number);
    weft::await(waiter);
  });
}

TEST(BridgeClosing, ALockThatIsWaitedForIsStillTakenWhenOtherNumbersAreClosed) {
  const Bridged bridged;
  const FileWith file{"a"};
  weft::testing::run([&] {
    OwnDescriptor holder{foreign::open(file.path().c_str(), O_RDWR | O_CLOEXEC)};
    const OwnDescriptor waits{foreign::open(file.path().c_str(), O_RDWR | O_CLOEXEC)};
    ASSERT_EQ(foreign::flock(holder.get(), LOCK_EX), 0);
    auto waiter = weft::spawn([&] { EXPECT_EQ(foreign::flock(waits.get(), LOCK_EX), 0); });
    weft::delay(std::chrono::milliseconds{10});
    foreign::close_range(20'000, 30'000, 0);
    foreign::close(waits.get() + 1024);
    foreign::close(holder.release());
    weft::await(waiter);
  });
}

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, path.c_str());
  return address;
}

TEST(RealTimeBridgeClosing, ADatagramThatWaitsForRoomIsNotSentByTheNextFileOfItsNumber) {
  const Bridged bridged;
  const weft_test::TemporaryDirectory directory;
  const sockaddr_un address = address_of(directory / "s");
  const auto* const raw = reinterpret_cast<const sockaddr*>(&address);
  weft::run([&] {
    const OwnDescriptor peer{foreign::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
    OwnDescriptor sender{foreign::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
    ASSERT_EQ(::bind(peer.get(), raw, sizeof address), 0);
    while (::sendto(sender.get(), "x", 1, MSG_DONTWAIT, raw, sizeof address) == 1) {
    }
    auto waiter = weft::spawn([&, number = sender.get()] {
      EXPECT_EQ(foreign::sendto(number, "y", 1, 0, raw, sizeof address), -1);
      EXPECT_EQ(errno, EBADF);
    });
    weft::delay(std::chrono::milliseconds{10});
    const int number = sender.get();
    foreign::close(sender.release());
    const OwnDescriptor next{foreign::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
    ASSERT_EQ(next.get(), number);
    weft_test::take(peer.get(), 1);
    weft::await(waiter);
  });
}

TEST(BridgeClosing, ANewSocketIsNotConnectedToWhereTheLastOneOfItsNumberWaits) {
  const Bridged bridged;
  const weft_test::TemporaryDirectory directory;
  const sockaddr_un address = address_of(directory / "s");
  const auto* const raw = reinterpret_cast<const sockaddr*>(&address);
  weft::testing::run([&] {
    const OwnDescriptor listener{foreign::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    ASSERT_EQ(::bind(listener.get(), raw, sizeof address), 0);
    ASSERT_EQ(::listen(listener.get(), 0), 0);
    const OwnDescriptor first{foreign::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    ASSERT_EQ(foreign::connect(first.get(), raw, sizeof address), 0);
    OwnDescriptor waits{foreign::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    auto waiter = weft::spawn([&, number = waits.get()] {
      EXPECT_EQ(foreign::connect(number, raw, sizeof address), -1);
      EXPECT_EQ(errno, EBADF);
    });
    weft::delay(std::chrono::milliseconds{10});
    const int number = waits.get();
    foreign::close(waits.release());
    const OwnDescriptor next{foreign::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    ASSERT_EQ(next.get(), number);
    const OwnDescriptor accepted{foreign::accept(listener.get(), nullptr, nullptr)};
    weft::await(waiter);
  });
}

TEST(BridgeClosing, AConnectThatIsWokenDoesNotConnectTheNextSocketOfItsNumber) {
  const Bridged bridged;
  weft::testing::run([&] {
    Listening server;
    OwnDescriptor client{foreign::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    auto waiter = weft::spawn([&, number = client.get()] {
      EXPECT_EQ(foreign::connect(number, server.raw(), sizeof server.address), -1);
      EXPECT_EQ(errno, EBADF);
    });
    weft::suspend();
    weft::tick_reactor();  // the client is queued, and has not run
    const int number = client.get();
    foreign::close(client.release());
    const OwnDescriptor next{foreign::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    ASSERT_EQ(next.get(), number);
    weft::await(waiter);
    sockaddr_in peer{};
    socklen_t size = sizeof peer;
    EXPECT_NE(::getpeername(next.get(), reinterpret_cast<sockaddr*>(&peer), &size), 0);
  });
}

}  // namespace
