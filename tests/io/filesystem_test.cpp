#include "weft/filesystem.hpp"

#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <sys/stat.h>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failures.hpp"
#include "support.hpp"
#include "temporary_tree.hpp"
#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using weft::fs::DirectoryEntry;
using weft::fs::EntryType;
using weft_test::code_of;
using weft_test::error_of;
using weft_test::is;
using weft_test::TemporaryTree;
using weft_test::text;

bool is_there(const std::string& path) { return std::filesystem::exists(path); }

TEST(FilesystemTest, RenamesAndReplaces) {
  const TemporaryTree tree;
  tree.write("new", "new");
  tree.write("old", "replaced");
  weft::testing::run([&] {
    weft::fs::rename(tree.path("new"), tree.path("old"));
    EXPECT_FALSE(is_there(tree.path("new")));
    EXPECT_EQ(weft::fs::stat(tree.path("old")).size, 3U);
  });
}

TEST(FilesystemTest, MakesAndRemoves) {
  const TemporaryTree tree;
  tree.write("file");
  weft::testing::run([&] {
    weft::fs::unlink(tree.path("file"));
    EXPECT_FALSE(is_there(tree.path("file")));
    weft::fs::mkdir(tree.path("directory"), 0700);
    EXPECT_EQ(weft::fs::stat(tree.path("directory")).mode, S_IFDIR | 0700U);
    weft::fs::rmdir(tree.path("directory"));
    EXPECT_FALSE(is_there(tree.path("directory")));
  });
}

TEST(FilesystemTest, ReportsTheStatusOfFilesAndOfLinks) {
  const TemporaryTree tree;
  tree.write("file", "12345");
  tree.link("link", "file");
  tree.link("dangling", "nowhere");
  weft::testing::run([&] {
    const weft::FileStatus status = weft::fs::stat(tree.path("link"));
    EXPECT_EQ(status.size, 5U);
    EXPECT_TRUE(S_ISREG(status.mode));
    EXPECT_GT(status.modified_seconds, 0);
    EXPECT_TRUE(S_ISLNK(weft::fs::lstat(tree.path("link")).mode));
    EXPECT_TRUE(weft::fs::try_stat(tree.path("file")).has_value());
    EXPECT_FALSE(weft::fs::try_stat(tree.path("dangling")).has_value());
    EXPECT_FALSE(weft::fs::try_stat(tree.path("file/below")).has_value());
  });
}

TEST(FilesystemTest, ListsADirectorySorted) {
  const TemporaryTree tree;
  tree.write("b");
  tree.write("a");
  tree.make_directory("d");
  tree.link("c", "a");
  weft::testing::run([&] {
    EXPECT_THAT(
        weft::fs::readdir(tree.path()),
        ElementsAre(DirectoryEntry{"a", EntryType::file}, DirectoryEntry{"b", EntryType::file},
                    DirectoryEntry{"c", EntryType::symbolic_link},
                    DirectoryEntry{"d", EntryType::directory}));
    EXPECT_THAT(weft::fs::readdir(tree.path("d")), ElementsAre());
  });
}

TEST(FilesystemTest, ErrorsNameTheCallAndThePath) {
  const TemporaryTree tree;
  tree.make_directory("full");
  tree.write("full/file");
  const std::string missing = tree.path("missing");
  weft::testing::run([&] {
    const auto renaming = error_of([&] { weft::fs::rename(missing, tree.path("x")); });
    EXPECT_EQ(code_of(renaming), ENOENT);
    EXPECT_TRUE(text(renaming).starts_with("rename " + missing + " to " + tree.path("x") + ": "))
        << text(renaming);
    const auto removing = error_of([&] { weft::fs::rmdir(tree.path("full")); });
    EXPECT_EQ(code_of(removing), ENOTEMPTY);
    EXPECT_TRUE(text(removing).starts_with("rmdir " + tree.path("full") + ": "));
    EXPECT_EQ(code_of(error_of([&] { weft::fs::unlink(missing); })), ENOENT);
    EXPECT_EQ(code_of(error_of([&] { weft::fs::mkdir(tree.path("full")); })), EEXIST);
    EXPECT_EQ(code_of(error_of([&] { static_cast<void>(weft::fs::stat(missing)); })), ENOENT);
    EXPECT_EQ(code_of(error_of([&] { static_cast<void>(weft::fs::readdir(missing)); })), ENOENT);
  });
}

