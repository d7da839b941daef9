#include "weft/file_watcher.hpp"

#include <optional>
#include <string>
#include <system_error>
#include <type_traits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.hpp"
#include "temporary_tree.hpp"
#include "weft/extend/fs_watch.hpp"
#include "weft/weft.hpp"

namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using weft::FileChange;
using weft::FileWatcher;
using weft_test::Log;
using weft_test::TemporaryTree;

// The kernel has queued a change when the call that made it returns, and virtual time jumps only
// when nothing is queued: no test here depends on timing.

/// Takes all buffered changes.
std::vector<FileChange> taken(FileWatcher& watcher) {
  weft::delay(1ms);
  std::vector<FileChange> changes;
  while (watcher.buffered() > 0) changes.push_back(*watcher.next());
  return changes;
}

// R-FSW-1
TEST(FileWatcherTest, BuffersFromItsConstruction) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    FileWatcher watcher{tree.path()};
    tree.write("a", "");
    tree.write("b", "");
    weft::delay(1h);
    EXPECT_EQ(watcher.buffered(), 2U);
    EXPECT_EQ(watcher.next(), (FileChange{"a", true, false}));
    EXPECT_EQ(watcher.next(), (FileChange{"b", true, false}));
    EXPECT_EQ(watcher.buffered(), 0U);
  });
}

// R-FSW-1
TEST(FileWatcherTest, IsIterated) {
  const TemporaryTree tree;
  Log log;
  weft::testing::run([&] {
    FileWatcher watcher{tree.path()};
    auto reader = weft::spawn([&] {
      for (const FileChange& change : watcher) {
        log.push_back(change.name);
        if (change.name == "end") break;
      }
    });
    for (const char* name : {"a", "b", "end"}) {
      weft::delay(1s);
      tree.write(name, "");
    }
    weft::await(reader);
  });
  EXPECT_EQ(log, (Log{"a", "b", "end"}));
}

// R-FSW-1: as in the guide.
TEST(FileWatcherTest, ATemporaryIsIterated) {
  const TemporaryTree tree;
  Log log;
  weft::testing::run([&] {
    auto writer = weft::spawn([&] {
      weft::delay(1s);
      tree.make_directory("sub");
      weft::delay(1s);
      tree.write("sub/file", "");
    });
    for (const FileChange& change : FileWatcher{tree.path(), {.recursive = true}}) {
      log.push_back(change.name);
      if (log.size() == 2) break;
    }
    weft::await(writer);
  });
  EXPECT_EQ(log, (Log{"sub", "sub/file"}));
}

// R-FSW-1
TEST(FileWatcherTest, MergesTheChangesOfAFile) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    FileWatcher watcher{tree.path()};
    tree.write("a", "1");
    tree.write("b", "");
    tree.write("a", "2");
    tree.remove("a");
    EXPECT_THAT(taken(watcher),
                ElementsAre(FileChange{"a", true, true}, FileChange{"b", true, false}));
    tree.write("b", "again");
    EXPECT_THAT(taken(watcher), ElementsAre(FileChange{"b", false, true}))
        << "a change that was taken is not reported again";
  });
}

// R-FSW-1
TEST(FileWatcherTest, KeepsEveryChangeIfRaw) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    FileWatcher watcher{tree.path(), {.raw = true}};
    tree.write("a", "1");
    weft::delay(1ms);  // the kernel merges equal changes in a row
    tree.write("a", "2");
    tree.remove("a");
    EXPECT_THAT(taken(watcher),
                ElementsAre(FileChange{"a", true, false}, FileChange{"a", false, true},
                            FileChange{"a", false, true}, FileChange{"a", true, false}));
  });
}

// R-FSW-1
TEST(FileWatcherTest, TooManyBecomeOneWithoutAName) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    FileWatcher watcher{tree.path(), {.max_buffered = 3}};
    for (const char* name : {"a", "b", "c"}) tree.write(name, "");
    weft::delay(1ms);
    EXPECT_EQ(watcher.buffered(), 3U);
    tree.write("d", "");
    EXPECT_THAT(taken(watcher), ElementsAre(FileChange{"", true, true}));
    tree.write("e", "");
    EXPECT_THAT(taken(watcher), ElementsAre(FileChange{"e", true, false}));
  });
}

