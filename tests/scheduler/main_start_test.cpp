#include <thread>

#include <gtest/gtest.h>

#include "support.hpp"

namespace {

using weft_test::Log;

/// Main-start handlers belong to the thread, so each test removes its own.
class MainStartTest : public ::testing::Test {
 protected:
  ~MainStartTest() override { weft::clear_main_start(); }

  auto noting() {
    return [this](weft::Switch what) {
      log.push_back(what == weft::Switch::enter   ? "enter"
                    : what == weft::Switch::leave ? "leave"
                                                  : "finish");
      return true;
    };
  }

  Log log;
};

class MainStartThreadsTest : public MainStartTest {};

// R-SWH-7, R-SWH-8
TEST_F(MainStartTest, FiresAsEnterBeforeTheBodyOfMain) {
  weft::on_main_start(noting());
  EXPECT_TRUE(log.empty());
  weft::testing::run([&] { log.push_back("body"); });
  ASSERT_GE(log.size(), 2U);
  log.resize(2);
  EXPECT_EQ(log, (Log{"enter", "body"}));
}

// R-SWH-4, R-SWH-8
TEST_F(MainStartTest, StaysASwitchHandlerOfMainOnly) {
  weft::on_main_start(noting());
  weft::testing::run([&] {
    auto other = weft::spawn([] { weft::suspend(); });
    weft::await(other);
    log.push_back("end of the body");
  });
  EXPECT_EQ(log, (Log{"enter", "leave", "enter", "end of the body", "finish"}));
}

// R-SWH-8
TEST_F(MainStartTest, MayRemoveItselfFromMainAndStillGreetsTheNextMain) {
  weft::on_main_start([&](weft::Switch) {
    log.push_back("called");
    return false;
  });
  weft::testing::run([] { weft::suspend(); });
  EXPECT_EQ(log, (Log{"called"}));
  weft::testing::run([] { weft::suspend(); });
  EXPECT_EQ(log, (Log{"called", "called"}));
}

// R-SWH-6, R-SWH-8
TEST_F(MainStartTest, RunsHandlersInTheOrderOfRegistration) {
  for (const char* name : {"first", "second", "third"}) {
    weft::on_main_start([this, name](weft::Switch) {
      log.push_back(name);
      return false;
    });
  }
  weft::testing::run([] {});
  EXPECT_EQ(log, (Log{"first", "second", "third"}));
}

bool note_pair(weft::CoroutineBase& main, weft::Switch, void* data) {
  static_cast<Log*>(data)->push_back(main.is_started() ? "started" : "not started");
  return false;
}

// R-SWH-8
TEST_F(MainStartTest, RefusesADuplicate) {
  Log other;
  EXPECT_TRUE(weft::on_main_start(&note_pair, &log));
  EXPECT_FALSE(weft::on_main_start(&note_pair, &log));
  EXPECT_TRUE(weft::on_main_start(&note_pair, &other));
  weft::testing::run([] {});
  EXPECT_EQ(log, (Log{"started"}));
  EXPECT_EQ(other, (Log{"started"}));
}

// R-SWH-7
TEST_F(MainStartTest, TakesASwitchHandlerAddedBeforeTheSchedulerRuns) {
  EXPECT_TRUE(weft::add_switch_handler([this](weft::CoroutineBase& main, weft::Switch what) {
    if (what == weft::Switch::enter) log.push_back("main " + std::to_string(main.id()));
    return false;
  }));
  std::string expected;
  weft::testing::run([&] { expected = "main " + std::to_string(weft::current().id()); });
  EXPECT_EQ(log, (Log{expected}));
}

// R-SWH-8, R-ARCH-10
TEST_F(MainStartThreadsTest, BelongsToOneThread) {
  weft::on_main_start(noting());
  std::thread other{[&] { weft::testing::run([&] { log.push_back("main of the other"); }); }};
  other.join();
  EXPECT_EQ(log, (Log{"main of the other"}));
}

}  // namespace
