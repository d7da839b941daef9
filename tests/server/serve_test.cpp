#include "weft/serve.hpp"

#include <cerrno>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include <gtest/gtest.h>

#include "temporary.hpp"
#include "weft/testing.hpp"
#include "weft/weft.hpp"

using namespace std::chrono_literals;

namespace serve_test {

/// An event that keeps no outcome: only waits that exist when it rings are notified.
class Bell final : public weft::Event {
 public:
  void ring() noexcept { notify(); }
  [[nodiscard]] std::string info() const override { return "Bell"; }
};

/// A listener that always has a connection waiting.
struct BusyDoor {
  int accept(weft::Token /*token*/, weft::Place /*place*/) {
    weft::suspend();
    if (++came == 1'000) throw std::system_error{EBADF, std::system_category(), "accept"};
    return came;
  }
  int came = 0;
};

/// A listener whose clients are numbers sent through a channel; a negative number is an errno.
class Door {
 public:
  struct Guest {
    int number;
  };
  Guest accept(weft::Token token, weft::Place place) {
    const int number = line.recv(token, place);
    if (number < 0) throw std::system_error{-number, std::system_category(), "accept"};
    return Guest{number};
  }
  weft::Channel<int> line{100};
};

class ServeTest : public ::testing::Test {
 protected:
  /// Runs a server with `handler`, and `clients` concurrently; `stop` ends the server.
  template <class F, class G>
  void run(F handler, G clients) {
    run(handler, clients, stop);
  }
  template <class F, class G>
  void run(F handler, G clients, weft::Token token) {
    weft::testing::run([&] {
      auto others = weft::spawn(clients);
      options.stop = token;
      options.counts = &counts;
      weft::serve(door, handler, options);
      returned_at = weft::now();
      weft::await(others);
    });
  }

  /// A handler that ends only when it is cancelled.
  void stay() {
    try {
      weft::delay(1h);
    } catch (const weft::Cancelled&) {
      log.emplace_back("cancelled");
      throw;
    }
  }

