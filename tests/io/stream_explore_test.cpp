#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <sys/socket.h>

#include <gtest/gtest.h>

#include "datagrams.hpp"
#include "failures.hpp"
#include "support.hpp"

// Streams are cancelled and closed at every suspension: no coroutine hangs, no byte is lost, no
// event is left over.
namespace {

using namespace std::chrono_literals;
using weft::UnixStream;

constexpr std::size_t much_data = 20'000;

/// Runs `body`; a closed stream or a timeout is no failure.
template <class F>
void allowing_ends(F&& body) {
  try {
    body();
  } catch (const std::system_error&) {
  } catch (const weft::OperationCancelled&) {
  }
}

void explore(weft::Function<void()> scenario) {
  const auto report = weft::testing::explore(
      std::move(scenario),
      {.schedules = weft::testing::random(300, 4), .cancel = weft::testing::every_point});
  EXPECT_TRUE(report.ok()) << report.first_failure();
}

TEST(StreamExploreTest, ConversationsEndHoweverTheyAreCancelled) {
  explore([] {
    auto both = UnixStream::pair();
    both.first.io().set_option(SOL_SOCKET, SO_SNDBUF, 1);
    weft::with_scope([&](weft::Scope& scope) {
      scope.spawn([&] {
        allowing_ends([&] {
          both.first.write_all(std::string(much_data, 'x'), weft::timeout(1s));
          both.first.write_all("\n", weft::timeout(1s));
          both.first.read_line(weft::timeout(1s));
        });
      });
      scope.spawn([&] {
        allowing_ends([&] {
          both.second.read_line(weft::timeout(1s));
          both.second.write_all("answer\n", weft::timeout(1s));
        });
      });
      scope.spawn([&] { allowing_ends([&] { both.first.write_all("y", weft::timeout(1s)); }); });
    });
  });
}

TEST(StreamExploreTest, NothingIsLostWhenAReaderIsCancelled) {
  explore([] {
    auto both = UnixStream::pair();
    std::string got;
    weft::with_scope([&](weft::Scope& scope) {
      auto unlucky = scope.spawn([&] {
        allowing_ends([&] {
          std::string five(5, ' ');
          both.first.read_exactly(five, weft::timeout(1s));
          got += five;
        });
      });
      scope.spawn([&] {
        const weft::detail::Protection protection;
        both.second.write_all("abc");
        weft::suspend();
        both.second.write_all("defg");
        weft::suspend();
        both.second.close();
      });
      unlucky.cancel();
    });
    both.second.close();
    if (got.size() + both.first.io().buffered() > 7) throw std::logic_error{"read twice"};
    const std::string rest = both.first.read_all();
    got += rest;
    if (std::string{"abcdefg"}.substr(0, got.size()) != got) throw std::logic_error{got};
  });
}

TEST(StreamExploreTest, CloseEndsAllWaitsAtEveryMoment) {
  explore([] {
    auto both = UnixStream::pair();
    both.first.io().set_option(SOL_SOCKET, SO_SNDBUF, 1);
    weft::with_scope([&](weft::Scope& scope) {
      scope.spawn([&] { allowing_ends([&] { both.first.read_line(); }); });
      scope.spawn([&] { allowing_ends([&] { both.first.read_all(); }); });
      scope.spawn(
          [&] { allowing_ends([&] { both.first.write_all(std::string(much_data, 'x')); }); });
      scope.spawn([&] { allowing_ends([&] { both.first.write_all("y"); }); });
      scope.spawn([&] {
        const struct Close {
          UnixStream& stream;
          ~Close() { stream.close(); }
        } close{both.first};
        weft::suspend();
        both.second.write_all("half a line");
        weft::suspend();
      });
      const struct Close {
        UnixStream& stream;
        ~Close() { stream.close(); }
      } close{both.second};
      weft::delay(1ms);
    });
  });
}

// The watch changes between edge- and level-triggered whenever a Poll is added or removed.
TEST(StreamExploreTest, AReaderIsWokenHoweverPollsComeAndGoBesideIt) {
  explore([] {
    auto both = UnixStream::pair();
    const int descriptor = both.first.descriptor();
    const auto poll = [&](unsigned wanted) {
      allowing_ends([&] { weft::await(weft::poll(descriptor, wanted), weft::timeout(1ms)); });
    };
    std::string got;
    bool has_read = false;
    bool has_written = false;
    weft::with_scope([&](weft::Scope& scope) {
      scope.spawn([&] {
        std::string five(5, ' ');
        allowing_ends([&] { both.first.read_exactly(five, weft::timeout(1s)); });
        got = five;
        has_read = true;
      });
      scope.spawn([&] { poll(weft::Poll::writable); });
      scope.spawn([&] { poll(weft::Poll::readable); });
      scope.spawn([&] {
        const weft::detail::Protection protection;
        both.second.write_all("abc");
        weft::suspend();
        both.second.write_all("de");
        has_written = true;
      });
    });
    if (has_read && has_written && got != "abcde") throw std::logic_error{"not notified"};
  });
}

TEST(StreamExploreTest, ConnectAndAcceptEndHoweverTheyAreCancelled) {
  explore([] {
    weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);
    weft::with_scope([&](weft::Scope& scope) {
      scope.spawn([&] {
        allowing_ends([&] {
          weft::TcpStream stream = listener.accept(weft::timeout(1s));
          stream.write_all("hello\n", weft::timeout(1s));
        });
      });
      scope.spawn([&] {
        allowing_ends([&] {
          weft::TcpStream stream =
              weft::TcpStream::connect("127.0.0.1", listener.port(), weft::timeout(1s));
          stream.read_line(weft::timeout(1s));
        });
      });
    });
  });
}

