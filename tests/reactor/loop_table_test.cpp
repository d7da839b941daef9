#include "reactor/loop_table.hpp"

#include <filesystem>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <uv.h>

#include "process/process_table.hpp"
#include "reactor/reactor.hpp"
#include "support.hpp"
#include "weft/testing.hpp"

namespace loop_table_test {

using ::testing::ElementsAre;
using weft::LoopTable;
using weft::Reactor;
using weft_test::Log;

std::ptrdiff_t open_descriptors() {
  return std::distance(std::filesystem::directory_iterator{"/dev/fd"},
                       std::filesystem::directory_iterator{});
}

Log* calls = nullptr;

/// A table that logs its construction and destruction.
class Lower final : public LoopTable {
 public:
  explicit Lower(Reactor& reactor) : reactor_{reactor} { calls->push_back("lower made"); }
  ~Lower() override {
    const bool is_open = uv_loop_alive(&reactor_.loop()) != 0;
    calls->push_back(is_open ? "lower ended in an open loop" : "lower ended too late");
  }
  void after_fork() override { calls->push_back("lower after fork"); }

 private:
  Reactor& reactor_;
};

/// A table that uses a Lower.
class Upper final : public LoopTable {
 public:
  explicit Upper(Reactor& reactor) : lower_{reactor.table<Lower>()} {
    calls->push_back("upper made");
  }
  ~Upper() override { calls->push_back("upper ended"); }
  void after_fork() override { calls->push_back("upper after fork"); }
  Lower& lower() noexcept { return lower_; }

 private:
  Lower& lower_;
};

class LoopTableTest : public ::testing::Test {
 protected:
  LoopTableTest() { calls = &log_; }
  ~LoopTableTest() override { calls = nullptr; }

  Log log_;
  weft::testing::VirtualClock clock_;
};

TEST_F(LoopTableTest, IsMadeAtTheFirstCallAndOncePerReactor) {
  Reactor one{clock_, nullptr};
  Reactor two{clock_, nullptr};
  EXPECT_THAT(log_, ElementsAre());
  Upper& made = one.table<Upper>();
  EXPECT_EQ(&one.table<Upper>(), &made);
  EXPECT_EQ(&one.table<Lower>(), &made.lower());
  EXPECT_NE(&two.table<Lower>(), &made.lower());
  EXPECT_THAT(log_, ElementsAre("lower made", "upper made", "lower made"));
}

TEST_F(LoopTableTest, EndsInTheReverseOrderOfMakingWhileTheLoopIsOpen) {
  {
    Reactor reactor{clock_, nullptr};
    static_cast<void>(reactor.table<Upper>());
    static_cast<void>(reactor.loop());
    log_.clear();
  }
  EXPECT_THAT(log_, ElementsAre("upper ended", "lower ended in an open loop"));
}

TEST_F(LoopTableTest, IsNotifiedOfAForkInTheOrderOfMaking) {
  Reactor reactor{clock_, nullptr};
  static_cast<void>(reactor.table<Upper>());
  static_cast<void>(reactor.loop());
  log_.clear();
  reactor.after_fork();
  EXPECT_THAT(log_, ElementsAre("lower after fork", "upper after fork"));
}

TEST_F(LoopTableTest, OfChildrenNeedsNoLoopBeforeOneIsAwaited) {
  const std::ptrdiff_t before = open_descriptors();
  Reactor reactor{clock_, nullptr};
  static_cast<void>(weft::ProcessTable::of(reactor));
  EXPECT_EQ(open_descriptors(), before);
}

}  // namespace loop_table_test