// R-FSW-2
TEST(FileWatcherTest, DebouncesToOneChangeAfterAQuietPeriod) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    FileWatcher watcher{tree.path(), {.debounce = 50ms}};
    auto writer = weft::spawn([&] {
      for (const char* name : {"a", "b", "c", "d"}) {
        tree.write(name, "text");
        weft::delay(30ms);
      }
    });
    const weft::TimePoint start = weft::now();
    EXPECT_EQ(watcher.next(), (FileChange{"", true, true}));
    const auto waited = weft::now() - start;
    EXPECT_GE(waited, 140ms) << "50 ms after the last of 0, 30, 60, 90";
    EXPECT_LT(waited, 145ms);
    EXPECT_EQ(watcher.buffered(), 0U);
    weft::await(writer);
  });
}

// R-FSW-2
TEST(FileWatcherTest, DebouncesAgainAfterwards) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    FileWatcher watcher{tree.path(), {.debounce = 50ms, .max_hold = 80ms}};
    for (int i = 0; i < 3; ++i) {
      weft::delay(1s);
      const weft::TimePoint start = weft::now();
      tree.write("a", "text");
      EXPECT_EQ(watcher.next(), (FileChange{"", i == 0, true}));
      EXPECT_GE(weft::now() - start, 50ms);
      EXPECT_LT(weft::now() - start, 55ms);
    }
  });
}

// R-FSW-2
TEST(FileWatcherTest, HoldsAtMostSoLongAfterTheFirstChange) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    FileWatcher watcher{tree.path(), {.debounce = 50ms, .max_hold = 100ms}};
    auto writer = weft::spawn([&] {
      for (int i = 0; i < 9; ++i) {
        tree.write("a", "text");
        weft::delay(30ms);
      }
    });
    const weft::TimePoint start = weft::now();
    std::vector<std::chrono::milliseconds> reported;
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(watcher.next());
      reported.push_back(
          std::chrono::duration_cast<std::chrono::milliseconds>(weft::now() - start));
    }
    // max_hold counts from the first change after a report: from 120, then from 240.
    EXPECT_THAT(reported, ElementsAre(100ms, 220ms, 290ms));
    weft::await(writer);
  });
}

// R-FSW-2
TEST(FileWatcherTest, OneDebouncedChangeIsEnoughForAReaderThatWasAway) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    FileWatcher watcher{tree.path(), {.raw = true, .debounce = 50ms}};
    for (int i = 0; i < 3; ++i) {
      tree.write("a", "text");
      weft::delay(1s);
    }
    EXPECT_THAT(taken(watcher), ElementsAre(FileChange{"", true, true}));
  });
}

// R-FSW-2
TEST(FileWatcherTest, DebouncesOnlyFilesWithTheRightExtension) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    FileWatcher watcher{tree.path(),
                        {.recursive = true, .debounce = 50ms, .extensions = {".cpp", ".hpp"}}};
    tree.write("a.o", "text");
    tree.write("cpp", "text");
    tree.make_directory("sub");
    tree.write("sub/b.txt", "text");
    weft::delay(1s);
    EXPECT_EQ(watcher.buffered(), 0U);
    const weft::TimePoint start = weft::now();
    tree.write("sub/b.cpp", "");
    weft::delay(30ms);
    tree.write("a.o", "text");  // does not prolong the wait
    EXPECT_EQ(watcher.next(), (FileChange{"", true, false}));
    EXPECT_LT(weft::now() - start, 55ms);
  });
}

TEST(FileWatcherTest, FiltersWithoutDebounceToo) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    FileWatcher watcher{tree.path(), {.extensions = {".cpp"}}};
    tree.write("a.o", "");
    tree.write("a.cpp", "");
    EXPECT_THAT(taken(watcher), ElementsAre(FileChange{"a.cpp", true, false}));
  });
}

