#include "weft/extend/fs_watch.hpp"

#include <cerrno>
#include <cstdint>
#include <set>
#include <string>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.hpp"
#include "temporary_tree.hpp"
#include "weft/weft.hpp"

namespace {
bool no_inotify = false;
int watches_left = -1;  // -1: any number
}  // namespace

// Replaces the function of libc: the limits of a user hold for all programs of that user, and a
// test cannot lower them.
extern "C" int inotify_init1(int flags) noexcept {
  if (!no_inotify) return static_cast<int>(syscall(SYS_inotify_init1, flags));
  errno = EMFILE;
  return -1;
}
extern "C" int inotify_add_watch(int descriptor, const char* path, std::uint32_t mask) noexcept {
  if (watches_left == 0) {
    errno = ENOSPC;
    return -1;
  }
  if (watches_left > 0) --watches_left;
  return static_cast<int>(syscall(SYS_inotify_add_watch, descriptor, path, mask));
}

namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using weft::FileChange;
using weft::FileWatchEvent;
using weft_test::Call;
using weft_test::Log;
using weft_test::TemporaryTree;

using Names = std::set<std::string>;

/// A watch that records the reported changes. The kernel has queued a change when the call that
/// made it returns, and virtual time jumps only when nothing is queued: no test here depends on
/// timing.
class Watched {
 public:
  explicit Watched(const std::string& path, bool recursive = false) : event{path, recursive} {
    event.add_callback(call_);
    event.start();
  }
  ~Watched() {
    event.stop();
    event.remove_callback(call_);
  }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  /// The changes reported since the last call.
  std::vector<FileChange> changes() {
    weft::delay(1ms);
    return std::exchange(changes_, {});
  }
  Names names() {
    Names names;
    for (const FileChange& change : changes()) names.insert(change.name);
    return names;
  }

  FileWatchEvent event;

 private:
  std::vector<FileChange> changes_;
  Call call_{[this](weft::Event&, const weft::Outcome& outcome) {
    ASSERT_NE(outcome.value<FileChange>(), nullptr);
    EXPECT_EQ(*outcome.value<FileChange>(), event.last());
    changes_.push_back(*outcome.value<FileChange>());
  }};
};

// R-FSE-1
TEST(FileWatchEventTest, ReportsWhatAppearedChangedAndWent) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    Watched watched{tree.path()};
    tree.write("a", "");
    EXPECT_THAT(watched.changes(), ElementsAre(FileChange{"a", true, false}));
    tree.write("a", "text");
    EXPECT_THAT(watched.changes(), ElementsAre(FileChange{"a", false, true}));
    ::chmod(tree.path("a").c_str(), 0600);
    EXPECT_THAT(watched.changes(), ElementsAre(FileChange{"a", false, true}));
    tree.rename("a", "b");
    EXPECT_THAT(watched.changes(),
                ElementsAre(FileChange{"a", true, false}, FileChange{"b", true, false}));
    tree.remove("b");
    EXPECT_THAT(watched.changes(), ElementsAre(FileChange{"b", true, false}));
    EXPECT_THAT(watched.changes(), IsEmpty());
  });
}

// R-FSE-1
TEST(FileWatchEventTest, WatchesASingleFile) {
  const TemporaryTree tree;
  tree.write("a");
  tree.write("b");
  weft::testing::run([&] {
    Watched watched{tree.path("a")};
    tree.write("b");
    EXPECT_THAT(watched.changes(), IsEmpty());
    tree.write("a");
    EXPECT_THAT(watched.changes(), ElementsAre(FileChange{"a", false, true}));
    tree.remove("a");
    EXPECT_THAT(watched.changes(), Contains(FileChange{"", true, false}));
  });
}

// R-FSE-1
TEST(FileWatchEventTest, WatchesOneDirectoryOnlyUnlessItIsRecursive) {
  const TemporaryTree tree;
  tree.make_directory("sub");
  weft::testing::run([&] {
    Watched flat{tree.path()};
    Watched deep{tree.path(), true};
    EXPECT_FALSE(flat.event.is_recursive());
    EXPECT_TRUE(deep.event.is_recursive());
    EXPECT_EQ(flat.event.watched(), 1U);
    EXPECT_EQ(deep.event.watched(), 2U);
    tree.write("sub/a");
    EXPECT_THAT(flat.names(), IsEmpty());
    EXPECT_EQ(deep.names(), (Names{"sub/a"}));
  });
}

// R-FSE-1, R-EVT-2
TEST(FileWatchEventTest, CanBeAwaited) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    FileWatchEvent watch{tree.path()};
    auto waiter = weft::spawn([&] {
      weft::await(watch);
      return watch.last();
    });
    weft::testing::settle();
    tree.write("a", "");
    EXPECT_EQ(weft::await(waiter), (FileChange{"a", true, false}));
    EXPECT_EQ(weft::stats().active_events, 0U);
    EXPECT_THROW(weft::await(watch, weft::timeout(10ms)), weft::OperationCancelled);
  });
}

