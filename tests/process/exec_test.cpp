#include "weft/exec.hpp"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <stdexcept>
#include <sys/resource.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "children.hpp"
#include "descriptors.hpp"
#include "dispositions.hpp"
#include "support.hpp"
#include "valgrind.hpp"
#include "weft/extend/exec_event.hpp"

namespace {

using namespace std::chrono_literals;
using Lines = std::vector<std::string>;
using weft_test::is_childless;

std::size_t open_descriptors() {
  return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator{"/proc/self/fd"}, {}));
}

// R-EXE-1, R-EXE-7: shell_exec.
TEST(ExecTest, KeepsTheWholeOutputAndReturnsTheExitCode) {
  weft::run([] {
    const weft::ExecResult result = weft::exec({"printf", "a\\nb  \\n"});
    EXPECT_EQ(result.output, "a\nb  \n");
    EXPECT_TRUE(result.lines.empty());
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.signal, 0);
    EXPECT_EQ(weft::exec_shell("exit 3").exit_code, 3);
  });
}

// R-EXE-1: exec.
TEST(ExecTest, KeepsTheLastLine) {
  weft::run([] {
    const auto result =
        weft::exec_shell("printf 'one\\ntwo\\nthree  \\n'", {.mode = weft::ExecMode::last_line});
    EXPECT_EQ(result.output, "three");
    EXPECT_TRUE(result.lines.empty());
  });
}

// R-EXE-1: exec with an array.
TEST(ExecTest, KeepsAllLines) {
  weft::run([] {
    const auto result =
        weft::exec_shell("printf 'one\\ntwo\\nthree\\n'", {.mode = weft::ExecMode::lines});
    EXPECT_EQ(result.lines, (Lines{"one", "two", "three"}));
    EXPECT_EQ(result.output, "three");
  });
}

// R-EXE-1: system.
TEST(ExecTest, PassesTheOutputThroughAndKeepsTheLastLine) {
  weft::run([] {
    std::string seen;
    const auto result = weft::exec_shell(
        "printf 'one\\ntwo \\n'", {.mode = weft::ExecMode::show_and_line,
                                   .sink = [&](std::string_view text) { seen.append(text); }});
    EXPECT_EQ(seen, "one\ntwo \n");
    EXPECT_EQ(result.output, "two");
  });
}

// R-EXE-1: passthru.
TEST(ExecTest, PassesTheOutputThroughRawAndKeepsNothing) {
  weft::run([] {
    std::string seen;
    const auto result = weft::exec_shell(
        "printf 'a\\000b\\377'",
        {.mode = weft::ExecMode::show, .sink = [&](std::string_view text) { seen.append(text); }});
    EXPECT_EQ(seen, (std::string{"a\0b\377", 4}));
    EXPECT_TRUE(result.output.empty());
    EXPECT_TRUE(result.lines.empty());
  });
}

// R-EXE-1: without a sink, output is passed to standard output.
TEST(ExecTest, PassesTheOutputToStandardOutputByDefault) {
  ::testing::internal::CaptureStdout();
  weft::run([] { weft::exec({"echo", "hello"}, {.mode = weft::ExecMode::show}); });
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "hello\n");
}

// R-EXE-2
TEST(ExecTest, TheShellFormRunsThroughTheShellAndReadsNothing) {
  weft::run([] {
    EXPECT_EQ(weft::exec_shell("echo a b | tr ' ' '\\n' | wc -l").output, "2\n");
    const auto started = std::chrono::steady_clock::now();
    EXPECT_EQ(weft::exec({"cat"}).output, "") << "standard input is empty";
    EXPECT_LT(std::chrono::steady_clock::now() - started, 10s);
  });
}

