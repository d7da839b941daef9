#include "weft/file_writer.hpp"

#include <cerrno>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"
#include "temporary_tree.hpp"
#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;
using weft::File;
using weft::FileWriter;
using weft_test::code_of;
using weft_test::contents;
using weft_test::error_of;
using weft_test::is;
using weft_test::TemporaryTree;
using weft_test::text;

TEST(FileWriterTest, CollectsAndWritesAtTheEnd) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    FileWriter writer = FileWriter::create(tree.path("file"));
    for (int i = 0; i < 100; ++i) writer.write("line\n");
    EXPECT_EQ(writer.buffered(), 500U);
    EXPECT_EQ(contents(tree.path("file")), "");
    writer.close();
    EXPECT_FALSE(writer.file().is_open());
    EXPECT_EQ(contents(tree.path("file")).size(), 500U);
  });
}

TEST(FileWriterTest, WritesWhatIsMuchInBetween) {
  const TemporaryTree tree;
  std::string all;
  weft::testing::run([&] {
    FileWriter writer{File::open(tree.path("file"), File::write | File::create), 100};
    for (int i = 0; i < 1'000; ++i) {
      const std::string piece = std::to_string(i) + ",";
      all += piece;
      writer.write(piece);
      EXPECT_LT(writer.buffered(), 100U);
    }
    writer.flush();
    EXPECT_EQ(writer.buffered(), 0U);
    EXPECT_EQ(contents(tree.path("file")), all);
    writer.write(std::string(10'000, 'x'));  // more than the size of the buffer
    all += std::string(10'000, 'x');
    writer.close();
  });
  EXPECT_EQ(contents(tree.path("file")), all);
}

TEST(FileWriterTest, AppendsToWhatIsThere) {
  const TemporaryTree tree;
  tree.write("file", "old ");
  weft::testing::run([&] {
    FileWriter writer = FileWriter::append(tree.path("file"));
    writer.write("new");
    writer.close();
  });
  EXPECT_EQ(contents(tree.path("file")), "old new");
}

TEST(FileWriterTest, ItsEndWritesTheRest) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    FileWriter writer = FileWriter::create(tree.path("file"));
    writer.write("the rest");
    FileWriter moved = std::move(writer);
    moved.write(", and more");
  });
  EXPECT_EQ(contents(tree.path("file")), "the rest, and more");
}

// trap 67: the destructor runs while a cancellation unwinds
TEST(FileWriterTest, AlsoWhenItsCoroutineIsCancelled) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    auto log = weft::spawn([&] {
      FileWriter writer = FileWriter::create(tree.path("file"));
      writer.write("written");
      weft::delay(1h);
    });
    weft::delay(1ms);
    log.cancel();
    EXPECT_THROW(weft::await(log), weft::Cancelled);
    EXPECT_EQ(contents(tree.path("file")), "written");
  });
}

// trap 67: a cancellation is pending when the destructor runs
TEST(FileWriterTest, AndWhenTheCancellationComesBeforeTheEnd) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    auto log = weft::spawn([&] {
      FileWriter writer = FileWriter::create(tree.path("file"));
      writer.write("written");
      weft::current().cancel();
    });
    error_of([&] { weft::await(log); });
    EXPECT_EQ(contents(tree.path("file")), "written");
  });
}

