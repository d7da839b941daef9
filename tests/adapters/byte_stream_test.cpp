#include "weft/byte_stream.hpp"

#include <array>
#include <optional>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "certificates.hpp"
#include "failures.hpp"
#include "support.hpp"
#include "temporary.hpp"
#include "weft/tls.hpp"

// The same scenarios over every kind of connection.
namespace byte_stream_test {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using weft_test::code_of;
using weft_test::error_of;
using weft_test::is;
using weft_test::text;

static_assert(weft::ByteStream<weft::TcpStream>);
static_assert(weft::ByteStream<weft::UnixStream>);
static_assert(weft::ByteStream<weft::Pipe>);
static_assert(weft::ByteStream<weft::Tty>);
static_assert(weft::ByteStream<weft::File>);
static_assert(weft::ByteStream<weft::TlsStream>);
static_assert(!weft::ByteStream<weft::UdpSocket>);
static_assert(!weft::ByteStream<weft::Listener>);

/// Two ends of a connection. `end()` ends the data of one side, as the kind of stream requires.
template <class S>
struct Connection;

template <>
struct Connection<weft::TcpStream> {
  static std::pair<weft::TcpStream, weft::TcpStream> make() {
    weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);
    weft::TcpStream near = weft::TcpStream::connect("127.0.0.1", listener.port());
    return {std::move(near), listener.accept()};
  }
  static void end(weft::TcpStream& stream) { stream.shutdown_write(); }
};

template <>
struct Connection<weft::UnixStream> {
  static std::pair<weft::UnixStream, weft::UnixStream> make() { return weft::UnixStream::pair(); }
  static void end(weft::UnixStream& stream) { stream.shutdown_write(); }
};

template <>
struct Connection<weft::TlsStream> {
  static std::pair<weft::TlsStream, weft::TlsStream> make() {
    static weft_test::Certificates certificates;
    static const auto files = certificates.issue({.name = "localhost"});
    static weft::TlsContext server = weft::TlsContext::server(files.certificate, files.key);
    static weft::TlsContext client = weft::TlsContext::client_trusting(certificates.authority());
    weft::Listener listener = weft::Listener::tcp("127.0.0.1", 0);
    weft::TlsStream near;
    weft::TlsStream far;
    weft::with_scope([&](weft::Scope& scope) {
      scope.spawn([&] {
        far = weft::TlsStream::accept(listener.accept(weft::timeout(10s)), server,
                                      weft::timeout(10s));
      });
      near = weft::TlsStream::connect("localhost", listener.port(), client, weft::timeout(10s));
    });
    return {std::move(near), std::move(far)};
  }
  /// Returns when the other side closes.
  static void end(weft::TlsStream& stream) { stream.shutdown(weft::timeout(10s)); }
};

template <class S>
class ByteStreamTest : public ::testing::Test {};

struct Names {
  template <class S>
  static std::string GetName(int /*index*/) {
    if (std::is_same_v<S, weft::TcpStream>) return "Tcp";
    return std::is_same_v<S, weft::UnixStream> ? "Unix" : "Tls";
  }
};

using Kinds = ::testing::Types<weft::TcpStream, weft::UnixStream, weft::TlsStream>;
TYPED_TEST_SUITE(ByteStreamTest, Kinds, Names);

