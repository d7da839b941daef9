#include "weft/detail/buffered_reader.hpp"

#include <deque>
#include <string>
#include <system_error>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.hpp"

namespace {

using weft::detail::BufferedReader;
using weft_test::error_of;
using weft_test::text;

/// A ByteSource of the given pieces; "!" is an error.
class Pieces {
 public:
  Pieces(std::initializer_list<std::string> pieces) : pieces_{pieces} {}

  std::size_t fetch(weft::Bytes to) {
    if (pieces_.empty()) return 0;
    std::string& first = pieces_.front();
    if (first == "!") {
      pieces_.pop_front();
      throw std::runtime_error{"interrupted"};
    }
    const std::size_t size = first.copy(reinterpret_cast<char*>(to.data()), to.size());
    first.erase(0, size);
    if (first.empty()) pieces_.pop_front();
    return size;
  }
  std::size_t fetch_more(weft::detail::HeldBytes& held, std::size_t size) {
    return held.append_read(size, [&](weft::Bytes to) { return fetch(to); });
  }
  [[nodiscard]] static std::string name() { return "pieces"; }

 private:
  std::deque<std::string> pieces_;
};

static_assert(weft::detail::ByteSource<Pieces>);

TEST(BufferedReaderTest, ReadsLinesHoweverTheyAreCut) {
  Pieces source{"o", "ne\r", "\ntwo\n\nla", "st"};
  BufferedReader reader;
  EXPECT_EQ(reader.read_line(source), "one");
  EXPECT_EQ(reader.read_line(source), "two");
  EXPECT_EQ(reader.read_line(source), "");
  EXPECT_EQ(reader.read_line(source), "last");
  EXPECT_EQ(reader.read_line(source), std::nullopt);
}

TEST(BufferedReaderTest, GivesWhatItHoldsBeforeItFetches) {
  Pieces source{"line\nrest", "more"};
  BufferedReader reader;
  EXPECT_EQ(reader.read_line(source), "line");
  EXPECT_EQ(reader.held().size(), 4U);
  std::string some(100, ' ');
  EXPECT_EQ(reader.read_some(some, source), 4U);
  EXPECT_EQ(some.substr(0, 4), "rest");
  EXPECT_EQ(reader.read_some(some, source), 4U);
  EXPECT_EQ(some.substr(0, 4), "more");
  EXPECT_EQ(reader.read_some(some, source), 0U);
}

TEST(BufferedReaderTest, TriesOnlyWhenItHoldsNothing) {
  BufferedReader reader;
  reader.held().append("held");
  std::string some(3, ' ');
  int tries = 0;
  const auto nothing_has_come = [&](weft::Bytes) -> std::int64_t {
    ++tries;
    return -1;
  };
  EXPECT_EQ(reader.try_read_some(some, nothing_has_come), 3);
  EXPECT_EQ(some, "hel");
  EXPECT_EQ(reader.try_read_some(some, nothing_has_come), 1);
  EXPECT_EQ(tries, 0);
  EXPECT_EQ(reader.try_read_some(some, nothing_has_come), -1);
  EXPECT_EQ(tries, 1);
}

TEST(BufferedReaderTest, ReadsExactlyFromWhatIsHeldAndWhatComes) {
  Pieces source{"x\nabc", "de", "fgh"};
  BufferedReader reader;
  EXPECT_EQ(reader.read_line(source), "x");
  std::string six(6, ' ');
  reader.read_exactly(six, source);
  EXPECT_EQ(six, "abcdef");
  EXPECT_EQ(reader.read_all(source), "gh");
}

TEST(BufferedReaderTest, KeepsWhatHadComeWhenAReadFails) {
  Pieces source{"abc", "!", "d", "!", "e\nf", "!", "g"};
  BufferedReader reader;
  std::string five(5, ' ');
  EXPECT_EQ(text(error_of([&] { reader.read_exactly(five, source); })), "interrupted");
  EXPECT_EQ(reader.held().size(), 3U);
  EXPECT_EQ(reader.read_in_part(), 0U);
  EXPECT_EQ(text(error_of([&] { reader.read_line(source); })), "interrupted");
  EXPECT_EQ(reader.read_line(source), "abcde");
  EXPECT_EQ(text(error_of([&] { reader.read_all(source); })), "interrupted");
  EXPECT_EQ(reader.read_all(source), "fg");
}

TEST(BufferedReaderTest, NamesTheSourceInItsErrors) {
  Pieces source{"abc"};
  BufferedReader reader;
  std::string five(5, ' ');
  const auto ended = error_of([&] { reader.read_exactly(five, source); });
  EXPECT_EQ(weft_test::code_of(ended), ENODATA);
  EXPECT_THAT(text(ended), ::testing::StartsWith("read from pieces: it ended after 3 of 5 bytes"));
  Pieces endless{std::string(100, 'x')};
  reader.set_line_limit(10);
  const auto too_long = error_of([&] { reader.read_line(endless); });
  EXPECT_EQ(weft_test::code_of(too_long), EMSGSIZE);
  EXPECT_THAT(text(too_long),
              ::testing::StartsWith("read a line from pieces: it is longer than 10 bytes"));
  reader.set_line_limit(200);
  EXPECT_EQ(reader.read_line(endless), "abc" + std::string(100, 'x'));
}

}  // namespace
