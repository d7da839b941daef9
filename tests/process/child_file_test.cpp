#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "descriptors.hpp"
#include "failures.hpp"
#include "support.hpp"
#include "temporary_tree.hpp"
#include "weft/weft.hpp"

// Standard streams of a child that are files.
namespace {

using namespace std::chrono_literals;
using weft_test::code_of;
using weft_test::contents;
using weft_test::error_of;
using weft_test::is;
using weft_test::TemporaryTree;
using weft_test::text;

TEST(ChildFileTest, OutputGoesIntoAFileThatIsMadeOrEmptied) {
  const TemporaryTree tree;
  tree.write("log", "old and longer than what comes");
  weft::testing::run([&] {
    weft::Process child =
        weft::Process::start({"echo", "hello"}, {.stdout_ = weft::to_file(tree.path("log"))});
    EXPECT_FALSE(child.stdout_().is_open());
    EXPECT_EQ(child.wait(), 0);
    EXPECT_EQ(contents(tree.path("log")), "hello\n");
    weft::Process other =
        weft::Process::start({"echo", "new"}, {.stdout_ = weft::to_file(tree.path("new"))});
    EXPECT_EQ(other.wait(), 0);
    EXPECT_EQ(contents(tree.path("new")), "new\n");
  });
}

TEST(ChildFileTest, OrBehindWhatIsInIt) {
  const TemporaryTree tree;
  tree.write("log", "first\n");
  weft::testing::run([&] {
    weft::Process child = weft::Process::start(
        {"sh", "-c", "echo output; echo errors >&2"},
        {.stdout_ = weft::append_to_file(tree.path("log")), .stderr_ = weft::with_output});
    EXPECT_EQ(child.wait(), 0);
  });
  EXPECT_EQ(contents(tree.path("log")), "first\noutput\nerrors\n");
}

TEST(ChildFileTest, InputComesFromAFile) {
  const TemporaryTree tree;
  tree.write("in", "b\na\n");
  weft::testing::run([&] {
    weft::Process child = weft::Process::start(
        {"sort"}, {.stdin_ = weft::from_file(tree.path("in")), .stdout_ = weft::piped});
    EXPECT_EQ(child.stdout_().read_all(), "a\nb\n");
    EXPECT_EQ(child.wait(), 0);
  });
}

TEST(ChildFileTest, ACommandWritesIntoAFileAndKeepsNothing) {
  const TemporaryTree tree;
  tree.write("in", "x\ny\n");
  weft::testing::run([&] {
    const weft::ExecResult result = weft::exec({"sh", "-c", "cat; echo error >&2"},
                                               {.stderr_ = weft::to_file(tree.path("err")),
                                                .stdin_ = weft::from_file(tree.path("in")),
                                                .stdout_ = weft::to_file(tree.path("out"))});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.output, "");
    EXPECT_EQ(contents(tree.path("out")), "x\ny\n");
    EXPECT_EQ(contents(tree.path("err")), "error\n");
  });
}

// trap 78: only standard error is piped, and is taken for the output
TEST(ChildFileTest, ErrorsAreKeptWhileTheOutputIsAFile) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    const weft::ExecResult result =
        weft::exec({"sh", "-c", "echo out; echo error >&2"},
                   {.stderr_ = weft::piped, .stdout_ = weft::to_file(tree.path("out"))});
    EXPECT_EQ(result.output, "");
    EXPECT_EQ(result.errors, "error\n");
    const weft::ExecResult shown = weft::exec(
        {"echo", "gone"}, {.mode = weft::ExecMode::show_and_line, .stdout_ = weft::null});
    EXPECT_EQ(shown.output, "");
    EXPECT_EQ(shown.exit_code, 0);
  });
}

TEST(ChildFileTest, AFileThatCannotBeOpenedIsNamedAndNothingIsStarted) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    const std::string missing = tree.path("missing/log");
    const auto error = error_of([&] {
      const auto child = weft::Process::start({"touch", tree.path("started")},
                                              {.stdout_ = weft::to_file(missing)});
    });
    EXPECT_EQ(code_of(error), ENOENT);
    EXPECT_TRUE(text(error).starts_with("open " + missing)) << text(error);
    EXPECT_EQ(code_of(error_of([&] { weft::exec({"cat"}, {.stdin_ = weft::from_file(missing)}); })),
              ENOENT);
    EXPECT_EQ(contents(tree.path("started")), "");
    EXPECT_FALSE(weft::fs::try_stat(tree.path("started")).has_value());
  });
}

// trap 79: opening the named pipe blocks the thread
TEST(ChildFileTest, ANamedPipeThatIsNotReadIsAnError) {
  const TemporaryTree tree;
  ASSERT_EQ(::mkfifo(tree.path("fifo").c_str(), 0600), 0);
  weft::testing::run([&] {
    EXPECT_EQ(code_of(error_of(
                  [&] { weft::exec({"echo"}, {.stdout_ = weft::to_file(tree.path("fifo"))}); })),
              ENXIO);
  });
}

TEST(ChildFileTest, TheWrongDirectionIsRefused) {
  weft::testing::run([] {
    EXPECT_TRUE(is<weft::ValueError>(
        error_of([] { weft::exec({"true"}, {.stdin_ = weft::to_file("x")}); })));
    EXPECT_TRUE(is<weft::ValueError>(
        error_of([] { weft::exec({"true"}, {.stdout_ = weft::from_file("x")}); })));
    EXPECT_TRUE(
        is<weft::ValueError>(error_of([] { weft::exec({"true"}, {.stdin_ = weft::piped}); })));
    EXPECT_TRUE(is<weft::ValueError>(error_of([] {
      weft::exec({"true"}, {.stdout_ = weft::to_file(std::string{"a\0b", 3})});
    })));
  });
}

// trap 80: the file stays open in this process, or is non-blocking in the child
TEST(ChildFileTest, TheFileIsTheChildsAlone) {
  const TemporaryTree tree;
  weft::testing::run([&] {
    weft::exec({"true"});  // opens the descriptors that the runtime keeps for children
    const weft_test::OwnDescriptor before{::dup(0)};
    weft::Process child =
        weft::Process::start({"sh", "-c", "cat /proc/self/fdinfo/1 >&2"},
                             {.stdout_ = weft::to_file(tree.path("out")), .stderr_ = weft::piped});
    const std::string info = child.stderr_().read_all();
    EXPECT_EQ(child.wait(), 0);
    const std::size_t at = info.find("flags:");
    ASSERT_NE(at, std::string::npos) << info;
    EXPECT_EQ(std::stoul(info.substr(at + 6), nullptr, 8) & O_NONBLOCK, 0U) << info;
    child.stderr_().close();
    const weft_test::OwnDescriptor after{::dup(0)};
    EXPECT_EQ(after.get(), before.get() + 1);
  });
}

}  // namespace
