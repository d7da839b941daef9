#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.hpp"
#include "temporary_tree.hpp"
#include "weft/extend/fs_watch.hpp"
#include "weft/weft.hpp"

// A program may change its working directory: relative paths that were given before keep their
// meaning.
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::Not;
using weft_test::TemporaryTree;

namespace fs = std::filesystem;

/// Changes the working directory, and restores it in the destructor.
class WorkingDirectory {
 public:
  explicit WorkingDirectory(const std::string& path) : before_{fs::current_path()} { enter(path); }
  ~WorkingDirectory() { fs::current_path(before_); }
  WorkingDirectory(const WorkingDirectory&) = delete;
  WorkingDirectory& operator=(const WorkingDirectory&) = delete;
  static void enter(const std::string& path) { fs::current_path(path); }

 private:
  fs::path before_;
};

// trap 69: the relative path is removed in another working directory
TEST(WorkingDirectoryTest, AUnixListenerRemovesItsPathFromWhereverTheProgramIs) {
  const TemporaryTree tree;
  tree.make_directory("elsewhere");
  tree.write("elsewhere/socket");
  const WorkingDirectory working{tree.path()};
  weft::testing::run([&] {
    weft::Listener listener = weft::Listener::unix_path("socket");
    EXPECT_TRUE(fs::exists(tree.path("socket")));
    WorkingDirectory::enter(tree.path("elsewhere"));
  });
  EXPECT_FALSE(fs::exists(tree.path("socket")));
  EXPECT_TRUE(fs::exists(tree.path("elsewhere/socket")));
}

TEST(WorkingDirectoryTest, AUnixListenerThatWasMovedRemovesItToo) {
  const TemporaryTree tree;
  const WorkingDirectory working{tree.path()};
  weft::testing::run([&] {
    weft::Listener first = weft::Listener::unix_path("socket");
    WorkingDirectory::enter("/");
    weft::Listener second = std::move(first);
    second.close();
    EXPECT_FALSE(fs::exists(tree.path("socket")));
  });
}

/// The names of the reported changes, until no more come.
std::vector<std::string> reported_names(weft::FileWatcher& watcher) {
  weft::delay(1ms);
  std::vector<std::string> names;
  while (watcher.buffered() > 0) names.push_back(watcher.next()->name);
  return names;
}

// trap 69: a directory that appears is looked for below the new working directory
TEST(WorkingDirectoryTest, AWatcherFollowsDirectoriesBelowThePathItWasGiven) {
  const TemporaryTree tree;
  tree.make_directory("watched");
  tree.make_directory("elsewhere/watched/new");
  const WorkingDirectory working{tree.path()};
  weft::testing::run([&] {
    weft::FileWatcher watcher{"watched", {.recursive = true}};
    WorkingDirectory::enter(tree.path("elsewhere"));
    tree.make_directory("watched/new");
    static_cast<void>(reported_names(watcher));
    tree.write("watched/new/right");
    tree.write("elsewhere/watched/new/wrong");
    const std::vector<std::string> names = reported_names(watcher);
    EXPECT_THAT(names, Contains("new/right"));
    EXPECT_THAT(names, Not(Contains("new/wrong")));
    EXPECT_EQ(watcher.path(), "watched");
  });
}

// trap 69: the same event, started once more after the change
TEST(WorkingDirectoryTest, AnEventThatIsStartedAgainWatchesTheSamePath) {
  const TemporaryTree tree;
  tree.make_directory("watched");
  const WorkingDirectory working{tree.path()};
  weft::testing::run([&] {
    weft::FileWatchEvent event{"watched"};
    WorkingDirectory::enter("/");
    event.start();
    EXPECT_EQ(event.watched(), 1U);
    tree.write("watched/file");
    weft::await(event);
    EXPECT_EQ(event.last().name, "file");
    event.stop();
  });
}

TEST(WorkingDirectoryTest, APathThatIsNotThereIsNamedAsItWasGiven) {
  const TemporaryTree tree;
  const WorkingDirectory working{tree.path()};
  weft::testing::run([&] {
    try {
      weft::FileWatcher watcher{"missing"};
      ADD_FAILURE() << "a watcher was made for a path that does not exist";
    } catch (const std::system_error& error) {
      EXPECT_TRUE(std::string{error.what()}.starts_with("watch missing:")) << error.what();
    }
  });
}

}  // namespace
