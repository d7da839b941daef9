#include <stdexcept>

#include <gtest/gtest.h>

#include "support.hpp"

namespace switch_handler_test {

using weft_test::Doorbell;
using weft_test::Log;
using namespace std::chrono_literals;

const char* word(weft::Switch what) {
  switch (what) {
    case weft::Switch::enter:
      return "enter";
    case weft::Switch::leave:
      return "leave";
    case weft::Switch::finish:
      return "finish";
  }
  return "?";
}

/// A handler that logs its calls and stays registered.
auto noting(Log& log, std::string prefix = {}) {
  return [&log, prefix = std::move(prefix)](weft::Switch what) {
    log.push_back(prefix + word(what));
    return true;
  };
}

// R-SWH-1
TEST(SwitchHandlerTest, IsCalledForItsOwnCoroutineOnly) {
  Log log;
  weft::testing::run([&] {
    auto watched = weft::spawn([&] {
      log.push_back("watched");
      weft::suspend();
      log.push_back("watched again");
    });
    watched.add_switch_handler(noting(log));
    weft::spawn([&] {
      log.push_back("other");
      weft::suspend();
      log.push_back("other again");
    });
  });
  EXPECT_EQ(log, (Log{"enter", "watched", "leave", "other", "enter", "watched again", "finish",
                      "other again"}));
}

// R-SWH-2
TEST(SwitchHandlerTest, GetsTheCoroutine) {
  std::vector<std::uint64_t> seen;
  weft::testing::run([&] {
    auto watched = weft::spawn([] { weft::suspend(); });
    watched.add_switch_handler([&](const weft::AnyCoroutine& coroutine, weft::Switch) {
      seen.push_back(coroutine.id());
      return true;
    });
    weft::await(watched);
    EXPECT_EQ(seen, (std::vector<std::uint64_t>(4, watched.id())));
  });
}

// R-SWH-2
TEST(SwitchHandlerTest, IsRemovedWhenItReturnsFalse) {
  Log log;
  weft::testing::run([&] {
    auto watched = weft::spawn([] {
      weft::suspend();
      weft::suspend();
    });
    watched.add_switch_handler([&](weft::Switch what) {
      log.push_back(word(what));
      return what != weft::Switch::leave;
    });
    weft::await(watched);
  });
  EXPECT_EQ(log, (Log{"enter", "leave"}));
}

// R-SWH-3, R-SWH-4
TEST(SwitchHandlerTest, SeesEnterThenPairsOfLeaveAndEnterThenFinish) {
  Log log;
  weft::testing::run([&] {
    Doorbell bell;
    auto watched = weft::spawn([&] {
      weft::suspend();
      weft::await(bell);
      weft::delay(1ms);
    });
    watched.add_switch_handler(noting(log));
    weft::spawn([&] {
      weft::suspend();
      weft::suspend();
      bell.ring();
    });
    weft::await(watched);
  });
  EXPECT_EQ(log, (Log{"enter", "leave", "enter", "leave", "enter", "leave", "enter", "finish"}));
}

// R-SWH-3
TEST(SwitchHandlerTest, SeesFinishWhenTheBodyThrowsOrIsCancelled) {
  Log log;
  weft::testing::run([&] {
    auto failing = weft::spawn([] { throw std::runtime_error{"broken"}; });
    failing.add_switch_handler(noting(log, "failing "));
    EXPECT_THROW(weft::await(failing), std::runtime_error);
    Doorbell bell;
    auto cancelled = weft::spawn([&] { weft::await(bell); });
    cancelled.add_switch_handler(noting(log, "cancelled "));
    weft::suspend();
    cancelled.cancel();
    EXPECT_THROW(weft::await(cancelled), weft::Cancelled);
  });
  EXPECT_EQ(log, (Log{"failing enter", "failing finish", "cancelled enter", "cancelled leave",
                      "cancelled enter", "cancelled finish"}));
}

// R-SWH-4
TEST(SwitchHandlerTest, SeesTheFirstStartAlsoInAnInheritedContext) {
  Log log;
  weft::testing::run([&] {
    auto first = weft::spawn([&] { log.push_back("first"); });
    auto heir = weft::spawn([&] { log.push_back("heir"); });
    first.add_switch_handler(noting(log, "first "));
    heir.add_switch_handler(noting(log, "heir "));
    weft::await(heir);
  });
  EXPECT_EQ(log,
            (Log{"first enter", "first", "first finish", "heir enter", "heir", "heir finish"}));
}

/// An event whose start() notifies.
class Immediate final : public weft::Event {
 public:
  bool start() override {
    notify();
    return true;
  }
};

// R-SWH-5
TEST(SwitchHandlerTest, IsNotCalledOnTheFastReturn) {
  Log log;
  weft::testing::run([&] {
    auto done = weft::spawn([] {});
    weft::await(done);
    weft::current().add_switch_handler(noting(log));
    weft::await(done);
    weft::await(static_cast<weft::Event&>(done));
    Immediate event;
    weft::await(event);
    EXPECT_TRUE(log.empty());
  });
}

// R-SWH-5
TEST(SwitchHandlerTest, IsCalledAroundATickThatMakesNoSwitch) {
  Log log;
  weft::testing::run([&] {
    Doorbell bell;
    weft::current().add_switch_handler(noting(log));
    const std::uint64_t switches = weft::stats().switches;
    weft::suspend();
    weft::post_microtask([&] { bell.ring(); });
    weft::await(bell);
    EXPECT_EQ(weft::stats().switches, switches);
    EXPECT_EQ(log, (Log{"leave", "enter", "leave", "enter"}));
  });
}

// R-SWH-6
TEST(SwitchHandlerTest, RunsInTheOrderOfRegistrationWhichRemovalKeeps) {
  Log log;
  weft::testing::run([&] {
    auto watched = weft::spawn([] {});
    for (const char* name : {"a", "b", "c", "d"}) {
      const bool once = *name == 'a' || *name == 'c';
      watched.add_switch_handler([&log, name, once](weft::Switch what) {
        log.push_back(std::string{name} + " " + word(what));
        return !once;
      });
    }
    weft::await(watched);
  });
  EXPECT_EQ(log, (Log{"a enter", "b enter", "c enter", "d enter", "b finish", "d finish"}));
}

bool note_pair(weft::CoroutineBase&, weft::Switch what, void* data) {
  static_cast<Log*>(data)->push_back(word(what));
  return true;
}

// R-SWH-6
TEST(SwitchHandlerTest, IsKeptOnceHoweverOftenThePairIsAdded) {
  Log first;
  Log second;
  weft::testing::run([&] {
    auto watched = weft::spawn([] {});
    EXPECT_TRUE(watched.base().add_switch_handler(&note_pair, &first));
    EXPECT_FALSE(watched.base().add_switch_handler(&note_pair, &first));
    EXPECT_TRUE(watched.base().add_switch_handler(&note_pair, &second));  // another pair
    weft::await(watched);
  });
  EXPECT_EQ(first, (Log{"enter", "finish"}));
  EXPECT_EQ(second, (Log{"enter", "finish"}));
}

// R-SWH-6
TEST(SwitchHandlerTest, IsAlwaysDistinctWhenItIsAClosure) {
  Log log;
  weft::testing::run([&] {
    auto watched = weft::spawn([] {});
    const auto handler = noting(log);
    EXPECT_TRUE(watched.add_switch_handler(handler));
    EXPECT_TRUE(watched.add_switch_handler(handler));
    weft::await(watched);
  });
  EXPECT_EQ(log, (Log{"enter", "enter", "finish", "finish"}));
}

// R-SWH-6
TEST(SwitchHandlerTest, CannotBeAddedWhileHandlersRun) {
  std::vector<std::string> warnings;
  Log log;
  weft::testing::run(
      [&] {
        auto watched = weft::spawn([] { weft::suspend(); });
        watched.add_switch_handler([&](const weft::AnyCoroutine& self, weft::Switch what) {
          if (what == weft::Switch::enter && log.empty()) {
            log.push_back(self.add_switch_handler(noting(log)) ? "added" : "refused");
          }
          return true;
        });
        weft::await(watched);
      },
      weft_test::collecting(warnings));
  EXPECT_EQ(log, (Log{"refused"}));
  EXPECT_EQ(warnings.size(), 1U);
}

// R-SWH-7
TEST(SwitchHandlerTest, MayBeAddedToTheCurrentCoroutine) {
  Log log;
  weft::testing::run([&] {
    auto worker = weft::spawn([&] {
      weft::add_switch_handler([&](const weft::CoroutineBase&, weft::Switch what) {
        log.push_back(word(what));
        return true;
      });
      weft::suspend();
    });
    weft::await(worker);
  });
  EXPECT_EQ(log, (Log{"leave", "enter", "finish"}));
}

// R-SWH-9
TEST(SwitchHandlerTest, KeepsAGlobalApartWhileDozensOfOthersRun) {
  int global = 0;
  int right = 0;
  weft::testing::run([&] {
    for (int i = 1; i <= 36; ++i) {
      auto user = weft::spawn([&, i] {
        EXPECT_EQ(global, 0);
        global = i;
        for (int round = 0; round < 5; ++round) {
          weft::suspend();
          right += global == i ? 1 : 0;
        }
      });
      // Other coroutines see 0; this one finds the value that it has left.
      user.add_switch_handler([&global, own = 0](weft::Switch what) mutable {
        if (what == weft::Switch::enter) {
          global = own;
        } else {
          own = std::exchange(global, 0);
        }
        return true;
      });
    }
  });
  EXPECT_EQ(right, 36 * 5);
  EXPECT_EQ(global, 0);
}

}  // namespace switch_handler_test