// R-EXE-2
TEST(ExecTest, StandardErrorIsInheritedUnlessATargetIsGiven) {
  weft::run([] {
    ::testing::internal::CaptureStderr();
    const auto inherited = weft::exec_shell("echo out; echo err >&2");
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "err\n");
    EXPECT_EQ(inherited.output, "out\n");
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(weft::exec_shell("echo err >&2", {.stderr_ = weft::null}).errors, "");
    const auto kept = weft::exec_shell("echo out; echo err >&2", {.stderr_ = weft::piped});
    const auto joined = weft::exec_shell("echo out; echo err >&2", {.stderr_ = weft::with_output});
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
    EXPECT_EQ(kept.output, "out\n");
    EXPECT_EQ(kept.errors, "err\n");
    EXPECT_EQ(joined.output, "out\nerr\n");
  });
}

// The default form: without a shell.
TEST(ExecTest, WordsReachTheProgramUnchanged) {
  weft::run([] {
    for (const std::string word : {"x; echo INJECTED", "$(id)", "`id`", "a b", "*", "'", "\"", "\\",
                                   "|", "&", ">", "", "-n", "\n", "\t", "ü"}) {
      EXPECT_EQ(weft::exec({"printf", "%s", word}).output, word);
    }
    EXPECT_EQ(weft::exec_shell("echo a; echo b").output, "a\nb\n");
  });
}

// R-EXE-3
TEST(ExecTest, LinesAreTrimmedAtTheirEndAndEmptyOnesKept) {
  weft::run([] {
    const auto result =
        weft::exec_shell("printf '  a \\t\\r\\n\\n \\nlast'", {.mode = weft::ExecMode::lines});
    EXPECT_EQ(result.lines, (Lines{"  a", "", "", "last"})) << "the final newline may be missing";
    EXPECT_EQ(result.output, "last");
    EXPECT_TRUE(weft::exec({"true"}, {.mode = weft::ExecMode::lines}).lines.empty());
  });
}

