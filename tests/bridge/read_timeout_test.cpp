#include <cerrno>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "bridged.hpp"
#include "foreign/calls.hpp"
#include "support.hpp"

// set_read_timeout(): pipes have no SO_RCVTIMEO.
namespace {

using namespace std::chrono_literals;
using weft::bridge::has_read_timed_out;
using weft::bridge::set_read_timeout;
using weft_test::blocking;
using weft_test::Bridged;
using weft_test::Ends;
using weft_test::put;

/// 1 for a byte, 0 at the end, or the negative errno.
long read_one(int descriptor) {
  char byte = 0;
  errno = 0;
  const ssize_t got = foreign::read(descriptor, &byte, 1);
  return got < 0 ? -errno : got;
}

class RealTimeBridgeReadTimeoutTest : public ::testing::Test {
 protected:
  RealTimeBridgeReadTimeoutTest() : pipe_{blocking(Ends::pipe())} {}
  [[nodiscard]] int here() const { return pipe_.here.get(); }
  [[nodiscard]] int there() const { return pipe_.there.get(); }
  Ends& pipe() { return pipe_; }

 private:
  Bridged bridged_;
  Ends pipe_;
};

TEST_F(RealTimeBridgeReadTimeoutTest, EndsAReadOfAPipeThatStaysUsable) {
  weft::run([&] {
    set_read_timeout(here(), 20ms);
    EXPECT_FALSE(has_read_timed_out(here()));
    const auto start = weft::now();
    EXPECT_EQ(read_one(here()), -EAGAIN);
    EXPECT_GE(weft::now() - start, 20ms);
    EXPECT_TRUE(has_read_timed_out(here()));
    EXPECT_TRUE(weft_test::blocks(here()));
    put(there(), "x");
    EXPECT_EQ(read_one(here()), 1);
    EXPECT_FALSE(has_read_timed_out(here()));
  });
}

TEST_F(RealTimeBridgeReadTimeoutTest, LetsOtherCoroutinesRunMeanwhile) {
  weft::run([&] {
    set_read_timeout(here(), 10s);
    auto reader = weft::spawn([&] { return read_one(here()); });
    auto writer = weft::spawn([&] { put(there(), "x"); });
    EXPECT_EQ(weft::await(reader), 1);
    EXPECT_FALSE(has_read_timed_out(here()));
    weft::await(writer);
  });
}

TEST_F(RealTimeBridgeReadTimeoutTest, SeesTheEndOfThePipe) {
  weft::run([&] {
    set_read_timeout(here(), 10s);
    auto reader = weft::spawn([&] { return read_one(here()); });
    weft::suspend();
    foreign::close(pipe().there.release());
    EXPECT_EQ(weft::await(reader), 0);
  });
}

TEST_F(RealTimeBridgeReadTimeoutTest, HoldsForOneDescriptor) {
  const Ends other = blocking(Ends::pipe());
  weft::run([&] {
    set_read_timeout(here(), 1ms);
    auto waiting = weft::spawn([&] { return read_one(other.here.get()); });
    EXPECT_EQ(read_one(here()), -EAGAIN);
    EXPECT_FALSE(waiting.is_completed());
    EXPECT_FALSE(has_read_timed_out(other.here.get()));
    put(other.there.get(), "x");
    EXPECT_EQ(weft::await(waiting), 1);
  });
}

TEST_F(RealTimeBridgeReadTimeoutTest, ZeroTakesItBack) {
  weft::run([&] {
    set_read_timeout(here(), 1ms);
    EXPECT_EQ(read_one(here()), -EAGAIN);
    set_read_timeout(here(), 0ns);
    EXPECT_FALSE(has_read_timed_out(here()));
    auto reader = weft::spawn([&] { return read_one(here()); });
    weft::delay(5ms);
    EXPECT_FALSE(reader.is_completed());
    put(there(), "x");
    EXPECT_EQ(weft::await(reader), 1);
  });
}

TEST_F(RealTimeBridgeReadTimeoutTest, EndsWithItsDescriptor) {
  weft::run([&] {
    const int number = here();
    set_read_timeout(number, 1ms);
    EXPECT_EQ(read_one(number), -EAGAIN);
    foreign::close(pipe().here.release());
    const Ends next = blocking(Ends::pipe());
    ASSERT_EQ(next.here.get(), number) << "the next pipe has the number of the closed one";
    EXPECT_FALSE(has_read_timed_out(number));
    auto reader = weft::spawn([&] { return read_one(number); });
    weft::delay(5ms);
    EXPECT_FALSE(reader.is_completed());
    put(next.there.get(), "x");
    EXPECT_EQ(weft::await(reader), 1);
  });
}

TEST_F(RealTimeBridgeReadTimeoutTest, HoldsForASocketToo) {
  const Ends ends = blocking(Ends::sockets());
  weft::run([&] {
    set_read_timeout(ends.here.get(), 1ms);
    char byte = 0;
    EXPECT_EQ(foreign::recv(ends.here.get(), &byte, 1, 0), -1);
    EXPECT_EQ(errno, EAGAIN);
    EXPECT_TRUE(has_read_timed_out(ends.here.get()));
  });
}

TEST_F(RealTimeBridgeReadTimeoutTest, StaysWhenTheChildOfAVforkClosesItsDescriptor) {
  weft::run([&] {
    set_read_timeout(here(), 30ms);
    const pid_t child = ::vfork();
    if (child == 0) {
      foreign::close(here());
      foreign::close_range(static_cast<unsigned>(here()), static_cast<unsigned>(here()), 0);
      ::_exit(0);
    }
    std::thread writer{[&] {  // ends a wait without the timeout
      std::this_thread::sleep_for(200ms);
      put(there(), "x");
    }};
    EXPECT_EQ(read_one(here()), -EAGAIN);
    writer.join();
    ::waitpid(child, nullptr, 0);
  });
}

}  // namespace