  Door door;
  weft::Trigger stop;
  weft::ServeOptions options;
  weft::ServeCounts counts;
  weft::TimePoint returned_at;
  std::vector<std::string> log;
};

TEST_F(ServeTest, ServesEachConnectionInACoroutineOfItsOwn) {
  run(
      [&](Door::Guest guest) {
        weft::delay(10ms * (4 - guest.number));
        log.push_back(std::to_string(guest.number));
      },
      [&] {
        for (const int number : {1, 2, 3}) door.line.send(number);
        weft::delay(1s);
        stop.fire();
      });
  EXPECT_EQ(log, (std::vector<std::string>{"3", "2", "1"}));
  EXPECT_EQ(counts.accepted, 3U);
  EXPECT_EQ(counts.open, 0U);
}

TEST_F(ServeTest, LetsOnlySoManyInAtOnce) {
  options.max_connections = 2;
  std::size_t most = 0;
  run(
      [&](Door::Guest) {
        most = std::max(most, counts.open);
        weft::delay(10ms);
      },
      [&] {
        for (int i = 0; i < 7; ++i) door.line.send(i);
        weft::delay(1s);
        stop.fire();
      });
  EXPECT_EQ(most, 2U);
  EXPECT_EQ(counts.accepted, 7U);
}

TEST_F(ServeTest, CountsTheServedConnectionsAndNotTheAcceptThatWaits) {
  std::vector<std::size_t> open;
  run([&](Door::Guest) { weft::delay(10ms); },
      [&] {
        weft::delay(1ms);
        open.push_back(counts.open);
        door.line.send(1);
        weft::delay(1ms);
        open.push_back(counts.open);
        weft::delay(1s);
        open.push_back(counts.open);
        stop.fire();
      });
  EXPECT_EQ(open, (std::vector<std::size_t>{0, 1, 0}));
}

TEST_F(ServeTest, EndsAConnectionOnlyWhenItsHandlerThrows) {
  options.on_error = [&](std::exception_ptr error) {
    try {
      std::rethrow_exception(error);
    } catch (const std::runtime_error& failure) {
      log.push_back(failure.what());
    }
  };
  run(
      [&](Door::Guest guest) {
        if (guest.number == 1) throw std::runtime_error{"one"};
        weft::delay(10ms);
        log.push_back(std::to_string(guest.number));
      },
      [&] {
        for (const int number : {1, 2}) door.line.send(number);
        weft::delay(1s);
        stop.fire();
      });
  EXPECT_EQ(log, (std::vector<std::string>{"one", "2"}));
  EXPECT_EQ(counts.failed, 1U);
}

TEST_F(ServeTest, GoesOnWhenWhatAHandlerSpawnedFails) {
  options.on_error = [&](std::exception_ptr error) { log.push_back(weft::describe(error)); };
  run(
      [&](Door::Guest guest) {
        if (guest.number == 1) weft::spawn([] { throw std::runtime_error{"spawned"}; });
        weft::delay(10ms);
        log.push_back(std::to_string(guest.number));
      },
      [&] {
        for (const int number : {1, 2}) door.line.send(number);
        weft::delay(1s);
        stop.fire();
      });
  EXPECT_EQ(log, (std::vector<std::string>{"spawned", "1", "2"}));
  EXPECT_EQ(counts.failed, 1U);
}

TEST_F(ServeTest, GivesTheGraceAndNoMoreToWhatHandlersSpawned) {
  options.grace = 50ms;
  weft::TimePoint stopped_at;
  run([&](Door::Guest) { weft::spawn([&] { stay(); }); },
      [&] {
        door.line.send(1);
        weft::delay(10ms);
        stop.fire();
        stopped_at = weft::now();
      });
  EXPECT_EQ(log, (std::vector<std::string>{"cancelled"}));
  EXPECT_GE(returned_at - stopped_at, 50ms);
  EXPECT_LT(returned_at - stopped_at, 60ms);
}

TEST_F(ServeTest, StopsForAnEventThatHappensWhileItDoesNotWait) {
  Bell bell;
  run([&](Door::Guest guest) { log.push_back(std::to_string(guest.number)); },
      [&] {
        weft::delay(1ms);
        door.line.send(1);  // wakes the server...
        bell.ring();        // ...which has not run yet
      },
      bell);
  EXPECT_EQ(log, (std::vector<std::string>{"1"}));
}

TEST_F(ServeTest, StopsWhenTheEventHappenedBefore) {
  weft::testing::run([&] {
    const weft::Future<void> done = weft::Future<void>::completed();
    weft::serve(door, [](Door::Guest) {}, {.stop = done, .counts = &counts});
  });
  EXPECT_EQ(counts.accepted, 0U);
}

TEST(ServeStopTest, StopsAlthoughAConnectionAlwaysWaits) {
  BusyDoor door;
  weft::Trigger stop;
  weft::testing::run([&] {
    weft::spawn([&] {
      weft::suspend();
      stop.fire();
    });
    weft::serve(door, [](int) {}, {.stop = stop});
  });
  EXPECT_LT(door.came, 1'000);
}

TEST_F(ServeTest, StopsAcceptingAndFinishesWhatRuns) {
  weft::TimePoint stopped_at;
  run(
      [&](Door::Guest guest) {
        weft::delay(100ms);
        log.push_back(std::to_string(guest.number));
      },
      [&] {
        door.line.send(1);
        weft::delay(10ms);
        stop.fire();
        stopped_at = weft::now();
        weft::delay(10ms);
        door.line.send(2);  // too late
      });
  EXPECT_EQ(log, (std::vector<std::string>{"1"}));
  EXPECT_GE(returned_at - stopped_at, 90ms);
  EXPECT_LT(returned_at - stopped_at, 5s);
}

TEST_F(ServeTest, CancelsAtTheEndOfTheGraceWhatStillRuns) {
  options.grace = 50ms;
  weft::TimePoint stopped_at;
  run([&](Door::Guest) { stay(); },
      [&] {
        door.line.send(1);
        weft::delay(10ms);
        stop.fire();
        stopped_at = weft::now();
      });
  EXPECT_EQ(log, (std::vector<std::string>{"cancelled"}));
  EXPECT_GE(returned_at - stopped_at, 50ms);
  EXPECT_LT(returned_at - stopped_at, 60ms);
}

TEST_F(ServeTest, CanBeStoppedWhileItIsFull) {
  options.max_connections = 1;
  options.grace = 0s;
  run([&](Door::Guest) { weft::delay(1h); },
      [&] {
        door.line.send(1);
        door.line.send(2);
        weft::delay(10ms);
        stop.fire();
      });
  EXPECT_EQ(counts.accepted, 1U);
  EXPECT_EQ(counts.open, 0U);
}

TEST_F(ServeTest, PausesWhenDescriptorsRunOutUntilAConnectionEnds) {
  weft::TimePoint refused_at;
  weft::TimePoint served_at;
  run(
      [&](Door::Guest guest) {
        if (guest.number == 1) weft::delay(30ms);
        if (guest.number == 2) served_at = weft::now();
      },
      [&] {
        door.line.send(1);
        weft::delay(1ms);
        refused_at = weft::now();
        door.line.send(-EMFILE);
        door.line.send(2);
        weft::delay(1s);
        stop.fire();
      });
  EXPECT_EQ(counts.pauses, 1U);
  EXPECT_GE(served_at - refused_at, 28ms);
  EXPECT_LT(served_at - refused_at, 50ms);
}

TEST_F(ServeTest, TriesAgainAfterAWhileWhenNoConnectionEnds) {
  weft::TimePoint refused_at;
  weft::TimePoint served_at;
  run([&](Door::Guest) { served_at = weft::now(); },
      [&] {
        refused_at = weft::now();
        door.line.send(-ENFILE);
        door.line.send(1);
        weft::delay(1s);
        stop.fire();
      });
  EXPECT_GE(served_at - refused_at, 100ms);
  EXPECT_LT(served_at - refused_at, 110ms);
}

TEST_F(ServeTest, ThrowsWhatElseAcceptThrowsAfterAllConnectionsHaveEnded) {
  EXPECT_THROW(run([&](Door::Guest) { stay(); },
                   [&] {
                     door.line.send(1);
                     weft::delay(1ms);
                     door.line.send(-EBADF);
                   }),
               std::system_error);
  EXPECT_EQ(log, (std::vector<std::string>{"cancelled"}));
}

TEST_F(ServeTest, TakesItsConnectionsAlongWhenItIsCancelled) {
  weft::testing::run([&] {
    auto server = weft::spawn([&] { weft::serve(door, [&](Door::Guest) { stay(); }); });
    door.line.send(1);
    weft::delay(1ms);
    server.cancel();
    EXPECT_THROW(weft::await(server), weft::Cancelled);
    EXPECT_EQ(log, (std::vector<std::string>{"cancelled"}));
  });
}

TEST_F(ServeTest, RefusesANegativeGrace) {
  options.grace = -1ms;
  EXPECT_THROW(run([](Door::Guest) {}, [] {}), weft::ValueError);
}

TEST(ServeListenerTest, ServesTcpConnections) {
  weft::testing::run([] {
    weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);
    weft::Trigger stop;
    auto server = weft::spawn([&] {
      weft::serve(listener,
                  [](weft::TcpStream stream) { stream.write_all(*stream.read_line() + "!\n"); },
                  {.stop = stop});
    });
    weft::TcpStream client = weft::TcpStream::connect("127.0.0.1", listener.port());
    client.write_all("tcp\n");
    EXPECT_EQ(client.read_line(), "tcp!");
    stop.fire();
    weft::await(server);
  });
}

TEST(ServeListenerTest, ServesAPathWhenTheHandlerTakesUnixStreams) {
  const weft_test::TemporaryDirectory directory;
  weft::testing::run([&] {
    weft::Listener listener = weft::Listener::unix_path(directory / "socket");
    weft::Trigger stop;
    auto server = weft::spawn([&] {
      weft::serve(listener,
                  [](weft::UnixStream stream) { stream.write_all(*stream.read_line() + "!\n"); },
                  {.stop = stop});
    });
    weft::UnixStream client = weft::UnixStream::connect(directory / "socket");
    client.write_all("unix\n");
    EXPECT_EQ(client.read_line(), "unix!");
    stop.fire();
    weft::await(server);
  });
}

TEST(ServeExploreTest, LosesNoWaiterWhicheverIsCancelled) {
  const auto report = weft::testing::explore(
      [] {
        Door door;
        weft::ServeCounts counts;
        weft::Trigger stop;
        const auto serve_two = [&](weft::Scope& scope) {
          scope.spawn([&] {
            const weft::ServeOptions options{.max_connections = 1, .stop = stop, .counts = &counts};
            weft::serve(
                door, [](Door::Guest) { weft::suspend(); }, options);
          });
          door.line.send(1);
          door.line.send(2);
          weft::suspend();
          stop.fire();
        };
        try {
          weft::with_scope(serve_two);
        } catch (const weft::Cancelled&) {  // all handlers have ended even so
        }
        if (counts.open != 0) throw std::runtime_error{"a connection is still open"};
      },
      {.schedules = weft::testing::all, .cancel = weft::testing::every_point});
  EXPECT_TRUE(report.ok()) << report.first_failure();
  EXPECT_GT(report.schedules(), 10U);
}

}  // namespace serve_test
