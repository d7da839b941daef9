#include <fcntl.h>
#include <functional>
#include <string>
#include <sys/stat.h>
#include <vector>

#include <gtest/gtest.h>

#include "descriptors.hpp"
#include "failures.hpp"
#include "support.hpp"
#include "temporary.hpp"
#include "weft/extend/io_request.hpp"

namespace {

using namespace std::chrono_literals;
using weft::File;
using weft_test::code_of;
using weft_test::error_of;
using weft_test::is;
using weft_test::TemporaryDirectory;
using weft_test::text;

// R-IO-6
TEST(FileTest, WritesAndReads) {
  const TemporaryDirectory directory;
  weft::testing::run([&] {
    const std::string path = directory / "file";
    {
      File file = File::open(path, File::write | File::create);
      file.write_all("one\ntwo\nthree");
      file.flush();
      EXPECT_EQ(file.size(), 13U);
    }
    File file = File::open(path);
    EXPECT_EQ(file.read_line(), "one");
    EXPECT_EQ(file.position(), 4);
    EXPECT_EQ(file.read_line(), "two");
    EXPECT_EQ(file.seek(-3, File::From::here), 5);
    EXPECT_EQ(file.read_all(), "wo\nthree");
    EXPECT_EQ(file.read_line(), std::nullopt);
    EXPECT_EQ(file.seek(0), 0);
    std::string three(3, ' ');
    file.read_exactly(three);
    EXPECT_EQ(three, "one");
    EXPECT_EQ(file.seek(-5, File::From::end), 8);
    EXPECT_EQ(file.read_all(), "three");
    EXPECT_EQ(file.status().mode & S_IFMT, static_cast<unsigned>(S_IFREG));
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

// R-IO-6
TEST(FileTest, OpensInAllModes) {
  const TemporaryDirectory directory;
  weft::testing::run([&] {
    const std::string path = directory / "file";
    EXPECT_EQ(code_of(error_of([&] { const File file = File::open(path); })), ENOENT);
    File::open(path, File::write | File::create | File::exclusive).write_all("old text");
    EXPECT_EQ(code_of(error_of([&] {
                const File file = File::open(path, File::write | File::create | File::exclusive);
              })),
              EEXIST);
    File::open(path, File::append).write_all("!");
    EXPECT_EQ(File::open(path).read_all(), "old text!");
    File both = File::open(path, File::read | File::write);
    both.write_all("new");
    EXPECT_EQ(both.read_all(), " text!");
    EXPECT_EQ(File::open(path, File::read | File::truncate).read_all(), "");
    EXPECT_TRUE(
        is<weft::ValueError>(error_of([&] { const File file = File::open(path, File::create); })));
    EXPECT_NE(::fcntl(both.descriptor(), F_GETFD) & FD_CLOEXEC, 0);
    EXPECT_TRUE(is<std::system_error>(error_of([&] { File::open(path).write_all("x"); })));
  });
}

// R-IO-6: no worker waits for the other end of a named pipe.
TEST(FileTest, OpensANamedPipeAtOnce) {
  const TemporaryDirectory directory;
  const std::string path = directory / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  weft::testing::run([&] {
    EXPECT_EQ(code_of(error_of([&] { File writer = File::open(path, File::write); })), ENXIO);
    File reader = File::open(path);
    File writer = File::open(path, File::write);
    writer.write_all("line\n");
    EXPECT_EQ(reader.read_line(), "line");
  });
}

TEST(FileTest, ErrorsNameThePath) {
  const TemporaryDirectory directory;
  weft::testing::run([&] {
    const std::string path = directory / "missing";
    EXPECT_EQ(text(error_of([&] { const File file = File::open(path); })),
              "open " + path + ": No such file or directory");
    const auto nul = error_of([&] { const File file = File::open(std::string_view{"a\0b", 3}); });
    EXPECT_EQ(code_of(nul), EINVAL);
    EXPECT_NE(text(nul).find("NUL"), std::string::npos);
    EXPECT_EQ(
        code_of(error_of([&] { const File file = File::open(directory / std::string(300, 'x')); })),
        ENAMETOOLONG);
    EXPECT_EQ(code_of(error_of([&] { File::open(directory / ".").read_all(); })), EISDIR);
  });
}

TEST(FileTest, AFullDiskIsAnErrorOfTheRightCall) {
  weft::testing::run([] {
    File full = File::open("/dev/full", File::write);
    const auto error = error_of([&] { full.write_all("x"); });
    EXPECT_EQ(code_of(error), ENOSPC);
    EXPECT_EQ(text(error).find("write to file"), 0U) << text(error);
    EXPECT_TRUE(full.is_open());
    const int descriptor = full.descriptor();
    full.close();
    EXPECT_FALSE(weft_test::is_open(descriptor));
  });
}

// R-IO-12; trap 18
TEST(FileTest, TenCoroutinesAppendAndNothingIsLost) {
  const TemporaryDirectory directory;
  weft::testing::run([&] {
    const std::string path = directory / "log";
    {
      File log = File::open(path, File::append | File::create);
      std::vector<weft::Coroutine<void>> writers;
      for (int w = 0; w < 10; ++w) {
        writers.push_back(weft::spawn([&log, w] {
          for (int i = 0; i < 100; ++i) {
            log.write_all(std::to_string(w) + " " + std::to_string(i) + "\n");
          }
        }));
      }
      weft::await_all(writers);
    }
    File log = File::open(path);
    std::vector<int> next(10, 0);
    while (const auto line = log.read_line()) {
      const auto writer = static_cast<std::size_t>(line->front() - '0');
      EXPECT_EQ(*line, std::to_string(writer) + " " + std::to_string(next[writer]++));
    }
    EXPECT_EQ(next, std::vector<int>(10, 100));
  });
}

// R-IO-12
TEST(FileTest, WritesGoInTheOrderOfTheirCalls) {
  const TemporaryDirectory directory;
  weft::testing::run([&] {
    File file = File::open(directory / "file", File::read | File::write | File::create);
    std::vector<weft::Ref<weft::IoRequest>> requests;
    std::string expected;
    for (int i = 0; i < 50; ++i) {
      expected += std::to_string(i) + ",";
      requests.push_back(file.io().write(std::to_string(i) + ","));
    }
    for (const auto& request : requests) weft::await(*request);
    file.seek(0);
    EXPECT_EQ(file.read_all(), expected);
  });
}

// R-IO-13
TEST(FileTest, UsesTheOffsetOfTheKernel) {
  const TemporaryDirectory directory;
  weft::testing::run([&] {
    const std::string path = directory / "file";
    File file = File::open(path, File::read | File::write | File::create);
    File copy = File::adopt(::dup(file.descriptor()));
    file.write_all("one ");
    copy.write_all("two ");
    file.write_all("three");
    EXPECT_EQ(copy.position(), 13);
    copy.seek(4);
    std::string word(3, ' ');
    file.read_exactly(word);
    EXPECT_EQ(word, "two");
  });
}

// R-IO-13, R-IO-2
TEST(FileTest, AppendModeWritesAtTheEndWhateverThePosition) {
  const TemporaryDirectory directory;
  weft::testing::run([&] {
    const std::string path = directory / "file";
    File::open(path, File::write | File::create).write_all("begin ");
    File file = File::open(path, File::read | File::append);
    EXPECT_NE(file.io().state() & weft::Io::append, 0U);
    EXPECT_EQ(file.position(), 0);
    file.write_all("end");
    file.seek(0);
    file.write_all("!");
    file.seek(0);
    EXPECT_EQ(file.read_all(), "begin end!");
  });
}

// R-IO-13: seek() waits even if the line takes several reads.
TEST(FileTest, SeekingWaitsForALineInProgress) {
  const TemporaryDirectory directory;
  weft::testing::run([&] {
    File file = File::open(directory / "file", File::read | File::write | File::create);
    const std::string first(70'000, 'a');  // more than one read gives
    file.write_all(first + "\nb\n");
    file.seek(0);
    auto reader = weft::spawn([&] { return file.read_line(); });
    auto mover = weft::spawn([&] { file.seek(static_cast<std::int64_t>(first.size()) - 10); });
    weft::await(mover);
    EXPECT_EQ(weft::await(reader), first);
    EXPECT_EQ(file.read_line(), "aaaaaaaaaa");
    EXPECT_EQ(file.read_line(), "b");
  });
}

// R-IO-12, R-IO-13
TEST(FileTest, ARequestTakesNothingFromALineInProgress) {
  const TemporaryDirectory directory;
  weft::testing::run([&] {
    File file = File::open(directory / "file", File::read | File::write | File::create);
    const std::string first(70'000, 'a');  // more than one read gives
    file.write_all(first + "\nb\n");
    file.seek(0);
    auto reader = weft::spawn([&] { return file.read_line(); });
    weft::testing::settle();
    const auto read = file.io().read(10);
    const auto write = file.io().write("end");
    weft::await(*read);
    weft::await(*write);
    EXPECT_EQ(weft::await(reader), first);
    EXPECT_EQ(read->data(), "b\n");
    file.seek(0);
    EXPECT_EQ(file.read_all(), first + "\nb\nend");
  });
}

// R-IO-12: reads and writes share the position.
TEST(FileTest, RequestsGoInTheOrderOfTheirCalls) {
  const TemporaryDirectory directory;
  weft::testing::run([&] {
    File file = File::open(directory / "file", File::read | File::write | File::create);
    file.write_all("abcdefgh");
    file.seek(0);
    const auto first = file.io().read(2);
    const auto second = file.io().read(2);
    const auto third = file.io().write("EF");
    const auto last = file.io().read(2);
    weft::await(*last);
    EXPECT_EQ(first->data(), "ab");
    EXPECT_EQ(second->data(), "cd");
    EXPECT_EQ(third->transferred(), 2);
    EXPECT_EQ(last->data(), "gh");
  });
}

// R-IO-15; trap 16
TEST(FileTest, ACancelledReaderLosesNothing) {
  const TemporaryDirectory directory;
  weft::testing::run([&] {
    File file = File::open(directory / "file", File::read | File::write | File::create);
    const std::string first(70'000, 'a');
    file.write_all(first + "\nb\n");
    for (int i = 0; i < 20; ++i) {
      file.seek(0);
      std::string some(70'000, ' ');
      auto reader = weft::spawn([&] {
        if (i % 2 == 0) file.read_line();
        if (i % 2 == 1) file.read_exactly(some);
      });
      weft::testing::settle();
      reader.cancel();
      weft::await_settled(std::vector{reader});
      EXPECT_EQ(file.read_line(), first);
      EXPECT_EQ(file.read_line(), "b");
    }
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

// R-IO-13: bytes read ahead do not move the position of a write.
TEST(FileTest, AWriteGoesWhereTheNextReadWouldBegin) {
  const TemporaryDirectory directory;
  weft::testing::run([&] {
    File file = File::open(directory / "file", File::read | File::write | File::create);
    file.write_all("one\ntwo\nthree\n");
    file.seek(0);
    EXPECT_EQ(file.read_line(), "one");
    EXPECT_EQ(file.position(), 4);
    file.write_all("TWO");
    EXPECT_EQ(file.position(), 7);
    EXPECT_EQ(file.read_line(), "");
    EXPECT_EQ(file.read_line(), "three");
    file.seek(0);
    EXPECT_EQ(file.read_all(), "one\nTWO\nthree\n");
  });
}

TEST(FileTest, TheEndOfAFileIsNotFinal) {
  const TemporaryDirectory directory;
  weft::testing::run([&] {
    const std::string path = directory / "file";
    File writer = File::open(path, File::write | File::create);
    File reader = File::open(path);
    EXPECT_EQ(reader.read_line(), std::nullopt);
    writer.write_all("more\n");
    EXPECT_EQ(reader.read_line(), "more");
  });
}

// R-IO-15; trap 16
TEST(FileTest, ACancelledOperationIsFinishedByItsWorkerAndHarmsNoOther) {
  const TemporaryDirectory directory;
  weft::testing::run([&] {
    const std::string path = directory / "file";
    File file = File::open(path, File::read | File::write | File::create);
    for (int i = 0; i < 20; ++i) {
      auto writer = weft::spawn([&] {
        const std::string text(100'000, 'x');  // destroyed while the worker may still write
        file.write_all(text);
      });
      auto reader = weft::spawn([&] {
        std::vector<char> buffer(100'000);
        file.read_some(buffer);
      });
      auto opener = weft::spawn([&] { const File opened = File::open(path); });
      weft::testing::settle();
      writer.cancel();
      reader.cancel();
      opener.cancel();
      weft::await_settled(std::vector{writer, reader, opener});
    }
    file.write_all("after");
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

TEST(FileTest, ATokenEndsEveryOperation) {
  const TemporaryDirectory directory;
  weft::testing::run([&] {
    const std::string path = directory / "file";
    File file = File::open(path, File::write | File::create);
    weft::Timeout expired{1ms};
    weft_test::Doorbell never;
    EXPECT_TRUE(is<weft::OperationCancelled>(error_of([&] { weft::await(never, expired); })));
    for (const auto& operation : std::vector<std::function<void()>>{
             [&] { const File opened = File::open(path, File::read, 0, expired); },
             [&] { file.flush(expired); }, [&] { static_cast<void>(file.status(expired)); },
             [&] { static_cast<void>(file.size(expired)); },
             [&] { file.seek(0, File::From::start, expired); }}) {
      auto writer = weft::spawn([&] { file.write_all(std::string(1'000'000, 'x')); });
      weft::testing::settle();
      EXPECT_TRUE(is<weft::TimedOut>(error_of(operation)));
      weft::await(writer);
    }
    EXPECT_EQ(file.size(), 5'000'000U);
  });
}

// R-IO-17, R-IO-18; trap 16
TEST(FileTest, ClosedUnderAWorkerItStaysOpenUntilThatIsDone) {
  const TemporaryDirectory directory;
  weft::testing::run([&] {
    File file = File::open(directory / "file", File::write | File::create);
    const int descriptor = file.descriptor();
    auto writer = weft::spawn([&] { file.write_all(std::string(1'000'000, 'x')); });
    auto second = weft::spawn([&] { file.write_all("in line"); });
    weft::testing::settle();
    file.close();
    EXPECT_TRUE(weft_test::is_open(descriptor));
    for (const auto& user : {writer, second}) {
      const auto error = error_of([&] { weft::await(user); });
      EXPECT_NE(text(error).find("Stream was closed"), std::string::npos) << text(error);
    }
    weft::blocking([] {});
    while (weft_test::is_open(descriptor)) weft::delay(1ms);
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

TEST(FileTest, IsCancelledAtEverySuspension) {
  const TemporaryDirectory directory;
  const std::string path = directory / "file";
  const auto report = weft::testing::explore(
      [&] {
        weft::with_scope([&](weft::Scope& scope) {
          scope.spawn([&] {
            File file = File::open(path, File::read | File::append | File::create);
            file.write_all("line\n");
            file.seek(0);
            EXPECT_EQ(file.read_line(), "line");
          });
        });
      },
      {.cancel = weft::testing::every_point});
  EXPECT_TRUE(report.ok()) << report.first_failure();
}

// R-IO-12, R-IO-15, R-IO-16
TEST(FileTest, ReadersOfAllSortsEndHoweverTheyAreCancelled) {
  const TemporaryDirectory directory;
  const std::string path = directory / "file";
  const std::string first = "12" + std::string(70'000, 'a');
  weft::testing::run(
      [&] { File::open(path, File::write | File::create).write_all(first + "\nb\nc"); });
  const auto report = weft::testing::explore(
      [&] {
        File file = File::open(path, File::read | File::write);
        std::string line;
        std::string piece;
        weft::with_scope([&](weft::Scope& scope) {
          scope.spawn([&] { line = file.read_line().value(); });
          scope.spawn([&] {
            const auto request = file.io().read(2);
            weft::await(*request);
            piece = request->data();
          });
          scope.spawn([&] { const auto dropped = file.io().stat(); });
          scope.spawn([&] { file.flush(); });
        });
        // A request that came first may have been dropped together with its bytes.
        const bool is_rest = line == first.substr(2) && (piece == "12" || piece.empty());
        if (!line.empty() && line != first && !is_rest) {
          throw std::logic_error{"a request has taken from a line"};
        }
        const weft::detail::Protection protection;
        file.seek(0);
        if (file.read_line() != first) throw std::logic_error{"the turn was left in a bad state"};
      },
      {.schedules = weft::testing::random(200, 7), .cancel = weft::testing::every_point});
  EXPECT_TRUE(report.ok()) << report.first_failure();
}

// R-IO-18
TEST(FileTest, WhatIsNotOwnedStaysOpen) {
  const TemporaryDirectory directory;
  const int descriptor = ::open((directory / "file").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  {
    const weft::Ref<weft::Io> lent = weft::Io::adopt(descriptor, false);
    lent->close();
  }
  EXPECT_TRUE(weft_test::is_open(descriptor));
  { const weft::Ref<weft::Io> owned = weft::Io::adopt(descriptor); }
  EXPECT_FALSE(weft_test::is_open(descriptor));
}

}  // namespace