TEST(FilesystemTest, APathWithNulIsRefused) {
  weft::testing::run([] {
    using namespace std::string_view_literals;
    EXPECT_EQ(code_of(error_of([] { weft::fs::unlink("a\0b"sv); })), EINVAL);
    EXPECT_EQ(code_of(error_of([] { weft::fs::rename("a", "a\0b"sv); })), EINVAL);
  });
}

TEST(FilesystemTest, OutsideARuntimeItIsAMisuse) {
  EXPECT_TRUE(is<weft::MisuseError>(error_of([] { static_cast<void>(weft::fs::stat("/")); })));
}

TEST(FilesystemTest, OthersRunMeanwhile) {
  const TemporaryTree tree;
  weft_test::Log log;
  weft::testing::run([&] {
    auto other = weft::spawn([&] { log.push_back("other"); });
    weft::fs::mkdir(tree.path("directory"));
    log.push_back("made");
    weft::await(other);
  });
  EXPECT_EQ(log, (weft_test::Log{"other", "made"}));
}

TEST(FilesystemTest, ATimeoutNamesTheCall) {
  weft::testing::run([] {
    auto late = weft::timeout(1ms);
    weft_test::Doorbell never;
    error_of([&] { weft::await(never, late); });  // the timeout is over
    const auto error = error_of([&] { weft::fs::rename("/a", "/b", late); });
    ASSERT_TRUE(is<weft::TimedOut>(error)) << text(error);
    EXPECT_TRUE(text(error).starts_with("rename /a to /b: ")) << text(error);
  });
}

// trap 16: a worker writes into the frame of a call that has ended
TEST(FilesystemTest, ARunThatEndsWhileWorkersAreBusyIsWhole) {
  const TemporaryTree tree;
  for (int i = 0; i < 50; ++i) tree.write("file" + std::to_string(i));
  for (int round = 0; round < 20; ++round) {
    weft::testing::run([&] {
      for (int i = 0; i < 20; ++i) {
        auto lister = weft::spawn([&] { static_cast<void>(weft::fs::readdir(tree.path())); });
        weft::suspend();
        lister.cancel();
      }
    });
  }
  EXPECT_TRUE(is_there(tree.path("file0")));
}

TEST(FilesystemTest, AShutdownEndsACallUnderWay) {
  const TemporaryTree tree;
  const auto error = error_of([&] {
    weft::testing::run(
        [&] {
          auto lister = weft::spawn([&] {
            for (;;) static_cast<void>(weft::fs::readdir(tree.path()));
          });
          for (int i = 0; i < 10; ++i) weft::suspend();
          throw std::runtime_error{"the end"};
        },
        weft_test::quiet());
  });
  EXPECT_EQ(text(error), "the end");
}

TEST(FilesystemExploreTest, IsCancelledAtEverySuspension) {
  const TemporaryTree tree;
  const auto scenario = [&] {
    const auto once = [](auto call) {
      try {
        call();
      } catch (const std::system_error&) {  // a cancelled coroutine may not have made the file
      }
    };
    weft::with_scope([&](weft::Scope& scope) {
      scope.spawn([&] {
        once([&] { weft::fs::mkdir(tree.path("a")); });
        once([&] { weft::fs::rename(tree.path("a"), tree.path("b")); });
      });
      scope.spawn([&] {
        once([&] { static_cast<void>(weft::fs::readdir(tree.path())); });
        once([&] { static_cast<void>(weft::fs::try_stat(tree.path("a"))); });
      });
    });
    once([&] { weft::fs::rmdir(tree.path("a")); });
    once([&] { weft::fs::rmdir(tree.path("b")); });
  };
  const auto report = weft::testing::explore(
      scenario, {.schedules = weft::testing::random(100, 5), .cancel = weft::testing::every_point});
  EXPECT_TRUE(report.ok()) << report.first_failure();
}

}  // namespace
