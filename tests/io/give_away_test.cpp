#include <stdexcept>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "descriptors.hpp"
#include "failures.hpp"
#include "support.hpp"
#include "temporary.hpp"

// A stream is handed over together with the bytes read ahead, or not at all.
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using weft::File;
using weft::Pipe;
using weft::TcpStream;
using weft::UnixStream;
using weft_test::error_of;
using weft_test::is;
using weft_test::OwnDescriptor;
using weft_test::text;

// trap 64: read_line() has read the body together with the head
TEST(GiveAwayTest, RefusesWhatWasReadAheadAndSaysHowMuch) {
  weft::testing::run([] {
    auto [here, there] = UnixStream::pair();
    there.write_all("head\nthe body..");
    EXPECT_EQ(here.read_line(), "head");
    const auto error = error_of([&here = here] { static_cast<void>(here.give_away()); });
    ASSERT_TRUE(is<weft::MisuseError>(error));
    EXPECT_THAT(text(error), HasSubstr("10 bytes were read ahead"));
    ASSERT_TRUE(here.is_open());  // nothing has changed
    there.shutdown_write();
    EXPECT_EQ(here.read_all(), "the body..");
  });
}

TEST(GiveAwayTest, WhatWasReadAheadGoesAlong) {
  weft::testing::run([] {
    auto [here, there] = UnixStream::pair();
    there.write_all("head\nthe body..");
    EXPECT_EQ(here.read_line(), "head");
    const std::string ahead = here.take_read_ahead();
    EXPECT_EQ(ahead, "the body..");
    EXPECT_EQ(here.take_read_ahead(), "");
    UnixStream other = UnixStream::adopt(here.give_away(), ahead);
    EXPECT_FALSE(here.is_open());
    there.write_all(" and more\nlast");
    there.close();
    EXPECT_EQ(other.read_line(), "the body.. and more");
    EXPECT_EQ(other.read_all(), "last");
  });
}

// trap 64: a stream is handed to another thread in the middle of a conversation
TEST(GiveAwayTest, AnotherThreadReadsOnWhereThisOneEnded) {
  weft::testing::run([] {
    weft_test::Ends ends = weft_test::Ends::tcp();
    TcpStream here = TcpStream::adopt(ends.here.release());
    TcpStream there = TcpStream::adopt(ends.there.release());
    there.write_all("one\ntwo\nthree");
    there.shutdown_write();
    EXPECT_EQ(here.read_line(), "one");
    const std::string ahead = here.take_read_ahead();
    const int number = here.give_away();
    std::string received;
    std::thread{[&] {
      weft::run([&] { received = TcpStream::adopt(number, ahead).read_all(); });
    }}.join();
    EXPECT_EQ(received, "two\nthree");
  });
}

TEST(GiveAwayTest, APipeTakesAlongWhatWasReadAhead) {
  weft::testing::run([] {
    auto [reader, writer] = Pipe::create();
    writer.write_all("a\nb\nc");
    writer.close();
    EXPECT_EQ(reader.read_line(), "a");
    EXPECT_TRUE(is<weft::MisuseError>(
        error_of([&reader = reader] { static_cast<void>(reader.give_away()); })));
    const std::string ahead = reader.take_read_ahead();
    Pipe other = Pipe::adopt(reader.give_away(), ahead);
    EXPECT_EQ(other.read_line(), "b");
    EXPECT_EQ(other.read_line(), "c");
    EXPECT_EQ(other.read_line(), std::nullopt);
  });
}

// trap 64: after a buffered read, the position of the file is behind the returned bytes
TEST(GiveAwayTest, AFileGoesBackToWhereItsNextReadBegins) {
  const weft_test::TemporaryDirectory directory;
  weft::testing::run([&] {
    File file = File::open(directory / "file", File::read | File::write | File::create);
    file.write_all("first\nsecond\nthird\n");
    file.seek(0);
    EXPECT_EQ(file.read_line(), "first");
    EXPECT_GT(file.io().buffered(), 0U);
    const OwnDescriptor number{file.give_away()};
    EXPECT_EQ(::lseek(number.get(), 0, SEEK_CUR), 6);
    EXPECT_EQ(weft_test::take(number.get()), "second\nthird\n");
  });
}

TEST(GiveAwayTest, AFileOpenToAppendGoesBackAsWell) {
  const weft_test::TemporaryDirectory directory;
  weft::testing::run([&] {
    File file =
        File::open(directory / "file", File::read | File::write | File::create | File::append);
    file.write_all("first\nsecond\n");
    file.seek(0);
    EXPECT_EQ(file.read_line(), "first");
    File other = File::adopt(file.give_away());
    EXPECT_EQ(other.read_line(), "second");
  });
}