// R-FSE-2
TEST(FileWatchEventTest, NamesAreRelativeToTheRoot) {
  const TemporaryTree tree;
  tree.make_directory("a/b/c");
  weft::testing::run([&] {
    Watched watched{tree.path(), true};
    EXPECT_EQ(watched.event.watched(), 4U);
    tree.write("a/b/c/file");
    tree.write("a/file");
    EXPECT_EQ(watched.names(), (Names{"a/b/c/file", "a/file"}));
  });
}

// R-FSE-2
TEST(FileWatchEventTest, AddsDirectoriesThatAppear) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    Watched watched{tree.path(), true};
    tree.make_directory("new");
    EXPECT_EQ(watched.names(), (Names{"new"}));
    EXPECT_EQ(watched.event.watched(), 2U);
    tree.write("new/file");
    EXPECT_EQ(watched.names(), (Names{"new/file"}));
    // Files created in new directories before these were watched are reported as well.
    tree.make_directory("x/y/z");
    tree.write("x/y/z/file");
    EXPECT_EQ(watched.names(), (Names{"x", "x/y", "x/y/z", "x/y/z/file"}));
    EXPECT_EQ(watched.event.watched(), 5U);
    tree.write("x/y/z/file");
    EXPECT_THAT(watched.changes(), ElementsAre(FileChange{"x/y/z/file", false, true}));
  });
}

// R-FSE-2
TEST(FileWatchEventTest, DropsDirectoriesThatGoAndAddsThemAgain) {
  const TemporaryTree tree;
  tree.make_directory("a/b");
  weft::testing::run([&] {
    Watched watched{tree.path(), true};
    EXPECT_EQ(watched.event.watched(), 3U);
    tree.remove("a");
    EXPECT_EQ(watched.names(), (Names{"a", "a/b"}));
    EXPECT_EQ(watched.event.watched(), 1U);
    tree.make_directory("a/b");
    EXPECT_EQ(watched.names(), (Names{"a", "a/b"}));
    EXPECT_EQ(watched.event.watched(), 3U);
    tree.write("a/b/file");
    EXPECT_EQ(watched.names(), (Names{"a/b/file"}));
  });
}

// R-FSE-2
TEST(FileWatchEventTest, NoticesADirectoryThatWasReplacedBeforeItWasRead) {
  const TemporaryTree tree;
  tree.make_directory("a/b");
  weft::testing::run([&] {
    Watched watched{tree.path(), true};
    for (int i = 0; i < 5; ++i) {
      tree.remove("a");
      tree.make_directory("a/b");
    }
    watched.names();
    EXPECT_EQ(watched.event.watched(), 3U);
    tree.write("a/b/file");
    EXPECT_EQ(watched.names(), (Names{"a/b/file"}));
    tree.write("a/file");
    EXPECT_EQ(watched.names(), (Names{"a/file"}));
  });
}

// R-FSE-2
TEST(FileWatchEventTest, FollowsADirectoryThatMoves) {
  const TemporaryTree tree;
  tree.make_directory("a/b");
  tree.make_directory("other");
  weft::testing::run([&] {
    Watched watched{tree.path(), true};
    tree.rename("a", "other/c");
    EXPECT_EQ(watched.names(), (Names{"a", "other/c", "other/c/b"}));
    EXPECT_EQ(watched.event.watched(), 4U);
    tree.write("other/c/b/file");
    EXPECT_EQ(watched.names(), (Names{"other/c/b/file"}));
    tree.make_directory("a");
    tree.write("a/file");
    EXPECT_EQ(watched.names(), (Names{"a", "a/file"}));
  });
}

// R-FSE-2
TEST(FileWatchEventTest, DoesNotFollowSymbolicLinks) {
  const TemporaryTree outside;
  const TemporaryTree tree;
  tree.make_directory("real");
  std::filesystem::create_symlink(outside.path(), tree.path("before"));
  tree.link("loop", "");
  weft::testing::run([&] {
    Watched watched{tree.path(), true};
    EXPECT_EQ(watched.event.watched(), 2U);
    std::filesystem::create_symlink(outside.path(), tree.path("after"));
    EXPECT_EQ(watched.names(), (Names{"after"}));
    EXPECT_EQ(watched.event.watched(), 2U);
    outside.write("file");
    EXPECT_THAT(watched.names(), IsEmpty());
  });
}

TEST(FileWatchEventTest, ARootThatIsALinkIsFollowed) {
  const TemporaryTree tree;
  tree.make_directory("real/sub");
  tree.link("link", "real");
  weft::testing::run([&] {
    Watched watched{tree.path("link"), true};
    tree.write("real/sub/file");
    EXPECT_EQ(watched.names(), (Names{"sub/file"}));
  });
}