// R-FSW-2
TEST(FileWatcherTest, CloseEndsTheIteration) {
  const TemporaryTree tree;
  Log log;
  weft::testing::run([&] {
    FileWatcher watcher{tree.path()};
    auto reader = weft::spawn([&] {
      for (const FileChange& change : watcher) log.push_back(change.name);
      log.push_back("ended");
    });
    tree.write("a", "");
    weft::delay(1ms);
    EXPECT_FALSE(watcher.is_closed());
    watcher.close();
    watcher.close();
    weft::await(reader);
    EXPECT_TRUE(watcher.is_closed());
    EXPECT_EQ(watcher.next(), std::nullopt);
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
  EXPECT_EQ(log, (Log{"a", "ended"}));
}

// R-FSW-2
TEST(FileWatcherTest, CloseDiscardsWhatWasNotTaken) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    FileWatcher plain{tree.path()};
    FileWatcher holding{tree.path(), {.debounce = 50ms}};
    tree.write("a", "");
    weft::delay(1ms);
    EXPECT_EQ(plain.buffered(), 1U);
    plain.close();
    holding.close();
    weft::delay(1s);
    EXPECT_EQ(plain.next(), std::nullopt);
    EXPECT_EQ(holding.next(), std::nullopt);
  });
}

// R-FSW-2
TEST(FileWatcherTest, CancellingTheScopeEndsTheIteration) {
  const TemporaryTree tree;
  bool unwound = false;
  weft::testing::run([&] {
    auto scope = weft::Scope::inherit();
    scope->spawn([&] {
      struct Note {
        bool& noted;
        ~Note() { noted = true; }
      } const note{unwound};
      for (const FileChange& change : FileWatcher{tree.path()}) ADD_FAILURE() << change.name;
    });
    weft::delay(1ms);
    scope->cancel();
    scope->await_after_cancellation();
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
  EXPECT_TRUE(unwound);
}

// R-FSW-2: a cancelled loop ends even if changes are buffered.
TEST(FileWatcherTest, ACancelledLoopTakesNothingMore) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    FileWatcher watcher{tree.path()};
    for (const char* name : {"a", "b", "c"}) tree.write(name, "");
    weft::delay(1ms);
    auto reader = weft::spawn([&] {
      for ([[maybe_unused]] const FileChange& change : watcher) weft::current().cancel();
    });
    EXPECT_THROW(weft::await(reader), weft::Cancelled);
    EXPECT_EQ(watcher.buffered(), 2U);
  });
}

// trap 1, trap 4
TEST(FileWatcherTest, AChangeGivenToACancelledOneGoesToTheNext) {
  const TemporaryTree tree;
  Log log;
  weft::testing::run([&] {
    FileWatcher watcher{tree.path()};
    auto first = weft::spawn([&] { log.push_back("first " + watcher.next()->name); });
    auto second =
        weft::spawn([&] { log.push_back("second " + watcher.next(weft::timeout(1s))->name); });
    weft::testing::settle();
    // This event is notified of the same change after the watcher, before a coroutine runs.
    weft::FileWatchEvent same{tree.path()};
    weft_test::Call cancel{[&](weft::Event&, const weft::Outcome&) {
      EXPECT_EQ(watcher.buffered(), 0U) << "it was given to the first";
      first.cancel();
    }};
    same.add_callback(cancel);
    same.start();
    tree.write("a", "");
    weft::await(second);
    EXPECT_THROW(weft::await(first), weft::Cancelled);
    same.stop();
    same.remove_callback(cancel);
  });
  EXPECT_EQ(log, (Log{"second a"}));
}

// trap 4
TEST(FileWatcherTest, TheFirstReaderIsServedFirst) {
  const TemporaryTree tree;
  Log log;
  weft::testing::run([&] {
    FileWatcher watcher{tree.path()};
    std::vector<weft::Coroutine<void>> readers;
    for (const char* reader : {"1", "2", "3"}) {
      readers.push_back(
          weft::spawn([&, reader] { log.push_back(std::string{reader} + watcher.next()->name); }));
    }
    weft::testing::settle();
    for (const char* name : {"a", "b", "c"}) tree.write(name, "");
    for (const auto& reader : readers) weft::await(reader);
  });
  EXPECT_EQ(log, (Log{"1a", "2b", "3c"}));
}

// trap 17
TEST(FileWatcherTest, MayGoWhileACoroutineWaits) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    std::optional<FileWatcher> watcher;
    watcher.emplace(tree.path());
    auto ended = weft::spawn([&] { return watcher->next().has_value(); });
    auto cancelled = weft::spawn([&] { static_cast<void>(watcher->next()); });
    weft::testing::settle();
    tree.write("a", "");
    watcher.reset();
    cancelled.cancel();
    EXPECT_FALSE(weft::await(ended));
    EXPECT_THROW(weft::await(cancelled), weft::Cancelled);
  });
}