TEST(StreamExploreTest, RequestsEndHoweverTheirAwaitersAreCancelled) {
  explore([] {
    auto both = UnixStream::pair();
    both.first.io().set_option(SOL_SOCKET, SO_SNDBUF, 1);
    weft::with_scope([&](weft::Scope& scope) {
      scope.spawn([&] {
        const auto request = both.first.io().write(std::string(much_data, 'x'));
        if (!request->is_completed()) {
          allowing_ends([&] { weft::await(*request, weft::timeout(1s)); });
        }
      });
      scope.spawn([&] {
        const auto request = both.second.io().read(much_data);
        allowing_ends([&] { weft::await(*request, weft::timeout(1s)); });
      });
      scope.spawn([&] {
        const auto request = both.second.io().read(much_data);
        allowing_ends([&] { weft::await(*request, weft::timeout(1s)); });
      });
    });
  });
}

TEST(StreamExploreTest, DatagramsEndHoweverTheyAreCancelled) {
  explore([] {
    weft::UdpSocket socket = weft::UdpSocket::bind("127.0.0.1", 0);
    weft::with_scope([&](weft::Scope& scope) {
      scope.spawn([&] {
        std::array<std::byte, 16> buffer{};
        allowing_ends([&] { socket.receive_from(buffer, weft::timeout(1s)); });
      });
      scope.spawn([&] { socket.send_to("x", socket.local_address()); });
    });
  });
}

// Closing a handle that owns nothing ends the waits of this handle only.
TEST(StreamExploreTest, AHandleThatOwnsNothingEndsBesideTheOwnerAtEveryMoment) {
  explore([] {
    auto both = UnixStream::pair();
    const auto lent = weft::Io::adopt(both.first.descriptor(), false);
    std::string got;
    bool has_begun = false;
    bool has_ended = false;
    weft::with_scope([&](weft::Scope& scope) {
      scope.spawn([&] {
        const weft::detail::Protection protection;
        has_begun = true;
        std::string five(5, ' ');
        allowing_ends([&] { both.first.read_exactly(five, weft::timeout(1s)); });
        got = five;
      });
      const auto wait = [&] { allowing_ends([&] { lent->wait_readable(weft::timeout(1s)); }); };
      scope.spawn(wait);
      scope.spawn(wait);
      scope.spawn([&] {
        const weft::detail::Protection protection;
        weft::suspend();
        lent->close();
        weft::suspend();
        both.second.write_all("abcde");
        has_ended = true;
      });
    });
    if (has_begun && has_ended && got != "abcde") throw std::logic_error{"not notified"};
  });
}