// R-FSE-2
TEST(FileWatchEventTest, KnowsADirectoryFromAFileOfTheSameNameInIt) {
  const TemporaryTree tree;
  tree.make_directory("a");
  weft::testing::run([&] {
    Watched watched{tree.path(), true};
    tree.write("a/a");
    EXPECT_EQ(watched.names(), (Names{"a/a"}));
    tree.remove("a/a");
    EXPECT_EQ(watched.names(), (Names{"a/a"}));
    ::chmod(tree.path("a").c_str(), 0700);
    EXPECT_THAT(watched.changes(), ElementsAre(FileChange{"a", false, true}));
    ::chmod(tree.path().c_str(), 0700);
    EXPECT_THAT(watched.changes(), ElementsAre(FileChange{"", false, true}));
    tree.remove("a");
    EXPECT_EQ(watched.names(), (Names{"a"}));
  });
}

// R-FSE-2
TEST(FileWatchEventTest, WatchesSoManyDirectoriesAndNoMore) {
  const TemporaryTree tree = TemporaryTree::in_memory();
  for (std::size_t i = 0; i < FileWatchEvent::max_directories + 10; ++i) {
    ::mkdir(tree.path("d" + std::to_string(i)).c_str(), 0700);
  }
  std::vector<std::string> warnings;
  weft::testing::run(
      [&] {
        Watched watched{tree.path(), true};
        EXPECT_EQ(watched.event.watched(), 8'192U);
        tree.make_directory("one/more");
        EXPECT_THAT(watched.names(), Contains("one"));
        EXPECT_EQ(watched.event.watched(), 8'192U);
      },
      weft_test::collecting(warnings));
  EXPECT_THAT(warnings, ElementsAre("watch " + tree.path() +
                                    ": more than 8192 directories; the others are not watched"));
}

// R-FSE-3
TEST(FileWatchEventTest, APathThatIsNotThereFailsAtStart) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    for (const bool recursive : {false, true}) {
      FileWatchEvent watch{tree.path("missing"), recursive};
      try {
        watch.start();
        ADD_FAILURE() << "no error";
      } catch (const std::system_error& error) {
        EXPECT_EQ(error.code(), std::errc::no_such_file_or_directory);
        EXPECT_EQ(std::string{error.what()},
                  "watch " + tree.path("missing") + ": No such file or directory");
      }
      EXPECT_FALSE(watch.is_armed());
      EXPECT_EQ(weft::stats().active_events, 0U);
      EXPECT_THROW(weft::await(watch), std::system_error);
      tree.write("missing");
      EXPECT_TRUE(watch.start()) << "the path may exist later";
      watch.stop();
      tree.remove("missing");
    }
  });
}

// R-FSE-3
TEST(FileWatchEventTest, AStrangePathFailsAtStart) {
  weft::testing::run([&] {
    for (const std::string& path :
         {std::string{}, std::string{"/tmp\0x", 6}, "/tmp/" + std::string(5'000, 'x')}) {
      FileWatchEvent watch{path};
      EXPECT_THROW(watch.start(), std::system_error) << path;
    }
  });
}

// R-FSE-3, R-KIND-4
TEST(FileWatchEventTest, FailsAtStartWhereTheSystemHasNoMoreWatches) {
  const TemporaryTree tree;
  tree.make_directory("a/b");
  weft::testing::run([&] {
    FileWatchEvent watch{tree.path(), true};
    no_inotify = true;
    EXPECT_THROW(watch.start(), std::system_error);
    no_inotify = false;
    for (watches_left = 0; watches_left < 3;) {
      const int allowed = watches_left;
      try {
        watch.start();
        ADD_FAILURE() << "no error with " << allowed << " watches";
      } catch (const std::system_error& error) {
        EXPECT_EQ(error.code(), std::errc::no_space_on_device);
        EXPECT_EQ(std::string{error.what()}.rfind("watch " + tree.path(), 0), 0U) << error.what();
      }
      EXPECT_FALSE(watch.is_armed());
      EXPECT_EQ(watch.watched(), 0U);
      watches_left = allowed + 1;
    }
    EXPECT_TRUE(watch.start());
    watches_left = -1;
    EXPECT_EQ(watch.watched(), 3U);
    watch.stop();
  });
}

// R-FSE-2: after the start, a directory that cannot be added does not end the watch.
TEST(FileWatchEventTest, WarnsOfADirectoryThatItCannotAddLater) {
  const TemporaryTree tree;
  std::vector<std::string> warnings;
  weft::testing::run(
      [&] {
        Watched watched{tree.path(), true};
        watches_left = 0;
        tree.make_directory("a");
        EXPECT_EQ(watched.names(), (Names{"a"}));
        watches_left = -1;
        EXPECT_EQ(watched.event.watched(), 1U);
        tree.write("b");
        EXPECT_EQ(watched.names(), (Names{"b"}));
      },
      weft_test::collecting(warnings));
  EXPECT_THAT(warnings, ElementsAre("watch " + tree.path("a") + ": No space left on device"));
}

// R-EVT-10, R-EVT-11, R-EVT-12, R-LIFE-4
TEST(FileWatchEventTest, WatchesFromTheFirstStartToTheLastStop) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    Watched watched{tree.path()};
    watched.event.start();
    EXPECT_EQ(weft::stats().active_events, 1U);
    watched.event.stop();
    tree.write("a");
    EXPECT_EQ(watched.names(), (Names{"a"}));
    watched.event.stop();
    watched.event.stop();
    EXPECT_EQ(weft::stats().active_events, 0U);
    EXPECT_EQ(watched.event.watched(), 0U);
    tree.write("b");
    EXPECT_THAT(watched.names(), IsEmpty());
    watched.event.start();
    tree.write("c");
    EXPECT_EQ(watched.names(), (Names{"c"})) << "and not what happened in between";
  });
}

