#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "chaos_gate.hpp"
#include "chaos_talk.hpp"
#include "faulty_calls.hpp"
#include "support.hpp"

// Conversations over a bad network, and with sides that are cancelled in the middle. In each, the
// bytes that arrive are the first ones sent, in order; all coroutines end; errors name the
// operation and the peer; no descriptor or event is left over. WEFT_CHAOS_SEED=n repeats one.
namespace {

using namespace std::chrono_literals;
using weft_test::ChaosEnd;
using weft_test::ChaosGate;
using weft_test::ChaosPlan;
using weft_test::ChaosTalk;
using weft_test::Random;

/// How many conversations ended in which way, so that a test sees that its seeds cover all ways.
struct Tally {
  std::array<int, weft_test::chaos_ends> ends{};
  int whole = 0;
  int failed = 0;
  int cancelled = 0;
};

class Conversation {
 public:
  Conversation(std::uint64_t seed, Tally& tally)
      : seed_{seed},
        random_{seed ^ 0x5eedU},
        tally_{tally},
        bytes_{random_.size(random_.one_in(8) ? 1'000'000 : 30'000)},
        plan_{ChaosPlan::of(seed, bytes_)},
        victim_{random_.below(6)},
        moment_{random_.time(5ms)},
        patience_{is_strict() ? weft::Duration::zero() : weft::Duration{60ms}} {}

  /// Suspends until the conversation is over; reports what went wrong.
  void run() {
    try {
      weft::with_timeout(20s, [&] { talk(); });
    } catch (const weft::TimedOut&) {
      ADD_FAILURE() << "a coroutine hangs\n" << describe();
      return;
    }
    judge();
  }

 private:
  /// Whether no operation may fail: a harmless network and no cancellation.
  [[nodiscard]] bool is_strict() const noexcept { return plan_.is_harmless() && victim_ > 2; }

  void talk() {
    weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);
    ChaosGate gate{listener.local_address(), plan_};
    weft::with_scope([&](weft::Scope& scope) {
      auto network = scope.spawn([&] { gate.run(); });
      auto server = scope.spawn([&] {
        server_.allowing_errors([&] {
          weft::Timeout none_comes{200ms};
          const bool waits = patience_ == weft::Duration::zero();
          weft::TcpStream stream = listener.accept(waits ? weft::Token{} : weft::Token{none_comes});
          server_.echo(stream);
        });
      });
      auto client = scope.spawn([&] {
        client_.allowing_errors([&] {
          weft::TcpStream stream = weft::TcpStream::connect("127.0.0.1", gate.port());
          if (random_.one_in(2)) stream.no_delay();
          client_.ask(stream, bytes_);
        });
      });
      if (victim_ < 3) {
        weft::delay(moment_);
        std::array<weft::AnyCoroutine, 3>{client, server, network}[victim_].cancel();
      }
      weft::await_settled(std::vector{client, server});
      network.cancel();
    });
  }

  void judge() {
    EXPECT_EQ(client_.wrong(), "") << describe();
    EXPECT_EQ(server_.wrong(), "") << describe();
    EXPECT_LE(server_.received(), bytes_) << describe();
    EXPECT_LE(client_.received(), server_.received()) << describe();
    if (is_strict()) {
      EXPECT_EQ(client_.received(), bytes_) << describe();
      EXPECT_TRUE(client_.came_to_its_end() && server_.came_to_its_end()) << describe();
      EXPECT_TRUE(client_.errors().empty() && server_.errors().empty()) << describe();
    }
    ++tally_.ends[static_cast<std::size_t>(plan_.up.end)];
    ++tally_.ends[static_cast<std::size_t>(plan_.down.end)];
    tally_.whole += client_.received() == bytes_ && client_.came_to_its_end() ? 1 : 0;
    tally_.failed += client_.errors().empty() ? 0 : 1;
    tally_.cancelled += victim_ < 3 ? 1 : 0;
  }

  [[nodiscard]] std::string describe() const {
    std::string text =
        "WEFT_CHAOS_SEED=" + std::to_string(seed_) + ": " + std::to_string(bytes_) + " bytes; " +
        plan_.describe() + "; cancelled: " +
        std::array{"client", "server", "network", "none"}[std::min<std::size_t>(victim_, 3)];
    for (const ChaosTalk* side : {&client_, &server_}) {
      text += side == &client_ ? "\nclient" : "\nserver";
      text += " received " + std::to_string(side->received());
      for (const auto& error : side->errors()) text += ", " + weft::describe(error);
    }
    return text;
  }

  std::uint64_t seed_;
  Random random_;
  Tally& tally_;
  std::size_t bytes_;
  ChaosPlan plan_;
  std::size_t victim_;
  weft::Duration moment_;
  weft::Duration patience_;
  ChaosTalk client_{random_.next(), patience_};
  ChaosTalk server_{random_.next(), patience_};
};

/// Runs the conversations, 32 at a time.
Tally converse(const std::vector<std::uint64_t>& seeds) {
  Tally tally;
  weft::run([&] {
    Conversation{0, tally}.run();  // opens the descriptors that the loop keeps
    const std::vector<std::string> open = weft_test::listed_descriptors();
    const weft::Stats before = weft::stats();
    tally = {};
    std::size_t next = 0;
    weft::with_scope([&](weft::Scope& scope) {
      for (int i = 0; i < 32; ++i) {
        scope.spawn([&] {
          while (next < seeds.size() && !::testing::Test::HasFailure()) {
            Conversation{seeds[next++], tally}.run();
          }
        });
      }
    });
    weft::delay(1ms);  // libuv handles are closed in the next turn
    const weft::Stats after = weft::stats();
    EXPECT_EQ(after.coroutines, before.coroutines);
    EXPECT_EQ(after.active_events, before.active_events);
    EXPECT_EQ(after.hidden_events, before.hidden_events);
    EXPECT_EQ(after.armed_timers, before.armed_timers);
    EXPECT_EQ(weft_test::listed_descriptors(), open);
  });
  return tally;
}

TEST(ChaosTest, ConversationsSurviveABadNetwork) {
  const std::vector<std::uint64_t> seeds = weft_test::chaos_seeds(1, 300);
  const Tally tally = converse(seeds);
  if (seeds.size() == 1 || HasFailure()) return;
  for (const int times : tally.ends) EXPECT_GT(times, 10);
  EXPECT_GT(tally.whole, 30);
  EXPECT_GT(tally.failed, 30);
  EXPECT_GT(tally.cancelled, 30);
}

// In addition, system calls are interrupted or transfer less than asked for.
TEST(ChaosTest, ConversationsSurviveABadNetworkAndFaultyCalls) {
  const weft_test::FaultyCalls faults{1};
  converse(weft_test::chaos_seeds(500, 100));
}

TEST(StressChaosTest, ConversationsSurviveABadNetworkAndFaultyCalls) {
  const weft_test::FaultyCalls faults{2};
  converse(weft_test::chaos_seeds(10'000, 3'000));
}

TEST(StressChaosTest, ConversationsSurviveABadNetwork) {
  converse(weft_test::chaos_seeds(1'000, 5'000));
}

TEST(ChaosTest, APlanIsThatOfItsSeed) {
  const std::string plan = ChaosPlan::of(7, 10'000).describe();
  EXPECT_EQ(ChaosPlan::of(7, 10'000).describe(), plan);
  EXPECT_NE(ChaosPlan::of(8, 10'000).describe(), plan);
}

}  // namespace
