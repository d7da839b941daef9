#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "chaos_gate.hpp"
#include "chaos_talk.hpp"
#include "support.hpp"

// A server on bad networks that is stopped while it serves: it ends, has counted every connection,
// and leaves nothing behind. WEFT_CHAOS_SEED=n repeats one.
namespace {

using namespace std::chrono_literals;
using weft_test::ChaosGate;
using weft_test::ChaosPlan;
using weft_test::ChaosTalk;
using weft_test::Random;

class BusyServer {
 public:
  explicit BusyServer(std::uint64_t seed) : seed_{seed}, random_{seed ^ 0x5e7e7U} {}

  void run() {
    try {
      weft::with_timeout(20s, [&] { serve_and_stop(); });
    } catch (const weft::TimedOut&) {
      ADD_FAILURE() << "a coroutine hangs, " << describe();
      return;
    }
    for (const std::string& text : wrong_) ADD_FAILURE() << text << ", " << describe();
    EXPECT_EQ(counts_.open, 0U) << describe();
    // The coroutine of a connection that is cancelled before its start does not call the handler.
    const bool all_begin = !cancels_ && grace_ > weft::Duration::zero();
    EXPECT_GE(counts_.accepted, ended_) << describe();
    EXPECT_TRUE(!all_begin || counts_.accepted == ended_) << describe();
    EXPECT_EQ(counts_.failed, thrown_) << describe();
    EXPECT_EQ(errors_, thrown_) << describe();
    EXPECT_EQ(counts_.pauses, 0U) << describe();
    EXPECT_LE(most_at_once_, max_connections_) << describe();
  }
  [[nodiscard]] std::uint64_t accepted() const noexcept { return counts_.accepted; }

 private:
  void serve_and_stop() {
    weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);
    weft::Trigger stop;
    const std::size_t clients = random_.size(8);
    weft::with_scope([&](weft::Scope& scope) {
      auto server = scope.spawn([&] {
        weft::serve(listener, [&](weft::TcpStream stream) { handle(stream); },
                    {.max_connections = max_connections_,
                     .stop = stop,
                     .grace = grace_,
                     .on_error = [&](const std::exception_ptr&) { ++errors_; },
                     .counts = &counts_});
      });
      std::vector<weft::Coroutine<void>> visitors;
      for (std::size_t i = 0; i < clients; ++i) {
        visitors.push_back(
            scope.spawn([&, seed = random_.next()] { visit(listener.local_address(), seed); }));
      }
      const std::size_t enough = random_.below(clients + 1);
      while (counts_.accepted < enough && gone_ < clients) weft::delay(1ms);
      weft::delay(random_.time(5ms));
      if (cancels_) {
        server.cancel();
      } else {
        stop.fire();
      }
      weft::await_settled(std::vector{server});
      listener.close();
      weft::await_all(visitors);
    });
  }

  void handle(weft::TcpStream& stream) {
    const struct Ending {
      BusyServer& server;
      ~Ending() { ++server.ended_; }
    } ending{*this};
    most_at_once_ = std::max(most_at_once_, counts_.open);
    ChaosTalk talk{random_.next(), patience};
    const bool throws = random_.one_in(4);
    talk.echo(stream);
    note(talk);
    if (!throws) return;
    ++thrown_;
    throw std::runtime_error{"thrown by the handler"};
  }

  void visit(const weft::Address& server, std::uint64_t seed) {
    Random random{seed};
    weft::delay(random.time(10ms));
    const std::size_t bytes = random.size(30'000);
    ChaosGate gate{server, ChaosPlan::of(seed, bytes)};
    weft::with_scope([&](weft::Scope& scope) {
      auto network = scope.spawn([&] { gate.run(); });
      ChaosTalk talk{seed, patience};
      talk.allowing_errors([&] {
        weft::TcpStream stream = weft::TcpStream::connect("127.0.0.1", gate.port());
        talk.ask(stream, bytes);
      });
      note(talk);
      network.cancel();
    });
    ++gone_;
  }

  void note(const ChaosTalk& talk) {
    if (!talk.wrong().empty()) wrong_.push_back(talk.wrong());
  }
  [[nodiscard]] std::string describe() const { return "WEFT_CHAOS_SEED=" + std::to_string(seed_); }

  static constexpr weft::Duration patience = 60ms;
  std::uint64_t seed_;
  Random random_;
  std::size_t max_connections_ = random_.size(8);
  weft::Duration grace_ = random_.one_in(2) ? weft::Duration::zero() : random_.time(30ms);
  bool cancels_ = random_.one_in(4);
  weft::ServeCounts counts_;
  std::uint64_t ended_ = 0;
  std::uint64_t thrown_ = 0;
  std::size_t gone_ = 0;
  std::uint64_t errors_ = 0;
  std::size_t most_at_once_ = 0;
  std::vector<std::string> wrong_;
};

void serve_all(const std::vector<std::uint64_t>& seeds) {
  std::uint64_t accepted = 0;
  weft::run([&] {
    BusyServer{0}.run();  // opens the descriptors that the loop keeps
    const std::vector<std::string> open = weft_test::listed_descriptors();
    const weft::Stats before = weft::stats();
    std::size_t next = 0;
    weft::with_scope([&](weft::Scope& scope) {
      for (int i = 0; i < 16; ++i) {
        scope.spawn([&] {
          while (next < seeds.size() && !::testing::Test::HasFailure()) {
            BusyServer server{seeds[next++]};
            server.run();
            accepted += server.accepted();
          }
        });
      }
    });
    weft::delay(1ms);  // libuv handles are closed in the next turn
    const weft::Stats after = weft::stats();
    EXPECT_EQ(after.coroutines, before.coroutines);
    EXPECT_EQ(after.active_events, before.active_events);
    EXPECT_EQ(after.armed_timers, before.armed_timers);
    EXPECT_EQ(weft_test::listed_descriptors(), open);
  });
  EXPECT_TRUE(seeds.size() == 1 || accepted > seeds.size()) << accepted;
}

TEST(ServeChaosTest, EndsAndHasAnsweredForEveryConnection) {
  serve_all(weft_test::chaos_seeds(1, 150));
}

TEST(StressServeChaosTest, EndsAndHasAnsweredForEveryConnection) {
  serve_all(weft_test::chaos_seeds(1'000, 2'000));
}

}  // namespace
