#include <array>
#include <numeric>
#include <stdexcept>
#include <string>
#include <sys/socket.h>
#include <vector>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "faulty_calls.hpp"
#include "support.hpp"
#include "temporary.hpp"
#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;
using weft::ConstBytes;
using weft::File;
using weft::UnixStream;
using weft_test::code_of;
using weft_test::error_of;
using weft_test::is;

/// Parts of many sizes, some empty; `all` is their concatenation.
struct Parts {
  explicit Parts(std::size_t count, std::size_t step) {
    for (std::size_t i = 0; i < count; ++i) {
      texts.emplace_back(i % 5 == 0 ? 0 : i * step % 997, static_cast<char>('a' + i % 26));
    }
    for (const std::string& text : texts) {
      parts.emplace_back(text);
      all += text;
    }
  }
  std::vector<std::string> texts;
  std::vector<ConstBytes> parts;
  std::string all;
};

TEST(WriteGatheredTest, PartsComeOneBehindTheOther) {
  weft::testing::run([] {
    auto [here, there] = UnixStream::pair();
    const std::string head = "head ";
    const std::vector<char> body{'b', 'o', 'd', 'y'};
    here.write_gathered({head, body, "", " end"});
    here.close();
    EXPECT_EQ(there.read_all(), "head body end");
  });
}

TEST(WriteGatheredTest, NothingIsNothing) {
  weft::testing::run([] {
    auto [here, there] = UnixStream::pair();
    here.write_gathered({});
    here.write_gathered({"", ""});
    here.close();
    EXPECT_EQ(there.read_all(), "");
  });
}

// trap 66: a write that ends in the middle of a part, and more parts than one call takes
TEST(WriteGatheredTest, WritesAllThroughANarrowPipe) {
  weft::testing::run([] {
    auto both = UnixStream::pair();
    both.first.io().set_option(SOL_SOCKET, SO_SNDBUF, 1);
    const Parts many{1'000, 7};
    auto writer = weft::spawn([&] {
      both.first.write_gathered(many.parts);
      both.first.close();
    });
    EXPECT_EQ(both.second.read_all(), many.all);
    weft::await(writer);
  });
}

TEST(WriteGatheredTest, SurvivesCallsThatDoLessThanAsked) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    weft::testing::run([&] {
      auto [reader, writer] = weft::Pipe::create();
      const Parts many{300, 31};
      const weft_test::FaultyCalls faulty{seed};
      auto writing = weft::spawn([&, &writer = writer] {
        writer.write_gathered(many.parts);
        writer.close();
      });
      EXPECT_EQ(reader.read_all(), many.all) << seed;
      weft::await(writing);
    });
  }
}

TEST(WriteGatheredTest, NothingComesInBetween) {
  weft::testing::run([] {
    auto both = UnixStream::pair();
    both.first.io().set_option(SOL_SOCKET, SO_SNDBUF, 1);
    const std::string half(50'000, 'a');
    auto one = weft::spawn([&] { both.first.write_gathered({half, half}); });
    auto two = weft::spawn([&] { both.first.write_all("b"); });
    std::string received(100'001, ' ');
    both.second.read_exactly(received);
    EXPECT_EQ(received, half + half + "b");
    weft::await(one);
    weft::await(two);
  });
}

TEST(WriteGatheredTest, AFileGetsThemAtOnce) {
  const weft_test::TemporaryDirectory directory;
  weft::testing::run([&] {
    File file = File::open(directory / "file", File::read | File::write | File::create);
    const Parts many{200, 11};
    file.write_gathered(many.parts);
    file.write_gathered({"the", " end"});
    file.seek(0);
    EXPECT_EQ(file.read_all(), many.all + "the end");
  });
}

TEST(WriteGatheredTest, APeerThatIsGoneIsAnError) {
  weft::testing::run([] {
    auto [here, there] = UnixStream::pair();
    there.close();
    EXPECT_EQ(code_of(error_of([&here = here] { here.write_gathered({"a", "b"}); })), EPIPE);
    here.close();
    EXPECT_EQ(code_of(error_of([&here = here] { here.write_gathered({"a", "b"}); })), EBADF);
  });
}

TEST(WriteGatheredTest, ClosedMeanwhileItThrows) {
  weft::testing::run([] {
    auto both = UnixStream::pair();
    const std::string much(10'000'000, 'x');
    auto writer = weft::spawn([&] { both.first.write_gathered({much, much}); });
    weft::delay(1ms);
    both.first.close();
    EXPECT_TRUE(is<std::system_error>(error_of([&] { weft::await(writer); })));
  });
}

TEST(WriteGatheredExploreTest, WhatWasWrittenIsAPrefixHoweverItIsCancelled) {
  const auto scenario = [] {
    auto both = UnixStream::pair();
    both.first.io().set_option(SOL_SOCKET, SO_SNDBUF, 1);
    const std::string first(6'000, 'a');
    const std::string second(6'000, 'b');
    weft::with_scope([&](weft::Scope& scope) {
      scope.spawn([&] {
        const struct Close {
          UnixStream& stream;
          ~Close() { stream.close(); }
        } close{both.first};
        try {
          both.first.write_gathered({first, second}, weft::timeout(1s));
        } catch (const weft::TimedOut&) {  // the reader was cancelled
        }
      });
      scope.spawn([&] {
        std::string received;
        try {
          received = both.second.read_all(weft::timeout(1s));
        } catch (const weft::TimedOut&) {  // the writer was cancelled before its start
          received = both.second.take_read_ahead();
        }
        if (!(first + second).starts_with(received))
          throw std::runtime_error{"not what was written"};
      });
    });
  };
  const auto report = weft::testing::explore(
      scenario, {.schedules = weft::testing::random(200, 3), .cancel = weft::testing::every_point});
  EXPECT_TRUE(report.ok()) << report.first_failure();
}

}  // namespace
