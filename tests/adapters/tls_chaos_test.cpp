#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <boost/asio/read.hpp>
#include <gtest/gtest.h>

#include "certificates.hpp"
#include "chaos_gate.hpp"
#include "chaos_talk.hpp"
#include "descriptors.hpp"
#include "support.hpp"
#include "weft/tls.hpp"

// TLS cancelled at every suspension, and over a bad network.
namespace tls_chaos_test {

using namespace std::chrono_literals;
using weft::TcpStream;
using weft::TlsStream;
using weft_test::ChaosGate;
using weft_test::ChaosPlan;
using weft_test::Random;

/// Runs `body`; false if it ended with an error that a connection may have.
template <class F>
bool allowing_ends(F&& body) {
  try {
    body();
    return true;
  } catch (const boost::system::system_error&) {
  } catch (const std::system_error&) {
  } catch (const weft::OperationCancelled&) {
  }
  return false;
}

class TlsChaosTest : public ::testing::Test {
 protected:
  weft_test::Certificates certificates;
  weft_test::Certificates::Files files = certificates.issue({.name = "localhost"});
  weft::TlsContext server_context = weft::TlsContext::server(files.certificate, files.key);
  weft::TlsContext client_context = weft::TlsContext::client_trusting(certificates.authority());
};

TEST_F(TlsChaosTest, EndsHoweverItIsCancelled) {
  const std::string much(30'000, 'x');
  int whole = 0;
  const auto talk = [&] {
    weft_test::Ends ends = weft_test::Ends::sockets();
    const int here = ends.here.get();
    const int there = ends.there.get();
    for (const int end : {here, there}) {
      const int small = 1;  // makes both sides wait
      ::setsockopt(end, SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
    }
    bool received = false;
    const auto answer = [&] {
      TlsStream stream = TlsStream::accept(TcpStream::adopt(ends.here.release()), server_context,
                                           weft::timeout(1s));
      std::array<char, 64> question{};
      const std::size_t size = stream.read_some(question, weft::timeout(1s));
      if (std::string_view{question.data(), size} != "how much?") return;
      stream.write_all(much, weft::timeout(1s));
      stream.shutdown(weft::timeout(1s));
    };
    const auto ask = [&] {
      TlsStream::Native stream{TcpStream::adopt(ends.there.release()), client_context.native()};
      weft::Timeout patience{5s};
      stream.next_layer().set_read_token(patience);
      stream.next_layer().set_write_token(patience);
      stream.handshake(boost::asio::ssl::stream_base::client);
      boost::asio::write(stream, boost::asio::buffer("how much?", 9));
      std::string got(much.size(), ' ');
      boost::asio::read(stream, boost::asio::buffer(got));
      received = got == much;
      boost::system::error_code ended;
      stream.read_some(boost::asio::buffer(got), ended);
      EXPECT_TRUE(ended == boost::asio::error::eof ||
                  ended == boost::asio::ssl::error::stream_truncated)
          << ended;
      stream.shutdown(ended);
    };
    const struct Check {
      bool& received;
      int& whole;
      int here;
      int there;
      weft_test::Ends& ends;
      ~Check() {
        whole += received ? 1 : 0;
        ends.here.reset();  // open if its owner was cancelled before it began
        ends.there.reset();
        EXPECT_FALSE(weft_test::is_open(here) || weft_test::is_open(there));
      }
    } check{received, whole, here, there, ends};
    weft::with_scope([&](weft::Scope& scope) {
      scope.spawn([&] { allowing_ends(answer); });
      scope.spawn([&] { allowing_ends(ask); });
    });
  };
  for (const auto& schedules : {weft::testing::fifo, weft::testing::random(150, 4)}) {
    const auto report = weft::testing::explore(
        talk, {.schedules = schedules, .cancel = weft::testing::every_point, .in_child = false});
    EXPECT_TRUE(report.ok()) << report.first_failure();
    EXPECT_GT(report.schedules(), 25U);
  }
  EXPECT_GT(whole, 0);
}

/// One conversation over TLS through a gate.
class TlsTalk {
 public:
  TlsTalk(std::uint64_t seed, weft::TlsContext& server, weft::TlsContext& client)
      : seed_{seed},
        random_{seed ^ 0x7145U},
        server_context_{server},
        client_context_{client},
        said_(random_.size(60'000), '\0'),
        plan_{ChaosPlan::of(seed, said_.size() + 2'000)} {
    for (char& byte : said_) byte = static_cast<char>(random_.next());
  }

  void run() {
    try {
      weft::with_timeout(20s, [&] { talk(); });
    } catch (const weft::TimedOut&) {
      ADD_FAILURE() << "a coroutine hangs\n" << describe();
      return;
    }
    EXPECT_TRUE(std::string_view{said_}.starts_with(received_)) << describe();
    // An end of the connection without close_notify must be an error, not the end of the data.
    EXPECT_TRUE(!ended_ || received_.size() == said_.size()) << describe();
    EXPECT_TRUE(!plan_.is_harmless() || ended_) << describe();
  }
  [[nodiscard]] bool was_whole() const noexcept { return ended_; }

 private:
  void talk() {
    weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);
    ChaosGate gate{listener.local_address(), plan_};
    weft::with_scope([&](weft::Scope& scope) {
      auto network = scope.spawn([&] { gate.run(); });
      auto server = scope.spawn([&] {
        allowing_ends([&] {
          const weft::Ref<weft::Timeout> limit = patience();
          TlsStream stream = TlsStream::accept(listener.accept(limit), server_context_, limit);
          for (std::string_view rest = said_; !rest.empty();) {
            const std::size_t size = std::min(rest.size(), random_.size(20'000));
            stream.write_all(rest.substr(0, size), limit);
            rest.remove_prefix(size);
          }
          stream.shutdown(limit);
        });
      });
      allowing_ends([&] {
        const weft::Ref<weft::Timeout> limit = patience();
        TlsStream stream = TlsStream::connect("localhost", gate.port(), client_context_, limit);
        std::string piece(20'000, ' ');
        while (const std::size_t size = stream.read_some(piece, limit)) {
          received_.append(piece, 0, size);
        }
        ended_ = true;
        stream.shutdown(limit);
      });
      weft::await_settled(std::vector{server});
      network.cancel();
    });
  }
  [[nodiscard]] weft::Ref<weft::Timeout> patience() const {
    return weft::make_ref<weft::Timeout>(plan_.is_harmless() ? weft::Duration{1h} : 300ms);
  }
  [[nodiscard]] std::string describe() const {
    return "WEFT_CHAOS_SEED=" + std::to_string(seed_) + ": received " +
           std::to_string(received_.size()) + " of " + std::to_string(said_.size()) +
           (ended_ ? " and the end; " : "; ") + plan_.describe();
  }

  std::uint64_t seed_;
  Random random_;
  weft::TlsContext& server_context_;
  weft::TlsContext& client_context_;
  std::string said_;
  ChaosPlan plan_;
  std::string received_;
  bool ended_ = false;
};

TEST_F(TlsChaosTest, ABadNetworkMayEndItButNotCutItShortUnnoticed) {
  weft::run([&] {
    TlsTalk{0, server_context, client_context}.run();  // opens the descriptors that the loop keeps
    weft::delay(1ms);
    const std::vector<std::string> open = weft_test::listed_descriptors();
    const std::vector<std::uint64_t> seeds = weft_test::chaos_seeds(1, 60);
    std::size_t next = 0;
    std::size_t whole = 0;
    weft::with_scope([&](weft::Scope& scope) {
      for (int i = 0; i < 12; ++i) {
        scope.spawn([&] {
          while (next < seeds.size() && !HasFailure()) {
            TlsTalk talk{seeds[next++], server_context, client_context};
            talk.run();
            whole += talk.was_whole() ? 1U : 0U;
          }
        });
      }
    });
    weft::delay(1ms);
    EXPECT_EQ(weft_test::listed_descriptors(), open);
    EXPECT_TRUE(seeds.size() == 1 || (whole > 10 && whole < seeds.size() - 10)) << whole;
  });
}

}  // namespace tls_chaos_test
