#include <array>
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <thread>

#include <gtest/gtest.h>

#include "bridged.hpp"
#include "failures.hpp"
#include "foreign/calls.hpp"

// Calls at the end of a thread and of the program, and the end of the bridge among calls.
namespace {

using weft_test::blocking;
using weft_test::Bridged;
using weft_test::Ends;
using weft_test::error_of;

/// A coroutine that has to wait for what another one sends. True: it did, and got it.
bool talks() {
  bool waited = false;
  bool got = false;
  weft::run([&] {
    const Ends ends = blocking(Ends::sockets());
    auto reader = weft::spawn([&] {
      char byte = 0;
      got = foreign::recv(ends.here.get(), &byte, 1, 0) == 1 && byte == 'x';
    });
    auto writer = weft::spawn([&] {
      waited = !got;
      foreign::send(ends.there.get(), "x", 1, 0);
    });
    weft::await(writer);
    weft::await(reader);
    const hostent* const host = foreign::gethostbyname("127.0.0.1");
    got = got && host != nullptr && host->h_addr_list[0][3] == 1;
  });
  return waited && got;
}

struct TalksAtItsEnd {
  explicit TalksAtItsEnd(bool& result) noexcept : result_{result} {}
  ~TalksAtItsEnd() { result_ = talks(); }
  TalksAtItsEnd(const TalksAtItsEnd&) = delete;
  TalksAtItsEnd& operator=(const TalksAtItsEnd&) = delete;

 private:
  bool& result_;
};

TEST(BridgeEndTest, ADestructorAtTheEndOfAThreadWaitsAsBefore) {
  const Bridged bridged;
  bool first = false;
  bool at_end = false;
  std::thread{[&] {
    const thread_local TalksAtItsEnd made_first{at_end};  // and destroyed last
    static_cast<void>(made_first);
    first = talks();
  }}.join();
  EXPECT_TRUE(first);
  EXPECT_TRUE(at_end);
}

TEST(BridgeEndTest, TheEndOfAKeyOfAThreadWaitsAsBefore) {
  const Bridged bridged;
  std::array<int, 2> talked{};  // times, and times well
  pthread_key_t key{};
  ASSERT_EQ(::pthread_key_create(&key,
                                 [](void* ended) {
                                   auto& counts = *static_cast<std::array<int, 2>*>(ended);
                                   ++counts[0];
                                   if (talks()) ++counts[1];
                                 }),
            0);
  std::thread{[&] {
    if (talks()) ::pthread_setspecific(key, &talked);  // made last, so it ends last
  }}.join();
  ::pthread_key_delete(key);
  EXPECT_EQ(talked[0], 1);
  EXPECT_EQ(talked[1], 1);
}

void talk_at_exit() { std::fputs(talks() ? "talked at exit\n" : "failed at exit\n", stderr); }

void end_with_a_handler() {
  weft::bridge::install();
  std::atexit(&talk_at_exit);
  FILE* const command = foreign::popen("true", "r");  // so that there is something to destroy
  foreign::pclose(command);
  std::exit(talks() ? 0 : 1);
}

TEST(BridgeEndTest, AHandlerOfExitWaitsAsBefore) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(end_with_a_handler(), ::testing::ExitedWithCode(0), "talked at exit");
}

void uninstall_at_exit() {
  weft::bridge::uninstall();
  std::fputs(weft::bridge::report().slots() == 0 ? "uninstalled\n" : "still there\n", stderr);
}

void end_and_uninstall() {
  std::atexit(&uninstall_at_exit);
  weft::bridge::install();
  std::exit(talks() ? 0 : 1);
}

TEST(BridgeEndTest, AHandlerOfExitMayUninstall) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(end_and_uninstall(), ::testing::ExitedWithCode(0), "uninstalled");
}

/// The program ends in a coroutine, while another one waits in a call.
void exit_in_a_coroutine() {
  weft::bridge::install();
  weft::run([] {
    const Ends ends = blocking(Ends::sockets());
    auto reader = weft::spawn([&] {
      char byte = 0;
      foreign::recv(ends.here.get(), &byte, 1, 0);
    });
    weft::testing::settle();
    std::exit(5);
  });
}

TEST(BridgeEndTest, TheProgramMayEndWhileACallWaits) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(exit_in_a_coroutine(), ::testing::ExitedWithCode(5), "");
}

TEST(BridgeEndTest, CallsThatWaitWhenTheBridgeLeavesEndAsTheyWouldHave) {
  weft::testing::run([&] {
    weft::bridge::install();
    const Ends one = blocking(Ends::sockets());
    const Ends two = blocking(Ends::sockets());
    const Ends three = blocking(Ends::sockets());
    char byte = 0;
    auto receives = weft::spawn([&] {
      EXPECT_EQ(foreign::recv(one.here.get(), &byte, 1, 0), 1);
      EXPECT_EQ(byte, 'x');
    });
    auto polls = weft::spawn([&] {
      pollfd query{two.here.get(), POLLIN, 0};
      EXPECT_EQ(foreign::poll(&query, 1, -1), 1);
    });
    auto sleeps = weft::spawn([&] { EXPECT_EQ(foreign::usleep(1'000), 0); });
    auto is_cancelled = weft::spawn([&] {
      char other = 0;
      EXPECT_EQ(foreign::recv(three.here.get(), &other, 1, 0), -1);
      EXPECT_EQ(errno, ECANCELED);
    });
    weft::testing::settle();
    weft::bridge::uninstall();
    weft_test::put(one.there.get(), "x");
    weft_test::put(two.there.get(), "y");
    weft::await(receives);
    weft::await(polls);
    weft::await(sleeps);
    is_cancelled.cancel();
    error_of([&] { weft::await(is_cancelled); });
    EXPECT_EQ(weft::stats().active_events, 0U);
  });
}

}  // namespace