// R-EXE-3: one line may arrive in several reads.
TEST(ExecTest, LinesSplitOverChunksAreWhole) {
  weft::run([] {
    const auto slow =
        weft::exec_shell("printf he; sleep 0.02; printf 'llo\\nwor'; sleep 0.02; echo ld",
                         {.mode = weft::ExecMode::lines});
    EXPECT_EQ(slow.lines, (Lines{"hello", "world"}));
    const auto many = weft::exec({"seq", "100000"}, {.mode = weft::ExecMode::lines});
    ASSERT_EQ(many.lines.size(), 100'000U);
    for (std::size_t i = 0; i < many.lines.size(); ++i) {
      ASSERT_EQ(many.lines[i], std::to_string(i + 1));
    }
  });
}

// R-EXE-4, trap 20: the output ends before the command.
TEST(ExecTest, AnEndOfTheOutputIsNotTheEndOfTheCommand) {
  weft::run([] {
    const auto result = weft::exec_shell("echo a; exec >&-; sleep 0.05; exit 5");
    EXPECT_EQ(result.output, "a\n");
    EXPECT_EQ(result.exit_code, 5);
  });
}

// R-EXE-4, trap 20: the command ends while a process that it has started holds the pipe.
TEST(ExecTest, TheEndOfTheCommandCountsThoughTheOutputIsStillOpen) {
  weft::run([] {
    const auto started = std::chrono::steady_clock::now();
    const auto result = weft::exec_shell("sleep 30 & echo $!; exit 4");
    EXPECT_LT(std::chrono::steady_clock::now() - started, 10s);
    EXPECT_EQ(result.exit_code, 4);
    ::kill(std::stoi(result.output), SIGKILL);
  });
}

// R-EXE-4: all output before the end is read, even if it is read late.
TEST(ExecTest, NothingWrittenBeforeTheEndIsLost) {
  weft::run([] {
    for (int round = 0; round < 20; ++round) {
      EXPECT_EQ(weft::exec_shell("head -c 60000 /dev/zero; exit 1").output.size(), 60'000U);
    }
  });
}

// R-EXE-5: the sink runs in the coroutine that started the command.
TEST(ExecTest, PassedThroughOutputBelongsToTheCoroutineThatStartedIt) {
  weft::run([] {
    std::vector<std::uint64_t> ids;
    std::vector<std::uint64_t> own;
    weft::with_scope([&](weft::Scope& scope) {
      for (int i = 0; i < 3; ++i) {
        scope.spawn([&] {
          const auto me = static_cast<std::uint64_t>(weft::current().id());
          own.push_back(me);
          weft::exec({"echo", "x"},
                     {.mode = weft::ExecMode::show, .sink = [&, me](std::string_view) {
                        EXPECT_EQ(static_cast<std::uint64_t>(weft::current().id()), me);
                        weft::suspend();  // a sink may suspend
                        ids.push_back(me);
                      }});
        });
      }
    });
    std::sort(ids.begin(), ids.end());
    EXPECT_EQ(ids, own);
  });
}

// R-EXE-5: the command waits for a slow sink; its output does not accumulate in memory.
TEST(ExecTest, AFloodWaitsForTheSink) {
  weft::run([] {
    std::size_t total = 0;
    std::size_t largest = 0;
    const auto result =
        weft::exec_shell("head -c 5000000 /dev/zero",
                         {.mode = weft::ExecMode::show, .sink = [&](std::string_view text) {
                            total += text.size();
                            largest = std::max(largest, text.size());
                            weft::suspend();
                          }});
    EXPECT_EQ(total, 5'000'000U);
    EXPECT_LE(largest, 300'000U);
    EXPECT_EQ(result.exit_code, 0);
  });
}

TEST(ExecTest, WhatComesWhileTheSinkWaitsIsPassedOn) {
  weft::run([] {
    std::size_t total = 0;
    weft::exec_shell("head -c 1000000 /dev/zero",
                     {.mode = weft::ExecMode::show, .sink = [&](std::string_view text) {
                        total += text.size();
                        weft::delay(5ms);  // meanwhile the command fills the pipe
                      }});
    EXPECT_EQ(total, 1'000'000U);
  });
}

// R-EXE-6
TEST(ExecTest, ACancelledCallTerminatesTheCommandAndClosesItsPipes) {
  weft::run([] {
    weft::exec({"true"});  // the loop has all it needs
    const std::size_t before = open_descriptors();
    int pid = -1;
    auto runner = weft::spawn([&] {
      weft::exec_shell("echo $$; exec sleep 1000",
                       {.mode = weft::ExecMode::show, .sink = [&](std::string_view text) {
                          pid = std::stoi(std::string{text});
                        }});
    });
    while (pid < 0) weft::delay(1ms);
    EXPECT_GT(open_descriptors(), before);
    runner.cancel();
    EXPECT_THROW(weft::await(runner), weft::Cancelled);
    EXPECT_EQ(open_descriptors(), before);
    while (!weft_test::is_collected(pid)) weft::delay(1ms);  // killed, and collected
  });
  EXPECT_TRUE(weft_test::has_default_action(SIGCHLD));
}

// R-EXE-6: the event is stopped, or dropped.
TEST(ExecEventTest, StoppingOrDroppingARunningOneTerminatesTheCommand) {
  weft::run([] {
    int stopped = -1;
    int dropped = -1;
    {
      weft::ExecEvent event{{.argv = {"sleep", "1000"}}};
      event.start();
      stopped = event.pid();
      ASSERT_GT(stopped, 0);
      EXPECT_EQ(weft::stats().active_events, 1U + 1U) << "the command and its process";
      event.stop();
      EXPECT_TRUE(event.is_closed());
      EXPECT_EQ(event.take_result().exit_code, -1);
    }
    {
      const auto event =
          weft::make_ref<weft::ExecEvent>(weft::ExecCommand{.argv = {"sleep", "1000"}});
      event->start();
      dropped = event->pid();
    }
    EXPECT_EQ(weft::stats().active_events, 0U);
    while (!weft_test::is_collected(stopped) || !weft_test::is_collected(dropped)) weft::delay(1ms);
  });
}

// R-EXE-6: a command that ignores SIGTERM is killed.
TEST(RealTimeExecTest, ACommandThatIgnoresTheRequestIsKilledAfterTheGrace) {
  weft::run([] {
    int pid = -1;
    auto runner = weft::spawn([&] {
      weft::exec_shell("trap '' TERM; echo $$; while :; do sleep 0.01; done",
                       {.mode = weft::ExecMode::show,
                        .sink = [&](std::string_view text) { pid = std::stoi(std::string{text}); },
                        .grace = 50ms});
    });
    while (pid < 0) weft::delay(1ms);
    runner.cancel();
    EXPECT_THROW(weft::await(runner), weft::Cancelled);
    EXPECT_FALSE(weft_test::is_collected(pid)) << "SIGTERM is sent first";
    while (!weft_test::is_collected(pid)) weft::delay(1ms);
  });
}

// R-EXE-6: the end of the runtime kills a command that ignores SIGTERM.
TEST(ExecTest, ACommandThatIgnoresTheRequestDoesNotOutliveTheRuntime) {
  int pid = -1;
  weft::run([&] {
    auto runner = weft::spawn([&] {
      weft::exec_shell("trap '' TERM; echo $$; while :; do sleep 0.01; done",
                       {.mode = weft::ExecMode::show,
                        .sink = [&](std::string_view text) { pid = std::stoi(std::string{text}); },
                        .grace = 1h});
    });
    while (pid < 0) weft::delay(1ms);
    runner.cancel();
    EXPECT_THROW(weft::await(runner), weft::Cancelled);
  });
  EXPECT_TRUE(weft_test::is_collected(pid));
  EXPECT_TRUE(weft_test::has_default_action(SIGCHLD));
}

// R-EXE-6: a timeout terminates the command, and throws TimedOut.
TEST(RealTimeExecTest, ATimeoutTerminatesTheCommand) {
  weft::run([] {
    EXPECT_THROW(weft::exec({"sleep", "1000"}, {}, weft::timeout(20ms)), weft::TimedOut);
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

// R-EXE-7
TEST(ExecTest, ACommandThatCannotStartIsAnErrorThatNamesIt) {
  if (weft_test::is_under_valgrind()) GTEST_SKIP() << weft_test::valgrind_hides_failed_starts;
  weft::run([] {
    weft::exec({"true"});  // the loop has all it needs
    const std::size_t before = open_descriptors();
    try {
      weft::exec({"no-such-program-at-all"});
      FAIL() << "there is no such program";
    } catch (const std::system_error& error) {
      EXPECT_EQ(error.code().value(), ENOENT);
      EXPECT_NE(std::string{error.what()}.find("start no-such-program-at-all"), std::string::npos);
    }
    EXPECT_THROW(weft::exec({"ls"}, {.directory = "/no/such/place"}), std::system_error);
    EXPECT_THROW(weft::exec({"/etc/passwd"}), std::system_error);
    EXPECT_EQ(weft::stats().active_events, 0U);
    EXPECT_EQ(open_descriptors(), before);
    weft::ExecEvent event{{.argv = {"no-such-program-at-all"}}};
    EXPECT_THROW(event.start(), std::system_error);
    EXPECT_EQ(event.take_result().exit_code, -1);
  });
}

// R-EXE-7: an exception of the sink ends exec().
TEST(ExecTest, AnExceptionOfTheSinkTerminatesTheCommand) {
  int pid = -1;
  weft::run([&] {
    EXPECT_THROW(
        weft::exec_shell("echo $$; exec sleep 1000", {.mode = weft::ExecMode::show,
                                                      .sink =
                                                          [&](std::string_view text) {
                                                            pid = std::stoi(std::string{text});
                                                            throw std::runtime_error{"full"};
                                                          }}),
        std::runtime_error);
  });
  EXPECT_TRUE(weft_test::is_collected(pid));
}

// R-EXE-7, R-PRC-3
TEST(ExecTest, ACommandThatIsKilledReportsTheSignal) {
  weft::run([] {
    const auto result = weft::exec_shell("echo a; kill -KILL $$");
    EXPECT_EQ(result.output, "a\n");
    EXPECT_EQ(result.exit_code, -1);
    EXPECT_EQ(result.signal, SIGKILL);
    EXPECT_EQ(weft::exec_shell("kill -HUP $$").signal, SIGHUP);
    EXPECT_EQ(weft::exec_shell("kill -ABRT $$").signal, SIGABRT);
  });
}

TEST(ExecTest, RefusesWhatIsNoCommand) {
  weft::run([] {
    EXPECT_THROW(weft::exec({}), weft::ValueError);
    EXPECT_THROW(weft::exec({""}), weft::ValueError);
    EXPECT_THROW(weft::exec({"echo", std::string{"a\0b", 3}}), weft::ValueError);
    EXPECT_THROW(weft::exec({"echo"}, {.directory = std::string{"/\0", 2}}), weft::ValueError);
  });
}

// A child inherits its three standard streams only, even if other code has opened descriptors
// without O_CLOEXEC.
TEST(ExecTest, NoDescriptorLeaksIntoTheChild) {
  const int careless = ::open("/dev/null", O_RDONLY);  // without O_CLOEXEC
  const int far = ::fcntl(careless, F_DUPFD, 200);
  weft::run([] {
    // 3 is the directory that ls reads.
    const auto result = weft::exec({"ls", "/proc/self/fd"},
                                   {.mode = weft::ExecMode::lines, .stderr_ = weft::piped});
    EXPECT_EQ(result.lines, (Lines{"0", "1", "2", "3"}));
  });
  ::close(careless);
  ::close(far);
}

// A child inherits neither the signal mask nor ignored signals.
TEST(ExecTest, TheChildHasAnEmptyMaskAndTheDefaultForSigpipe) {
  sigset_t blocked;
  sigset_t before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  weft::run([] {
    const auto result = weft::exec({"grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"},
                                   {.mode = weft::ExecMode::lines});
    ASSERT_EQ(result.lines.size(), 2U);
    EXPECT_EQ(result.lines[0], "SigBlk:\t0000000000000000");
    const auto ignored = std::stoull(result.lines[1].substr(8), nullptr, 16);
    EXPECT_EQ(ignored & (1ULL << (SIGPIPE - 1)), 0U);
    EXPECT_NE(weft::exec_shell("yes | head -n 1; kill -PIPE $$").signal, 0);
  });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST(ExecTest, DirectoryAndEnvironmentAreTheOnesGiven) {
  weft::run([] {
    EXPECT_EQ(weft::exec({"pwd"}, {.directory = "/"}).output, "/\n");
    EXPECT_EQ(weft::exec({"env"}, {.environment = std::vector<std::string>{"A=1", "B=two"}}).output,
              "A=1\nB=two\n");
    EXPECT_EQ(weft::exec({"env"}, {.environment = std::vector<std::string>{}}).output, "");
  });
}

// Too much output is an error, before the memory is used up.
TEST(ExecTest, MoreOutputThanAllowedEndsTheCommand) {
  weft::run([] {
    for (const weft::ExecMode mode :
         {weft::ExecMode::whole, weft::ExecMode::lines, weft::ExecMode::last_line}) {
      try {
        weft::exec({mode == weft::ExecMode::last_line ? "cat" : "yes", "/dev/zero"},
                   {.mode = mode, .max_output = 100'000});
        FAIL() << "it never ends by itself";
      } catch (const std::system_error& error) {
        EXPECT_EQ(error.code().value(), ENOBUFS);
        EXPECT_NE(std::string{error.what()}.find("100000"), std::string::npos);
      }
    }
    EXPECT_THROW(weft::exec_shell("yes >&2", {.stderr_ = weft::piped, .max_output = 1000}),
                 std::system_error);
    EXPECT_EQ(weft::stats().active_events, 0U);
    EXPECT_EQ(weft::exec({"head", "-c", "1000", "/dev/zero"}, {.max_output = 1000}).output.size(),
              1000U)
        << "output of exactly the limit is allowed";
  });
}

// EMFILE is an error of exec().
TEST(ExecTest, NoDescriptorsLeftIsAnError) {
  if (!weft_test::descriptors_can_run_out()) GTEST_SKIP() << "not under checkers";
  weft::run([] {
    weft::exec({"true"});  // opens the descriptors that the loop keeps
    rlimit before{};
    ::getrlimit(RLIMIT_NOFILE, &before);
    rlimit low = before;
    low.rlim_cur = 3;
    ::setrlimit(RLIMIT_NOFILE, &low);
    try {
      weft::exec({"true"});
      ADD_FAILURE() << "there is no descriptor for a pipe";
    } catch (const std::system_error& error) {
      EXPECT_EQ(error.code().value(), EMFILE);
    }
    ::setrlimit(RLIMIT_NOFILE, &before);
    EXPECT_EQ(weft::exec({"true"}).exit_code, 0);
  });
}

// A program that has closed its standard streams: pipes must not get their numbers.
TEST(ExecTest, WorksInAProgramThatHasClosedItsStandardStreams) {
  const int pid = weft_test::start_child([] {
    int code = 1;
    weft::run([&] {
      weft::exec({"true"});  // creates the loop, for which libuv needs the numbers 0 to 2 in use
      ::close(0);
      ::close(1);
      ::close(2);
      const auto result = weft::exec_shell("echo out; echo err >&2", {.stderr_ = weft::piped});
      code = result.output == "out\n" && result.errors == "err\n" ? 42 : 2;
    });
    return code;
  });
  int status = 0;
  ::waitpid(pid, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 42);
}

// R-PRC-5: a program that ignores SIGCHLD, so that the kernel collects its children.
TEST(ExecTest, ReturnsTheExitCodeThoughTheProgramIgnoresItsChildren) {
  auto* const before = ::signal(SIGCHLD, SIG_IGN);
  weft::run([] { EXPECT_EQ(weft::exec_shell("exit 9").exit_code, 9); });
  EXPECT_EQ(weft_test::disposition(SIGCHLD).sa_handler, SIG_IGN);
  ::signal(SIGCHLD, before);
}

// R-OBS-3
TEST(ExecEventTest, DescribesItself) {
  const std::string long_word(100, 'x');
  EXPECT_EQ((weft::ExecEvent{{.argv = {"ls", "-l"}}}.info()), "Exec(cmd=ls -l)");
  EXPECT_EQ((weft::ExecEvent{{.argv = {"/bin/sh", "-c", "ls | wc"}}}.info()), "Exec(cmd=ls | wc)");
  EXPECT_EQ((weft::ExecEvent{{.argv = {long_word}}}.info()),
            "Exec(cmd=" + std::string(80, 'x') + ")");
}

// R-EVT-11, R-LIFE-3, R-EVT-14
TEST(ExecEventTest, ClosesWhenTheCommandHasEndedAndKeepsItsCode) {
  weft::run([] {
    weft::ExecEvent event{{.argv = {"/bin/sh", "-c", "echo a; exit 7"}}};
    EXPECT_EQ(event.pid(), -1) << "the command runs only after start()";
    weft::await(event);
    EXPECT_TRUE(event.is_closed());
    weft::Outcome outcome;
    ASSERT_TRUE(event.replay(outcome));
    EXPECT_EQ(*outcome.value<int>(), 7);
    EXPECT_TRUE(event.start()) << "a no-op";
    EXPECT_EQ(event.pid(), -1);
    EXPECT_EQ(event.take_result().output, "a\n");
  });
}

// R-HID-2
TEST(ExecEventTest, TwoStartsRunOneCommand) {
  weft::run([] {
    weft::ExecEvent event{{.argv = {"echo", "once"}}};
    event.start();
    event.start();
    weft::await(event);
    EXPECT_EQ(event.take_result().output, "once\n");
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

// A command takes real time: the virtual clock stands still while it runs.
TEST(ExecTest, TheVirtualClockDoesNotJumpOverARunningCommand) {
  weft::testing::run([] {
    const auto start = weft::now();
    EXPECT_EQ(weft::exec({"sleep", "0.02"}, {}, weft::timeout(1ms)).exit_code, 0);
    EXPECT_LT(weft::now() - start, 1ms);
    weft::delay(1h);
  });
}

// A shutdown cancels a detached coroutine, which terminates its command.
TEST(ExecTest, AShutdownTerminatesTheCommands) {
  weft::run([] {
    static_cast<void>(weft::spawn([] { weft::exec({"sleep", "1000"}); }));
    weft::testing::settle();
    EXPECT_FALSE(is_childless());
    weft::shutdown();
  });
  EXPECT_TRUE(is_childless());
}

TEST(ExecTest, ManyCommandsRunConcurrently) {
  weft::run([] {
    std::vector<weft::Coroutine<std::string>> running;
    running.reserve(30);
    for (int i = 0; i < 30; ++i) {
      running.push_back(weft::spawn([i] {
        return weft::exec({"echo", std::to_string(i)}).output;
      }));
    }
    for (int i = 0; i < 30; ++i) {
      EXPECT_EQ(weft::await(running[static_cast<std::size_t>(i)]), std::to_string(i) + "\n");
    }
  });
}

// R-CAN-1, R-EXE-6: an exploration cannot include real children, so each suspension is a case
// below.
TEST(ExecTest, CancellingAtAnySuspensionLeavesNothingBehind) {
  weft::run([] {
    weft::exec({"true"});  // the loop has all it needs
    const std::size_t before = open_descriptors();
    weft_test::Doorbell bell;
    int shown = 0;
    const auto waits_in_sink = [&](std::string_view) {
      ++shown;
      weft::await(bell);
    };
    const auto counts = [&](std::string_view) { ++shown; };
    const auto cancelled_when = [&](auto body, auto is_there) {
      shown = 0;
      auto runner = weft::spawn(body);
      while (!is_there()) weft::delay(1ms);
      runner.cancel();
      EXPECT_THROW(weft::await(runner), weft::Cancelled);
      EXPECT_EQ(weft::stats().active_events, 0U);
      EXPECT_EQ(open_descriptors(), before);
      while (!is_childless()) weft::delay(1ms);
    };
    const auto at_once = [] { return true; };
    const auto parked = [] {
      weft::testing::settle();
      return true;
    };
    const auto showing = [&] { return shown > 0; };
    cancelled_when([] { weft::exec({"sleep", "1000"}); }, at_once);
    cancelled_when([] { weft::exec({"sleep", "1000"}); }, parked);
    cancelled_when(
        [&] { weft::exec({"yes"}, {.mode = weft::ExecMode::show, .sink = waits_in_sink}); },
        showing);
    cancelled_when(
        [&] {
          weft::exec_shell("echo a; exec >&-; exec sleep 1000",
                           {.mode = weft::ExecMode::show, .sink = counts});
        },
        [&] {
          if (shown > 0) weft::delay(10ms);  // until the end of the output
          return shown > 0;
        });
    cancelled_when(
        [&] {  // the command has ended, and the sink gets the last output
          weft::exec_shell("echo a", {.mode = weft::ExecMode::show, .sink = waits_in_sink});
        },
        [&] { return shown > 0 && is_childless(); });
  });
}

}  // namespace
