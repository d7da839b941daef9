#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "descriptors.hpp"
#include "failures.hpp"
#include "support.hpp"

namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using weft::Listener;
using weft::TcpStream;
using weft_test::code_of;
using weft_test::error_of;
using weft_test::is;
using weft_test::text;

/// The two ends of a connection.
struct Pair {
  TcpStream client;
  TcpStream server;

  static Pair make() {
    Listener listener = Listener::tcp("127.0.0.1", 0);
    auto accepted = weft::spawn([&] { return listener.accept(); });
    TcpStream client = TcpStream::connect("127.0.0.1", listener.port());
    return {std::move(client), weft::await(accepted)};
  }
};

void reset(TcpStream& stream) {
  const linger now{1, 0};
  ::setsockopt(stream.descriptor(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
  stream.close();
}

TEST(TcpTest, Echoes) {
  weft::testing::run([] {
    Listener listener = Listener::tcp("127.0.0.1", 0);
    auto server = weft::spawn([&] {
      TcpStream stream = listener.accept();
      std::array<std::byte, 4096> buffer;
      while (std::size_t n = stream.read_some(buffer)) stream.write_all(std::span{buffer}.first(n));
    });
    TcpStream peer = TcpStream::connect("localhost", listener.port(), weft::timeout(1s));
    peer.write_all("one\ntwo\n");
    EXPECT_EQ(peer.read_line(), "one");
    EXPECT_EQ(peer.read_line(), "two");
    peer.shutdown_write();
    EXPECT_EQ(peer.read_line(), std::nullopt);
    weft::await(server);
  });
}

// R-LSN-1
TEST(TcpTest, ReportsItsAddresses) {
  weft::testing::run([] {
    Listener listener = Listener::tcp("127.0.0.1", 0);
    EXPECT_NE(listener.port(), 0);
    EXPECT_EQ(listener.local_address().host(), "127.0.0.1");
    auto accepted = weft::spawn([&] { return listener.accept(); });
    TcpStream client = TcpStream::connect(listener.local_address());
    TcpStream server = weft::await(accepted);
    EXPECT_EQ(client.remote_address(), listener.local_address());
    EXPECT_EQ(server.remote_address(), client.local_address());
    EXPECT_EQ(server.local_address(), client.remote_address());
  });
}

TEST(TcpTest, TakesOptions) {
  weft::testing::run([] {
    Pair pair = Pair::make();
    pair.client.no_delay();
    EXPECT_NE(pair.client.io().option(IPPROTO_TCP, TCP_NODELAY), 0);
    pair.client.no_delay(false);
    EXPECT_EQ(pair.client.io().option(IPPROTO_TCP, TCP_NODELAY), 0);
    pair.client.keep_alive(true, 30s);
    EXPECT_NE(pair.client.io().option(SOL_SOCKET, SO_KEEPALIVE), 0);
    EXPECT_EQ(pair.client.io().option(IPPROTO_TCP, TCP_KEEPIDLE), 30);
  });
}

TEST(TcpTest, AHalfClosedConnectionStillTakesTheOtherDirection) {
  weft::testing::run([] {
    Pair pair = Pair::make();
    pair.client.shutdown_write();
    EXPECT_EQ(pair.server.read_all(), "");
    const std::string much(1'000'000, 'x');
    auto writer = weft::spawn([&] {
      pair.server.write_all(much);
      pair.server.shutdown_write();
    });
    EXPECT_EQ(pair.client.read_all().size(), much.size());
    const auto error = error_of([&] { pair.client.write_all("x"); });
    EXPECT_EQ(code_of(error), EPIPE);
  });
}

TEST(TcpTest, ARefusedConnectionIsAnErrorThatNamesTheAddress) {
  weft::testing::run([] {
    std::uint16_t port = 0;
    {
      Listener gone = Listener::tcp("127.0.0.1", 0);
      port = gone.port();
    }
    const auto error = error_of([&] { static_cast<void>(TcpStream::connect("127.0.0.1", port)); });
    EXPECT_EQ(code_of(error), ECONNREFUSED);
    EXPECT_EQ(text(error),
              "connect to TCP 127.0.0.1:" + std::to_string(port) + ": Connection refused");
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

/// A listener whose backlog is full: the kernel does not answer new connections.
struct Silent {
  Silent() {
    for (int i = 0; i < 8; ++i) {
      const auto try_one = [&] {
        fill.push_back(TcpStream::connect(listener.local_address(), weft::timeout(50ms)));
      };
      if (error_of(try_one)) break;
    }
  }
  Listener listener = Listener::tcp("127.0.0.1", 0, {.backlog = 0});
  std::vector<TcpStream> fill;
};

TEST(TcpTest, ConnectingMayTimeOutOrBeCancelled) {
  weft::testing::run([] {
    Silent silent;
    const auto connect = [&](weft::Token token) {
      static_cast<void>(TcpStream::connect(silent.listener.local_address(), token));
    };
    EXPECT_TRUE(is<weft::TimedOut>(error_of([&] { connect(weft::timeout(5s)); })));
    auto stuck = weft::spawn([&] { connect({}); });
    weft::testing::settle();
    stuck.cancel();
    EXPECT_TRUE(is<weft::Cancelled>(error_of([&] { weft::await(stuck); })));
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

TEST(TcpTest, AResetIsAnErrorThatNamesOperationAndPeer) {
  weft::testing::run([] {
    Pair pair = Pair::make();
    const std::string peer = pair.client.remote_address().to_string();
    reset(pair.server);
    std::string buffer(10, ' ');
    const auto error = error_of([&] { pair.client.read_some(buffer); });
    EXPECT_EQ(code_of(error), ECONNRESET);
    EXPECT_EQ(text(error), "read from TCP " + peer + ": Connection reset by peer");
  });
}

// R-POLL-6; trap 17
TEST(TcpTest, AResetInTheMiddleOfAWriteEndsIt) {
  weft::testing::run([] {
    Pair pair = Pair::make();
    pair.client.io().set_option(SOL_SOCKET, SO_SNDBUF, 4096);
    auto writer = weft::spawn([&] { pair.client.write_all(std::string(10'000'000, 'x')); });
    weft::testing::settle();
    reset(pair.server);
    const auto error = error_of([&] { weft::await(writer); });
    EXPECT_TRUE(code_of(error) == ECONNRESET || code_of(error) == EPIPE) << text(error);
    EXPECT_EQ(text(error).find("write to TCP 127.0.0.1:"), 0U) << text(error);
  });
}

TEST(TcpTest, AWriteToAClosedPeerIsAnErrorAndNoSignal) {
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  struct sigaction before {};
  weft::testing::run([&] {
    Pair pair = Pair::make();
    ::sigaction(SIGPIPE, &standard, &before);
    reset(pair.server);
    const auto error = error_of([&] {
      for (;;) pair.client.write_all("x");
    });
    EXPECT_TRUE(code_of(error) == ECONNRESET || code_of(error) == EPIPE) << text(error);
  });
  ::sigaction(SIGPIPE, &before, nullptr);
}

TEST(TcpTest, MuchDataGoesThroughSmallBuffersInBothDirections) {
  weft::testing::run([] {
    Pair pair = Pair::make();
    for (const TcpStream* stream : {&pair.client, &pair.server}) {
      stream->io().set_option(SOL_SOCKET, SO_SNDBUF, 1);  // the kernel makes it its minimum
    }
    std::string much;
    for (int i = 0; i < 40'000; ++i) much += std::to_string(i);
    auto up = weft::spawn([&] {
      pair.client.write_all(much);
      pair.client.shutdown_write();
    });
    auto down = weft::spawn([&] {
      pair.server.write_all(much);
      pair.server.shutdown_write();
    });
    auto received = weft::spawn([&] { return pair.server.read_all(); });
    EXPECT_TRUE(pair.client.read_all() == much);
    EXPECT_TRUE(weft::await(received) == much);
  });
}

// R-LSN-1
TEST(ListenerTest, GivesEachConnectionToOne) {
  weft::testing::run([] {
    Listener listener = Listener::tcp("127.0.0.1", 0);
    std::vector<TcpStream> servers;
    std::vector<weft::Coroutine<void>> acceptors;
    for (int i = 0; i < 10; ++i) {
      acceptors.push_back(weft::spawn([&] { servers.push_back(listener.accept()); }));
    }
    std::vector<TcpStream> clients;
    for (int i = 0; i < 10; ++i) {
      clients.push_back(TcpStream::connect("127.0.0.1", listener.port()));
      clients.back().write_all(std::to_string(i));
      clients.back().shutdown_write();
    }
    weft::await_all(acceptors);
    std::string all;
    for (TcpStream& server : servers) all += server.read_all();
    EXPECT_EQ(all, "0123456789");
  });
}

// R-LSN-1
TEST(ListenerTest, WithoutDescriptorsItThrowsAndTheConnectionIsNotLost) {
  if (!weft_test::descriptors_can_run_out()) GTEST_SKIP() << "not under checkers";
  weft::testing::run([] {
    Listener listener = Listener::tcp("127.0.0.1", 0);
    TcpStream client = TcpStream::connect("127.0.0.1", listener.port());
    client.write_all("still here\n");
    weft::delay(1ms);
    std::vector<weft_test::OwnDescriptor> all;
    rlimit before{};
    ::getrlimit(RLIMIT_NOFILE, &before);
    rlimit few = before;
    few.rlim_cur = 64;
    ::setrlimit(RLIMIT_NOFILE, &few);
    for (;;) {
      const int next = ::dup(0);
      if (next < 0) break;
      all.emplace_back(next);
    }
    // All other descriptors that accept() needs were opened before.
    auto failed = error_of([&] { static_cast<void>(listener.accept()); });
    EXPECT_EQ(code_of(failed), EMFILE) << text(failed);
    EXPECT_EQ(text(failed).find("accept from TCP 127.0.0.1"), 0U) << text(failed);
    all.clear();
    ::setrlimit(RLIMIT_NOFILE, &before);
    TcpStream server = listener.accept(weft::timeout(1s));
    EXPECT_EQ(server.read_line(), "still here");
  });
}

TEST(ListenerTest, CloseWakesAnAccept) {
  weft::testing::run([] {
    Listener listener = Listener::tcp("127.0.0.1", 0);
    auto one = weft::spawn([&] { static_cast<void>(listener.accept()); });
    auto two = weft::spawn([&] { static_cast<void>(listener.accept()); });
    weft::testing::settle();
    listener.close();
    for (const auto& acceptor : {one, two}) {
      const auto error = error_of([&] { weft::await(acceptor); });
      EXPECT_NE(text(error).find("Stream was closed"), std::string::npos) << text(error);
    }
    EXPECT_FALSE(listener.is_open());
  });
}

// R-LSN-1; trap 17
TEST(ListenerTest, CloseWakesAWaiterOfItsEvent) {
  weft::testing::run([] {
    weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);
    weft::ListenEvent event = listener.event();
    auto waiter = weft::spawn([&] { weft::await(event); });
    weft::testing::settle();
    listener.close();
    EXPECT_TRUE(is<std::system_error>(error_of([&] { weft::await(waiter, weft::timeout(1s)); })));
    EXPECT_TRUE(is<std::system_error>(error_of([&] { weft::await(event); })));
  });
}

TEST(ListenerTest, AcceptingMayTimeOutOrBeCancelled) {
  weft::testing::run([] {
    Listener listener = Listener::tcp("127.0.0.1", 0);
    EXPECT_TRUE(is<weft::TimedOut>(
        error_of([&] { static_cast<void>(listener.accept(weft::timeout(1s))); })));
    auto acceptor = weft::spawn([&] { static_cast<void>(listener.accept()); });
    weft::testing::settle();
    acceptor.cancel();
    EXPECT_TRUE(is<weft::Cancelled>(error_of([&] { weft::await(acceptor); })));
  });
}

TEST(ListenerTest, AnAddressInUseIsAnErrorThatNamesIt) {
  weft::testing::run([] {
    Listener listener = Listener::tcp("127.0.0.1", 0);
    const auto error =
        error_of([&] { static_cast<void>(Listener::tcp("127.0.0.1", listener.port())); });
    EXPECT_EQ(code_of(error), EADDRINUSE);
    EXPECT_NE(text(error).find("127.0.0.1:" + std::to_string(listener.port())), std::string::npos);
  });
}

TEST(ListenerTest, SeveralShareAPortIfAllAgree) {
  weft::testing::run([] {
    Listener first = Listener::tcp("127.0.0.1", 0, {.reuse_port = true});
    Listener second = Listener::tcp("127.0.0.1", first.port(), {.reuse_port = true});
    EXPECT_EQ(first.port(), second.port());
  });
}

TEST(TcpTest, AHostThatRefusesIsNamedAsTheProgramDid) {
  weft::testing::run([] {
    const auto port = [] { return Listener::tcp("localhost", 0).port(); }();
    const auto error = error_of([&] { static_cast<void>(TcpStream::connect("localhost", port)); });
    EXPECT_EQ(code_of(error), ECONNREFUSED);
    EXPECT_THAT(text(error), StartsWith("connect to localhost (TCP "));
    EXPECT_THAT(text(error), HasSubstr(":" + std::to_string(port) + "): "));
  });
}

// R-LSN-1
TEST(ListenerTest, TakesOverASocketThatListens) {
  weft::testing::run([] {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    EXPECT_TRUE(
        is<std::system_error>(error_of([&] { static_cast<void>(Listener::adopt(socket)); })));
    EXPECT_TRUE(weft_test::is_open(socket));
    ASSERT_EQ(::listen(socket, 5), 0);
    Listener listener = Listener::adopt(socket);
    auto accepted = weft::spawn([&] { return listener.accept(); });
    TcpStream client = TcpStream::connect("127.0.0.1", listener.port());
    weft::await(accepted).write_all("hello\n");
    EXPECT_EQ(client.read_line(), "hello");
  });
}

// R-LSN-1
TEST(ListenerTest, LeavesWhatItRefusesToItsOwner) {
  weft::testing::run([] {
    int both[2];
    ASSERT_EQ(::pipe(both), 0);
    const int datagrams = ::socket(AF_INET, SOCK_DGRAM, 0);
    for (const int descriptor : {both[0], both[1], datagrams}) {
      const auto error = error_of([&] { static_cast<void>(Listener::adopt(descriptor)); });
      EXPECT_EQ(code_of(error), ENOTSOCK);
      EXPECT_THAT(text(error), HasSubstr("listen on descriptor " + std::to_string(descriptor)));
      EXPECT_TRUE(weft_test::is_open(descriptor));
      EXPECT_EQ(::fcntl(descriptor, F_GETFL) & O_NONBLOCK, 0);
      ::close(descriptor);
    }
  });
}

TEST(ListenerTest, NothingLeaksToChildren) {
  weft::testing::run([] {
    Listener listener = Listener::tcp("127.0.0.1", 0);
    auto accepted = weft::spawn([&] { return listener.accept(); });
    TcpStream client = TcpStream::connect("127.0.0.1", listener.port());
    TcpStream server = weft::await(accepted);
    for (const int descriptor :
         {listener.io().descriptor(), client.descriptor(), server.descriptor()}) {
      EXPECT_NE(::fcntl(descriptor, F_GETFD) & FD_CLOEXEC, 0);
      EXPECT_NE(::fcntl(descriptor, F_GETFL) & O_NONBLOCK, 0);
    }
  });
}

}  // namespace