// trap 65: the worker would use the descriptor after its number was used for another file
TEST(GiveAwayTest, AFileIsNotGivenAwayWhileAWorkerUsesIt) {
  const weft_test::TemporaryDirectory directory;
  weft::testing::run([&] {
    File file = File::open(directory / "file", File::read | File::write | File::create);
    const auto write = file.io().write(std::string(100'000, 'x'));
    ASSERT_FALSE(write->is_completed());
    const auto error = error_of([&] { static_cast<void>(file.give_away()); });
    EXPECT_TRUE(is<weft::MisuseError>(error));
    EXPECT_THAT(text(error), HasSubstr("worker"));
    weft::await(*write);
    const OwnDescriptor number{file.give_away()};
    EXPECT_TRUE(weft_test::is_open(number.get()));
  });
}

// trap 65: a read in progress has bytes in the memory of its caller
TEST(GiveAwayTest, AReadUnderWayThatHasBytesKeepsTheStream) {
  weft::testing::run([] {
    auto both = UnixStream::pair();
    UnixStream& here = both.first;
    std::string four(4, ' ');
    auto reader = weft::spawn([&] { here.read_exactly(four); });
    both.second.write_all("ab");
    weft::delay(1ms);
    const auto error = error_of([&] { static_cast<void>(here.give_away()); });
    EXPECT_TRUE(is<weft::MisuseError>(error));
    EXPECT_THAT(text(error), HasSubstr("2 bytes"));
    both.second.write_all("cd");
    weft::await(reader);
    EXPECT_EQ(four, "abcd");
    const OwnDescriptor number{here.give_away()};
    EXPECT_TRUE(weft_test::is_open(number.get()));
  });
}

TEST(GiveAwayTest, WhatARefusedReadHadIsReadAheadThen) {
  weft::testing::run([] {
    auto both = UnixStream::pair();
    UnixStream& here = both.first;
    both.second.write_all("ab");
    std::string four(4, ' ');
    EXPECT_TRUE(is<weft::TimedOut>(error_of([&] { here.read_exactly(four, weft::timeout(1s)); })));
    EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { static_cast<void>(here.give_away()); })));
    EXPECT_EQ(here.take_read_ahead(), "ab");
    const OwnDescriptor number{here.give_away()};
    EXPECT_TRUE(weft_test::is_open(number.get()));
  });
}

TEST(GiveAwayTest, AReaderThatHasNothingYetIsWokenAsByClose) {
  weft::testing::run([] {
    auto both = UnixStream::pair();
    auto reader = weft::spawn([&] { return both.first.read_line(); });
    weft::delay(1ms);
    const OwnDescriptor number{both.first.give_away()};
    EXPECT_EQ(text(error_of([&] { weft::await(reader); })).substr(0, 17), "Stream was closed");
    both.second.write_all("late");
    EXPECT_EQ(weft_test::take(number.get()), "late");
  });
}

TEST(GiveAwayTest, AClosedStreamHasNothingToGive) {
  weft::testing::run([] {
    auto both = UnixStream::pair();
    both.second.write_all("a\nb");
    EXPECT_EQ(both.first.read_line(), "a");
    both.first.close();
    EXPECT_EQ(both.first.give_away(), -1);
  });
}

TEST(GiveAwayTest, ADescriptorThatCannotBeAdoptedStaysTheCallers) {
  EXPECT_TRUE(
      is<std::system_error>(error_of([] { const Pipe closed = Pipe::adopt(1'000'000, "ahead"); })));
}

// The reader, the giver or the writer is cancelled at any point: every byte is read once.
TEST(GiveAwayExploreTest, NoByteIsLostOrDoubled) {
  const auto scenario = [] {
    auto both = UnixStream::pair();
    std::string received;
    bool wrote_all = false;
    weft::with_scope([&](weft::Scope& scope) {
      scope.spawn([&] {
        both.second.write_all("a\nb\n");
        weft::suspend();
        both.second.write_all("c\n");
        wrote_all = true;
      });
      scope.spawn([&] {
        try {
          for (int i = 0; i < 2; ++i) received += *both.first.read_line(weft::timeout(1s)) + "\n";
        } catch (const weft::TimedOut&) {  // the writer was cancelled
        }
      });
    });
    const std::string ahead = both.first.take_read_ahead();
    UnixStream other = UnixStream::adopt(both.first.give_away(), ahead);
    both.second.close();
    received += other.read_all();
    const std::string all = "a\nb\nc\n";
    const bool whole = wrote_all ? received == all : all.starts_with(received);
    if (!whole) throw std::runtime_error{"received " + received};
  };
  const auto report = weft::testing::explore(
      scenario, {.schedules = weft::testing::random(300, 4), .cancel = weft::testing::every_point});
  EXPECT_TRUE(report.ok()) << report.first_failure();
}

}  // namespace