// R-HID-1, R-HID-4
TEST(FileWatchEventTest, CountsUnlessItIsHidden) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    Watched watched{tree.path()};
    EXPECT_EQ(weft::stats().active_events, 1U);
    watched.event.set_hidden(true);
    EXPECT_EQ(weft::stats().active_events, 0U);
    tree.write("a");
    EXPECT_EQ(watched.names(), (Names{"a"})) << "a hidden event still reports changes";
    watched.event.set_hidden(false);
    EXPECT_EQ(weft::stats().active_events, 1U);
  });
}

// R-DLK-1
TEST(FileWatchEventTest, AHiddenOneDoesNotHideADeadlock) {
  const TemporaryTree tree;
  weft::Options options;
  options.deadlock_report = false;
  EXPECT_THROW(weft::run(
                   [&] {
                     FileWatchEvent watch{tree.path()};
                     watch.set_hidden(true);
                     weft::await(watch);
                   },
                   options),
               weft::DeadlockError);
}

// R-LIFE-5, R-EVT-17
TEST(FileWatchEventTest, CloseWakesTheWaiter) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    FileWatchEvent watch{tree.path()};
    auto waiter = weft::spawn([&] { weft::await(watch); });
    weft::testing::settle();
    watch.close();
    watch.close();
    EXPECT_EQ(watch.watched(), 0U);
    weft::await(waiter);
    weft::await(watch);
    EXPECT_TRUE(watch.start());
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

// R-RC-6
TEST(FileWatchEventTest, ACallbackMayStopItInTheMiddleOfItsReport) {
  const TemporaryTree tree;
  const auto before = weft::testing::probe_count("file watch stopped by the callback it notified");
  weft::testing::run([&] {
    FileWatchEvent watch{tree.path(), true};
    int notified = 0;
    Call call{[&](weft::Event& event, const weft::Outcome&) {
      ++notified;
      event.stop();
    }};
    watch.add_callback(call);
    watch.start();
    tree.make_directory("a/b/c");
    weft::delay(1ms);
    EXPECT_EQ(notified, 1);
    watch.remove_callback(call);
  });
  EXPECT_EQ(weft::testing::probe_count("file watch stopped by the callback it notified"),
            before + 1);
}

// R-RC-6
TEST(FileWatchEventTest, ACallbackMayDropTheLastReference) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    auto watch = weft::make_ref<FileWatchEvent>(tree.path(), true);
    Call call{[&](weft::Event& event, const weft::Outcome&) {
      event.stop();
      watch = nullptr;
    }};
    watch->add_callback(call);
    watch->start();
    tree.make_directory("a/b/c");
    weft::delay(1ms);
    EXPECT_FALSE(watch);
  });
}

TEST(FileWatchEventTest, MayOutliveItsRuntime) {
  const TemporaryTree tree;
  FileWatchEvent watch{tree.path()};
  weft::testing::run([&] {
    watch.set_hidden(true);
    watch.start();
  });
  EXPECT_FALSE(watch.is_armed());
  weft::testing::run([&] {
    watch.start();
    tree.write("a");
    weft::delay(1ms);
    watch.stop();
  });
  EXPECT_EQ(watch.last().name, "a");
}

// R-OBS-3
TEST(FileWatchEventTest, DescribesItself) {
  const FileWatchEvent watch{"/srv/data"};
  EXPECT_EQ(watch.info(), "FilesystemWatch(path=/srv/data)");
  EXPECT_EQ(watch.path(), "/srv/data");
}

}  // namespace