TYPED_TEST(ByteStreamTest, ReadsLinesExactSizesAndTheRest) {
  weft::run([] {
    auto [near, far] = Connection<TypeParam>::make();
    auto writer = weft::spawn([&far = far] {
      far.write_all("one\r\ntwo\n12345678some\nthe r");
      far.write_all(std::string(100'000, 'x') + "est");
      Connection<TypeParam>::end(far);
    });
    EXPECT_EQ(near.read_line(), "one");
    EXPECT_EQ(near.read_line(), "two");
    std::string eight(8, ' ');
    near.read_exactly(eight);
    EXPECT_EQ(eight, "12345678");
    std::string four(4, ' ');
    EXPECT_EQ(near.read_some(four), 4U);
    EXPECT_EQ(four, "some");
    EXPECT_EQ(near.read_line(), "");
    EXPECT_EQ(near.read_all(), "the r" + std::string(100'000, 'x') + "est");
    EXPECT_EQ(near.read_line(), std::nullopt);
    EXPECT_EQ(near.read_some(four), 0U);
    near.close();
    weft::await(writer);
  });
}

TYPED_TEST(ByteStreamTest, WhatHadComeBeforeATimeoutStaysToBeRead) {
  weft::run([] {
    auto [near, far] = Connection<TypeParam>::make();
    far.write_all("half ");
    EXPECT_THROW(near.read_line(weft::timeout(5ms)), weft::TimedOut);
    std::string ten(10, ' ');
    EXPECT_THROW(near.read_exactly(ten, weft::timeout(5ms)), weft::TimedOut);
    EXPECT_THROW(near.read_all(weft::timeout(5ms)), weft::TimedOut);
    far.write_all("a line\n");
    EXPECT_EQ(near.read_line(), "half a line");
  });
}

TYPED_TEST(ByteStreamTest, ErrorsOfAReadNameItAndTheStream) {
  weft::run([] {
    auto [near, far] = Connection<TypeParam>::make();
    near.set_line_limit(10);
    far.write_all("more than ten\n");
    const auto too_long = error_of([&near = near] { near.read_line(); });
    EXPECT_EQ(code_of(too_long), EMSGSIZE);
    EXPECT_THAT(text(too_long), HasSubstr("read a line from"));
    EXPECT_THAT(text(too_long), HasSubstr("it is longer than 10 bytes"));
    auto ender = weft::spawn([&far = far] { Connection<TypeParam>::end(far); });
    std::string much(100, ' ');
    const auto ended = error_of([&near = near, &much] { near.read_exactly(much); });
    EXPECT_EQ(code_of(ended), ENODATA);
    EXPECT_THAT(text(ended), HasSubstr("it ended after 14 of 100 bytes"));
    EXPECT_EQ(near.read_all(), "more than ten\n");
    near.close();
    weft::await(ender);
  });
}

TYPED_TEST(ByteStreamTest, WritesPartsOneBehindTheOther) {
  weft::run([] {
    auto [near, far] = Connection<TypeParam>::make();
    const std::string body(100'000, 'b');
    auto writer = weft::spawn([&far = far, &body] {
      far.write_gathered({"head ", "", body, " tail"});
      EXPECT_EQ(far.write_some("!"), 1U);
    });
    std::string got(body.size() + 11, ' ');
    near.read_exactly(got);
    EXPECT_TRUE(got == "head " + body + " tail!");
    weft::await(writer);
  });
}

TYPED_TEST(ByteStreamTest, SeveralReadersReadOneAfterTheOther) {
  weft::run([] {
    auto [near, far] = Connection<TypeParam>::make();
    std::array<std::string, 3> got;
    std::vector<weft::Coroutine<void>> readers;
    for (std::string& each : got) {
      readers.push_back(weft::spawn([&near = near, &each] {
        each.resize(1000);
        near.read_exactly(each);
      }));
    }
    for (const char each : {'a', 'b', 'c'}) {
      for (int i = 0; i < 10; ++i) {
        far.write_all(std::string(100, each));
        weft::suspend();
      }
    }
    weft::await_all(readers);
    EXPECT_EQ(got[0], std::string(1000, 'a'));
    EXPECT_EQ(got[1], std::string(1000, 'b'));
    EXPECT_EQ(got[2], std::string(1000, 'c'));
  });
}

TYPED_TEST(ByteStreamTest, WhatSeveralWriteNeverMixes) {
  constexpr std::size_t much = 3'000'000;
  weft::run([] {
    auto [near, far] = Connection<TypeParam>::make();
    std::vector<weft::Coroutine<void>> writers;
    for (const char each : {'a', 'b', 'c'}) {
      writers.push_back(
          weft::spawn([&far = far, each] { far.write_all(std::string(much, each)); }));
    }
    for (const char each : {'a', 'b', 'c'}) {
      std::string got(much, ' ');
      near.read_exactly(got);
      EXPECT_TRUE(got == std::string(much, each));
    }
    weft::await_all(writers);
  });
}

// close() wakes operations that wait for the peer, and operations in the queue of the stream.
TYPED_TEST(ByteStreamTest, CloseWakesAllWaiters) {
  weft::run([] {
    auto [near, far] = Connection<TypeParam>::make();
    std::vector<weft::Coroutine<void>> users;
    for (int i = 0; i < 2; ++i) {
      users.push_back(weft::spawn([&near = near] { near.read_line(); }));
      users.push_back(
          weft::spawn([&near = near] { near.write_all(std::string(30'000'000, 'x')); }));
    }
    weft::delay(1ms);
    EXPECT_TRUE(near.is_open());
    near.close();
    EXPECT_FALSE(near.is_open());
    for (auto& user : users) {
      EXPECT_THAT(text(error_of([&] { weft::await(user); })), HasSubstr("Stream was closed"));
    }
    EXPECT_TRUE(is<std::system_error>(error_of([&near = near] { near.read_line(); })));
    near.close();
  });
}

TYPED_TEST(ByteStreamTest, AClosedOneIsNotRead) {
  weft::run([] {
    auto [near, far] = Connection<TypeParam>::make();
    far.write_all("line\nheld");
    EXPECT_EQ(near.read_line(weft::timeout(10s)), "line");
    near.close();
    std::array<char, 4> four{};
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(code_of(error_of([&, &near = near] { near.read_some(four); })), EBADF);
      EXPECT_EQ(code_of(error_of([&near = near] { near.read_line(); })), EBADF);
      EXPECT_EQ(code_of(error_of([&near = near] { near.read_all(); })), EBADF);
    }
  });
}

TYPED_TEST(ByteStreamTest, TheOtherDirectionGoesOnAfterTheEndOfOne) {
  weft::run([] {
    auto [near, far] = Connection<TypeParam>::make();
    auto peer = weft::spawn([&far = far] {
      EXPECT_EQ(far.read_all(weft::timeout(10s)), "question");
      for (int i = 0; i < 3; ++i) {
        far.write_all("answer\n");
        weft::delay(1ms);
      }
      far.shutdown_write();
    });
    std::string got;
    auto reader = weft::spawn([&, &near = near] {
      while (auto line = near.read_line(weft::timeout(10s))) got += *line + ";";
    });
    near.write_all("question");
    weft::delay(1ms);  // until the reader waits
    near.shutdown_write();
    weft::await(reader);
    weft::await(peer);
    EXPECT_EQ(got, "answer;answer;answer;");
    EXPECT_THROW(near.write_all("more"), std::system_error);
  });
}

TYPED_TEST(ByteStreamTest, MayBeMovedAndDestroyedWhileACoroutineReads) {
  weft::run([] {
    auto [near, far] = Connection<TypeParam>::make();
    auto first = weft::spawn([&near = near] { return near.read_line(); });
    weft::delay(1ms);
    TypeParam moved = std::move(near);
    EXPECT_TRUE(is<weft::MisuseError>(error_of([&near = near] { near.read_line(); })));
    EXPECT_FALSE(near.is_open());
    far.write_all("a line\n");
    EXPECT_EQ(weft::await(first), "a line");
    auto second = weft::spawn([&moved] { return moved.read_line(); });
    weft::delay(1ms);
    { const TypeParam gone = std::move(moved); }
    EXPECT_THAT(text(error_of([&] { weft::await(second); })), HasSubstr("Stream was closed"));
  });
}

TYPED_TEST(ByteStreamTest, NoStreamRefusesEverything) {
  weft::run([] {
    TypeParam none;
    std::string some(4, ' ');
    EXPECT_FALSE(none.is_open());
    none.close();
    EXPECT_THROW(none.read_some(some), weft::MisuseError);
    EXPECT_THROW(none.read_line(), weft::MisuseError);
    EXPECT_THROW(none.write_all("x"), weft::MisuseError);
  });
}

TYPED_TEST(ByteStreamTest, CopiesToAndFromEveryOther) {
  weft::run([] {
    auto source = Connection<TypeParam>::make();
    auto middle = Connection<weft::TlsStream>::make();
    auto target = Connection<TypeParam>::make();
    const std::string much(1'000'000, 'm');
    auto writer = weft::spawn([&] {
      source.first.write_all(much);
      Connection<TypeParam>::end(source.first);
    });
    auto to_middle = weft::spawn([&] {
      std::uint64_t last = 0;
      const auto progress = [&](std::uint64_t so_far) { last = so_far; };
      EXPECT_EQ(weft::copy(source.second, middle.first, progress), much.size());
      EXPECT_EQ(last, much.size());
      source.second.close();
      middle.first.shutdown(weft::timeout(10s));
    });
    auto from_middle = weft::spawn([&] {
      EXPECT_EQ(weft::copy(middle.second, target.first), much.size());
      middle.second.close();
      Connection<TypeParam>::end(target.first);
    });
    EXPECT_TRUE(target.second.read_all() == much);
    target.second.close();
    weft::await_all(std::vector{writer, to_middle, from_middle});
  });
}

/// Runs `body`; a closed stream or a timeout is no failure.
template <class F>
void allowing_ends(F&& body) {
  try {
    body();
  } catch (const std::system_error&) {
  } catch (const weft::OperationCancelled&) {
  }
}

TYPED_TEST(ByteStreamTest, UsersInTheQueueEndHoweverTheyAreCancelled) {
  const auto report = weft::testing::explore(
      [] {
        std::optional<std::pair<TypeParam, TypeParam>> both;
        allowing_ends([&] { both = Connection<TypeParam>::make(); });
        if (!both || !both->first.is_open() || !both->second.is_open()) return;
        std::string got;
        weft::with_scope([&](weft::Scope& scope) {
          for (int i = 0; i < 2; ++i) {
            scope.spawn([&] {
              allowing_ends([&] {
                std::string two(2, ' ');
                both->first.read_exactly(two, weft::timeout(1s));
                got += two;
              });
            });
            scope.spawn(
                [&] { allowing_ends([&] { both->second.write_all("abc", weft::timeout(1s)); }); });
          }
          scope.spawn([&] { allowing_ends([&] { both->first.read_line(weft::timeout(1s)); }); });
        });
        if (std::string{"abcabc"}.substr(0, got.size()) != got) throw std::logic_error{got};
      },
      {.schedules = weft::testing::random(150, 4), .cancel = weft::testing::every_point});
  EXPECT_TRUE(report.ok()) << report.first_failure();
}

TEST(TlsByteStreamTest, EndsWhileAnotherCoroutineReads) {
  weft::run([] {
    auto [near, far] = Connection<weft::TlsStream>::make();
    auto peer = weft::spawn([&far = far] {
      EXPECT_EQ(far.read_all(weft::timeout(10s)), "question");
      far.write_all("answer");
      far.shutdown(weft::timeout(10s));
    });
    auto reader = weft::spawn([&near = near] { return near.read_all(weft::timeout(10s)); });
    near.write_all("question");
    weft::delay(1ms);  // until the reader waits
    near.shutdown(weft::timeout(10s));
    EXPECT_EQ(weft::await(reader), "answer");
    weft::await(peer);
  });
}

// A report gives the place in the program, not in the adapter.
TEST(TlsByteStreamTest, WaitsWhereTheProgramReads) {
  weft::run([] {
    auto [near, far] = Connection<weft::TlsStream>::make();
    auto reader = weft::spawn([&near = near] { near.read_line({}, weft::Place{"mine.cpp", 7}); });
    weft::delay(1ms);
    EXPECT_EQ(reader.suspend_place().text(), "mine.cpp:7");
    reader.cancel();
    EXPECT_THROW(weft::await(reader), weft::Cancelled);
  });
}

}  // namespace byte_stream_test