// R-FSE-3
TEST(FileWatcherTest, APathThatIsNotThereFailsAtConstruction) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    try {
      const FileWatcher watcher{tree.path("missing")};
      ADD_FAILURE() << "no error";
    } catch (const std::system_error& error) {
      EXPECT_EQ(error.code(), std::errc::no_such_file_or_directory);
      EXPECT_THAT(error.what(), ::testing::HasSubstr(tree.path("missing")));
    }
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

TEST(FileWatcherTest, RefusesOptionsThatMakeNoSense) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    EXPECT_THROW((FileWatcher{tree.path(), {.debounce = -1ms}}), weft::ValueError);
    EXPECT_THROW((FileWatcher{tree.path(), {.debounce = 1ms, .max_hold = -1ms}}), weft::ValueError);
    EXPECT_THROW((FileWatcher{tree.path(), {.max_hold = 1ms}}), weft::ValueError);
  });
}

// R-KIND-3
TEST(FileWatcherTest, NeedsARuntime) { EXPECT_THROW(FileWatcher{"/tmp"}, weft::MisuseError); }

// R-HID-1: a watcher is active only while a coroutine waits for it.
TEST(FileWatcherTest, CountsOnlyWhileACoroutineWaits) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    FileWatcher watcher{tree.path()};
    EXPECT_EQ(weft::stats().active_events, 0U);
    auto reader = weft::spawn([&] { static_cast<void>(watcher.next()); });
    weft::testing::settle();
    EXPECT_EQ(weft::stats().active_events, 1U);
    tree.write("a", "");
    weft::await(reader);
    EXPECT_EQ(weft::stats().active_events, 0U);
    auto cancelled = weft::spawn([&] { static_cast<void>(watcher.next()); });
    weft::testing::settle();
    cancelled.cancel();
    EXPECT_THROW(weft::await(cancelled), weft::Cancelled);
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

// R-DLK-1
TEST(FileWatcherTest, OneThatIsNotReadDoesNotHideADeadlock) {
  const TemporaryTree tree;
  weft::Options options;
  options.deadlock_report = false;
  EXPECT_THROW(weft::run(
                   [&] {
                     const FileWatcher watcher{tree.path()};
                     weft::Channel<int> channel;
                     static_cast<void>(channel.recv());
                   },
                   options),
               weft::DeadlockError);
}

TEST(FileWatcherTest, ATimeoutThrowsTimedOutItself) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    FileWatcher watcher{tree.path()};
    EXPECT_THROW(static_cast<void>(watcher.next(weft::timeout(1s))), weft::TimedOut);
    weft::Promise<void> stop;
    auto reader = weft::spawn([&] {
      EXPECT_THROW(static_cast<void>(watcher.next(stop.future())), weft::OperationCancelled);
    });
    weft::testing::settle();
    stop.complete();
    weft::await(reader);
    tree.write("a", "");
    EXPECT_EQ(watcher.next()->name, "a") << "waiters that left have taken no change";
  });
}

TEST(FileWatcherExploration, SurvivesACancellationAtEverySuspension) {
  const auto report = weft::testing::explore(
      [] {
        const TemporaryTree tree;
        FileWatcher watcher{tree.path(), {.debounce = 5ms}};
        FileWatcher plain{tree.path()};
        auto debounced = weft::spawn([&] { static_cast<void>(watcher.next()); });
        auto looped = weft::spawn([&] {
          for (const FileChange& change : plain) {
            if (change.name == "end") return;
          }
        });
        auto writer = weft::spawn([&] {
          tree.write("a");
          weft::delay(1ms);
          tree.write("end");
        });
        for (auto& coroutine : {debounced, looped, writer}) {
          try {
            weft::await(coroutine, weft::timeout(1s));
          } catch (const weft::Cancelled&) {
          } catch (const weft::OperationCancelled&) {  // the writer was cancelled
          }
        }
      },
      {.schedules = weft::testing::fifo, .cancel = weft::testing::every_point});
  EXPECT_TRUE(report.ok()) << report.first_failure();
  EXPECT_GE(report.schedules(), 10U);
}

TEST(FileWatcherTest, IsAnObject) {
  static_assert(!std::is_copy_constructible_v<FileWatcher>);
  const TemporaryTree tree;
  weft::testing::run([&] { EXPECT_EQ(FileWatcher{tree.path()}.path(), tree.path()); });
}

}  // namespace
