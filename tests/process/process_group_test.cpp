#include <csignal>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

#include "children.hpp"
#include "descriptors.hpp"
#include "failures.hpp"
#include "support.hpp"
#include "weft/weft.hpp"

// Children that lead a process group.
namespace {

using namespace std::chrono_literals;
using weft_test::error_of;
using weft_test::is;

/// A path for the descriptor `number` of this process.
std::string path_of(int number) {
  return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(number);
}

// trap 77: the shell is terminated, and the processes that it has started go on
TEST(ProcessGroupTest, TheGroupIsReached) {
  weft::testing::run([] {
    weft::Process child = weft::Process::start({"sh", "-c", "sleep 1000 & echo ready; wait"},
                                               {.stdout_ = weft::piped, .new_group = true});
    EXPECT_EQ(child.stdout_().read_line(), "ready");
    EXPECT_EQ(::getpgid(child.pid()), child.pid());
    child.kill_group(SIGKILL);
    EXPECT_EQ(child.stdout_().read_all(), "");  // the pipe ends with the last process of the group
    EXPECT_EQ(child.wait(), -SIGKILL);
    child.kill_group();  // does nothing: the id may be in use again
  });
}

TEST(ProcessGroupTest, WithoutAGroupItIsAMisuse) {
  weft::testing::run([] {
    weft::Process child = weft::Process::start({"sleep", "1000"});
    EXPECT_TRUE(is<weft::MisuseError>(error_of([&] { child.kill_group(); })));
    EXPECT_NE(::getpgid(child.pid()), child.pid());
  });
}

TEST(ProcessGroupTest, ItsOwnersEndEndsTheGroup) {
  weft_test::Ends ends = weft_test::Ends::pipe();
  weft::testing::run([&] {
    weft::Pipe reader = weft::Pipe::adopt(ends.here.release());
    const std::string path = path_of(ends.there.get());
    {
      // Each living process of the group has the pipe open.
      weft::Process child =
          weft::Process::start({"sh", "-c", "sleep 1000 & echo ready; wait"},
                               {.stdout_ = weft::append_to_file(path), .new_group = true});
      ends.there.reset();
      EXPECT_EQ(reader.read_line(), "ready");
    }
    EXPECT_EQ(reader.read_all(), "");
  });
}

// trap 77: the leader of the group has ended, and the others ignore SIGTERM
TEST(RealTimeProcessGroupTest, ProcessesThatIgnoreTheRequestAreKilledAfterTheGrace) {
  weft_test::Ends ends = weft_test::Ends::pipe();
  weft::run([&] {
    weft::Pipe reader = weft::Pipe::adopt(ends.here.release());
    const std::string path = path_of(ends.there.get());
    int group = 0;
    {
      weft::Process child = weft::Process::start(
          {"sh", "-c", "(trap '' TERM; echo ready; sleep 1000; sleep 1000) & wait"},
          {.stdout_ = weft::append_to_file(path), .grace = 50ms, .new_group = true});
      ends.there.reset();
      EXPECT_EQ(reader.read_line(), "ready");
      group = child.pid();
    }
    EXPECT_EQ(reader.read_all(), "");
    while (!weft_test::is_collected(group)) weft::delay(1ms);  // until no zombie is left
  });
}

TEST(ProcessGroupTest, ACommandThatIsLateTakesItsPipelineAlong) {
  weft_test::Ends ends = weft_test::Ends::pipe();
  weft::testing::run([&] {
    weft::Pipe reader = weft::Pipe::adopt(ends.here.release());
    const std::string path = path_of(ends.there.get());
    auto command = weft::spawn([&] {
      weft::exec_shell("echo ready; sleep 1000 | sleep 1000; true",
                       {.stdout_ = weft::append_to_file(path), .new_group = true});
    });
    EXPECT_EQ(reader.read_line(), "ready");
    ends.there.reset();
    command.cancel();
    EXPECT_EQ(reader.read_all(), "");
  });
}

}  // namespace