// A coroutine and a request of two handles wait for one descriptor: in every order, and each
// cancelled at every suspension.
TEST(StreamExploreTest, WaitersOfOneDescriptorEndInEveryOrder) {
  const auto report = weft::testing::explore(
      [] {
        auto both = UnixStream::pair();
        const auto lent = weft::Io::adopt(both.first.descriptor(), false);
        std::string got;
        weft::with_scope([&](weft::Scope& scope) {
          scope.spawn([&] {
            std::string one(1, ' ');
            allowing_ends([&] { both.first.read_exactly(one, weft::timeout(1ms)); });
            got += one;
          });
          scope.spawn([&] {
            const auto request = lent->read(1);
            allowing_ends([&] { weft::await(*request, weft::timeout(1ms)); });
            got += request->data();
          });
          both.second.write_all("xy");
        });
        lent->close();
        both.second.close();
        got += both.first.read_all();
        std::erase(got, ' ');
        std::sort(got.begin(), got.end());
        if (!std::string_view{"xy"}.ends_with(got) && got != "x") throw std::logic_error{got};
        if (weft::stats().hidden_events != 0) throw std::logic_error{"still waits"};
      },
      {.schedules = weft::testing::all, .cancel = weft::testing::every_point});
  EXPECT_TRUE(report.ok()) << report.first_failure();
  EXPECT_GT(report.schedules(), 20U);
  ::testing::Test::RecordProperty("schedules", std::to_string(report.schedules()));
}

// A stream is closed while a request and a coroutine write.
TEST(StreamExploreTest, WritersEndInEveryOrderWhenTheStreamIsClosed) {
  const auto report = weft::testing::explore(
      [] {
        auto both = UnixStream::pair();
        both.first.io().set_option(SOL_SOCKET, SO_SNDBUF, 1);
        weft::with_scope([&](weft::Scope& scope) {
          scope.spawn([&] {
            allowing_ends([&] {
              const auto request = both.first.io().write({std::string(much_data, 'x'), "y"});
              weft::await(*request, weft::timeout(1ms));
            });
          });
          scope.spawn([&] {
            allowing_ends([&] {
              both.first.write_gathered({std::string(much_data, 'x'), "y"}, weft::timeout(1ms));
            });
          });
          weft::suspend();
          both.first.close();
        });
        if (weft::stats().hidden_events != 0) throw std::logic_error{"still waits"};
      },
      {.schedules = weft::testing::all, .cancel = weft::testing::every_point});
  EXPECT_TRUE(report.ok()) << report.first_failure();
  EXPECT_GT(report.schedules(), 20U);
  ::testing::Test::RecordProperty("schedules", std::to_string(report.schedules()));
}

// The kernel does not report when a receiver has room again.
TEST(StreamExploreTest, WaitsForAFullReceiverEndHoweverTheyAreCancelled) {
  explore([] {
    const weft_test::NamedDatagrams receiver;
    const auto io = weft_test::adopt_datagrams();
    const auto send = [&] { io->send_to(std::string{"x"}, receiver.name, weft::timeout(20ms)); };
    allowing_ends([&] {
      for (;;) send();
    });
    weft::with_scope([&](weft::Scope& scope) {
      scope.spawn([&] { allowing_ends(send); });
      scope.spawn([&] { allowing_ends(send); });
      scope.spawn([&] {
        weft::suspend();
        weft_test::take(receiver.socket.get());
        weft::delay(2ms);
        io->close();
      });
    });
  });
}

}  // namespace
