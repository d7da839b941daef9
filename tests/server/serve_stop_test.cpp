#include <cerrno>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"
#include "temporary.hpp"
#include "weft/serve.hpp"

// Once a server has stopped accepting, new connections are refused instead of left waiting.
namespace serve_stop_test {

using namespace std::chrono_literals;
using weft::Listener;
using weft::TcpStream;
using weft_test::code_of;
using weft_test::error_of;
using weft_test::is;

void echo(TcpStream stream) {
  while (const auto line = stream.read_line()) stream.write_all(*line + "\n");
}

// trap 70: the kernel accepts connections for the whole grace time
TEST(ServeStopTest, AClientThatConnectsAfterTheStopIsRefusedAtOnce) {
  weft::testing::run([] {
    Listener listener = Listener::tcp("127.0.0.1", 0);
    const auto port = listener.port();
    weft::Trigger stop;
    auto server = weft::spawn([&] { weft::serve(listener, echo, {.stop = stop, .grace = 1h}); });
    TcpStream busy = TcpStream::connect("127.0.0.1", port);
    busy.write_all("hello\n");
    EXPECT_EQ(busy.read_line(), "hello");
    stop.fire();
    weft::delay(1ms);
    EXPECT_FALSE(listener.is_open());
    const auto error =
        error_of([&] { const TcpStream late = TcpStream::connect("127.0.0.1", port); });
    EXPECT_EQ(code_of(error), ECONNREFUSED);
    busy.write_all("still\n");
    EXPECT_EQ(busy.read_line(), "still");
    EXPECT_FALSE(server.is_completed());
    busy.close();
    weft::await(server);
  });
}

// trap 70: half of the connections go to the server that has stopped
TEST(ServeStopTest, AnotherServerOfThePortGetsThemAll) {
  weft::testing::run([] {
    Listener first = Listener::tcp("127.0.0.1", 0, {.reuse_port = true});
    const auto port = first.port();
    Listener second = Listener::tcp("127.0.0.1", port, {.reuse_port = true});
    weft::Trigger stop_first;
    weft::Trigger stop_second;
    weft::ServeCounts counts;
    auto one = weft::spawn(
        [&] { weft::serve(first, echo, {.stop = stop_first, .grace = 1h, .counts = &counts}); });
    auto two = weft::spawn([&] { weft::serve(second, echo, {.stop = stop_second}); });
    std::vector<TcpStream> busy;
    while (counts.accepted == 0) {
      busy.push_back(TcpStream::connect("127.0.0.1", port));
      busy.back().write_all("hello\n");
      EXPECT_EQ(busy.back().read_line(), "hello");
    }
    stop_first.fire();
    weft::delay(1ms);
    for (int i = 0; i < 30; ++i) {
      TcpStream late = TcpStream::connect("127.0.0.1", port);
      late.write_all("late\n");
      EXPECT_EQ(late.read_line(weft::timeout(1s)), "late");
    }
    EXPECT_FALSE(one.is_completed());
    busy.clear();
    stop_second.fire();
    weft::await(one);
    weft::await(two);
  });
}

TEST(ServeStopTest, ThePathOfAUnixListenerIsFreeForTheNextServer) {
  const weft_test::TemporaryDirectory directory;
  weft::testing::run([&] {
    Listener listener = Listener::unix_path(directory / "socket");
    weft::Trigger stop;
    auto server = weft::spawn([&] {
      weft::serve(listener, [](weft::UnixStream stream) { stream.read_line(); },
                  {.stop = stop, .grace = 1h});
    });
    weft::UnixStream busy = weft::UnixStream::connect(directory / "socket");
    weft::delay(1ms);
    stop.fire();
    weft::delay(1ms);
    const Listener next = Listener::unix_path(directory / "socket");
    EXPECT_TRUE(next.is_open());
    busy.close();
    weft::await(server);
  });
}

/// Closes like a listener, and accepts what the test gives it.
class Door {
 public:
  int accept(weft::Token token, weft::Place place) {
    const int number = line.recv(token, place);
    if (number < 0) throw std::system_error{-number, std::generic_category(), "accept"};
    return number;
  }
  void close() noexcept { closed = true; }
  weft::Channel<int> line{100};
  bool closed = false;
};

// trap 70: connections with a long clean-up keep the listener open
TEST(ServeStopTest, ACancelledServerClosesItsListenerBeforeItsConnectionsHaveEnded) {
  weft::testing::run([] {
    Door door;
    bool was_closed = false;
    auto server = weft::spawn([&] {
      weft::serve(door, [&](int) {
        const struct CleanUp {
          ~CleanUp() { was_closed = door.closed; }
          bool& was_closed;
          Door& door;
        } clean_up{was_closed, door};
        weft::delay(1h);
      });
    });
    door.line.send(1);
    weft::delay(1ms);
    EXPECT_FALSE(door.closed);
    server.cancel();
    EXPECT_THROW(weft::await(server), weft::Cancelled);
    EXPECT_TRUE(was_closed);
  });
}

TEST(ServeStopTest, AShutdownClosesTheListenerFirst) {
  Door door;
  bool was_closed = false;
  const auto error = error_of([&] {
    weft::testing::run(
        [&] {
          auto server = weft::spawn([&] {
            weft::serve(door, [&](int) {
              const struct CleanUp {
                ~CleanUp() {
                  weft::delay(1s);
                  was_closed = door.closed;
                }
                bool& was_closed;
                Door& door;
              } clean_up{was_closed, door};
              weft::delay(1h);
            });
          });
          door.line.send(1);
          weft::delay(1ms);
          throw std::runtime_error{"the end"};
        },
        weft_test::quiet());
  });
  EXPECT_TRUE(is<std::runtime_error>(error));
  EXPECT_TRUE(was_closed);
}

// trap 71: an error unwinds the frame of the listener before the server is cancelled
TEST(ServeStopTest, AServerOutlivesTheFrameOfItsListener) {
  bool served = false;
  const auto error = error_of([&] {
    weft::testing::run(
        [&] {
          auto listener = std::make_unique<Listener>(Listener::tcp("127.0.0.1", 0));
          auto server = weft::spawn([&served, &mine = *listener] {
            weft::serve(mine, [&](TcpStream) { served = true; });
          });
          const TcpStream client = TcpStream::connect("127.0.0.1", listener->port());
          while (!served) weft::delay(1ms);
          throw std::runtime_error{"the end"};
        },
        weft_test::quiet());
  });
  EXPECT_TRUE(is<std::runtime_error>(error));
  EXPECT_TRUE(served);
}

TEST(ServeStopTest, AClosedListenerStillSaysWhereItWas) {
  weft::testing::run([] {
    Listener listener = Listener::tcp("127.0.0.1", 0);
    const auto port = listener.port();
    listener.close();
    EXPECT_EQ(listener.port(), port);
  });
}

TEST(ServeStopTest, AFullServerClosesAtTheStop) {
  weft::testing::run([] {
    Door door;
    weft::Trigger stop;
    auto server = weft::spawn([&] {
      weft::serve(door, [&](int) { weft::delay(1h); },
                  {.max_connections = 1, .stop = stop, .grace = 1min});
    });
    door.line.send(1);
    weft::delay(1ms);
    stop.fire();
    weft::delay(1ms);
    EXPECT_TRUE(door.closed);
    EXPECT_FALSE(server.is_completed());
    weft::await(server);
  });
}

// accept(2): errors after which the listener can still accept.
TEST(ServeAcceptErrorTest, ARefusalOfTheSystemPausesAndIsReported) {
  for (const int error : {EPERM, EACCES, EPROTONOSUPPORT, ESOCKTNOSUPPORT}) {
    std::vector<std::string> warnings;
    weft::ServeCounts counts;
    weft::testing::run(
        [&] {
          Door door;
          weft::Trigger stop;
          auto server = weft::spawn(
              [&] { weft::serve(door, [](int) {}, {.stop = stop, .counts = &counts}); });
          door.line.send(1);
          door.line.send(-error);
          door.line.send(2);
          weft::delay(1s);
          stop.fire();
          weft::await(server);
        },
        weft_test::collecting(warnings));
    EXPECT_EQ(counts.accepted, 2U) << error;
    EXPECT_EQ(counts.pauses, 1U) << error;
    EXPECT_EQ(counts.failed, 0U) << error;
    ASSERT_EQ(warnings.size(), 1U) << error;
    EXPECT_TRUE(warnings.front().starts_with("serve(): accept")) << warnings.front();
  }
}

TEST(ServeAcceptErrorTest, ShortagesPauseSilently) {
  for (const int error : {EMFILE, ENFILE, ENOBUFS, ENOMEM, ENOSR}) {
    std::vector<std::string> warnings;
    weft::ServeCounts counts;
    weft::testing::run(
        [&] {
          Door door;
          weft::Trigger stop;
          auto server = weft::spawn(
              [&] { weft::serve(door, [](int) {}, {.stop = stop, .counts = &counts}); });
          door.line.send(-error);
          door.line.send(2);
          weft::delay(1s);
          stop.fire();
          weft::await(server);
        },
        weft_test::collecting(warnings));
    EXPECT_EQ(counts.accepted, 1U) << error;
    EXPECT_EQ(warnings.size(), 0U) << error;
  }
}

/// Another error category, in which the number of a harmless error means something else.
class OthersCategory final : public std::error_category {
 public:
  [[nodiscard]] const char* name() const noexcept override { return "others"; }
  [[nodiscard]] std::string message(int /*code*/) const override { return "other"; }
};

TEST(ServeAcceptErrorTest, AnErrorOfAnotherCategoryEndsTheServer) {
  static const OthersCategory others;
  struct Broken {
    int accept(weft::Token, weft::Place) { throw std::system_error{EPERM, others, "accept"}; }
  } broken;
  weft::testing::run([&] { EXPECT_THROW(weft::serve(broken, [](int) {}), std::system_error); });
}

}  // namespace serve_stop_test