// trap 68: a cancelled flush that is repeated writes twice
TEST(FileWriterTest, ACancelledFlushGoesOnAndIsNotRepeated) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    FileWriter writer = FileWriter::create(tree.path("file"));
    writer.write(std::string(50'000, 'a'));
    auto flusher = weft::spawn([&] { writer.flush(); });
    weft::suspend();
    flusher.cancel();
    EXPECT_THROW(weft::await(flusher), weft::Cancelled);
    writer.write("b");
    writer.flush();
    EXPECT_EQ(contents(tree.path("file")), std::string(50'000, 'a') + "b");
  });
}

TEST(FileWriterTest, TheFirstErrorStays) {
  std::vector<std::string> warnings;
  weft::testing::run(
      [&] {
        FileWriter writer{File::open("/dev/full", File::write)};
        writer.write("text");
        const auto error = error_of([&] { writer.flush(); });
        EXPECT_EQ(code_of(error), ENOSPC) << text(error);
        EXPECT_EQ(code_of(error_of([&] { writer.write("more"); })), ENOSPC);
        EXPECT_EQ(code_of(error_of([&] { writer.close(); })), ENOSPC);
      },
      weft_test::collecting(warnings));
  EXPECT_TRUE(warnings.empty());  // the error was thrown before
}

TEST(FileWriterTest, AfterItsEndNothingIsTaken) {
  weft::testing::run([] {
    const TemporaryTree tree;
    FileWriter writer = FileWriter::create(tree.path("file"));
    writer.write("line");
    writer.close();
    EXPECT_NO_THROW(writer.close());
    EXPECT_THROW(writer.write("late"), weft::MisuseError);
    EXPECT_EQ(writer.buffered(), 0U);
  });
}

TEST(FileWriterTest, WhatItsEndCannotWriteIsAWarning) {
  std::vector<std::string> warnings;
  weft::testing::run(
      [&] {
        FileWriter writer{File::open("/dev/full", File::write)};
        writer.write("text");
      },
      weft_test::collecting(warnings));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings.front().find("/dev/full"), std::string::npos) << warnings.front();
  EXPECT_NE(warnings.front().find("4 bytes"), std::string::npos) << warnings.front();
}

TEST(FileWriterTest, AShutdownWritesTheRest) {
  const TemporaryTree tree;
  const auto error = error_of([&] {
    weft::testing::run(
        [&] {
          auto log = weft::spawn([&] {
            FileWriter writer = FileWriter::create(tree.path("file"));
            writer.write("written");
            weft::delay(1h);
          });
          weft::delay(1s);
          throw std::runtime_error{"the end"};
        },
        weft_test::quiet());
  });
  EXPECT_EQ(text(error), "the end");
  EXPECT_EQ(contents(tree.path("file")), "written");
}

TEST(FileWriterTest, TheEndOfTheRuntimeIsNoReasonToCrash) {
  const TemporaryTree tree;
  std::vector<std::string> warnings;
  std::unique_ptr<FileWriter> writer;
  weft::testing::run([&] {
    writer = std::make_unique<FileWriter>(FileWriter::create(tree.path("file")));
    writer->write("text");
  });
  ::testing::internal::CaptureStderr();
  writer.reset();
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("not written"), std::string::npos);
}

TEST(FileWriterTest, SeveralCoroutinesWriteWholePieces) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    FileWriter writer{File::open(tree.path("file"), File::write | File::create), 50};
    weft::with_scope([&](weft::Scope& scope) {
      for (const char letter : {'a', 'b', 'c'}) {
        scope.spawn([&, letter] {
          for (int i = 0; i < 20; ++i) writer.write(std::string(19, letter) + "\n");
        });
      }
    });
    writer.close();
  });
  const std::string all = contents(tree.path("file"));
  ASSERT_EQ(all.size(), 3U * 20U * 20U);
  for (std::size_t at = 0; at < all.size(); at += 20) {
    EXPECT_EQ(all.substr(at, 19), std::string(19, all[at]));
  }
}

TEST(FileWriterExploreTest, WritesEachPieceOnceHoweverItIsCancelled) {
  const TemporaryTree tree;
  const auto scenario = [&] {
    std::string taken;
    {
      FileWriter writer{File::open(tree.path("file"), File::write | File::create | File::truncate),
                        4};
      weft::with_scope([&](weft::Scope& scope) {
        scope.spawn([&] {
          for (const char* piece : {"abc", "def"}) {
            taken += piece;
            writer.write(piece);
          }
        });
        scope.spawn([&] { writer.flush(weft::timeout(1s)); });
      });
    }
    if (contents(tree.path("file")) != taken) {
      throw std::runtime_error{"took " + taken + ", wrote " + contents(tree.path("file"))};
    }
  };
  const auto report = weft::testing::explore(
      scenario, {.schedules = weft::testing::random(200, 7), .cancel = weft::testing::every_point});
  EXPECT_TRUE(report.ok()) << report.first_failure();
}

}  // namespace
