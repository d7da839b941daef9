#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <linux/close_range.h>
#include <string>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "bridged.hpp"
#include "foreign/calls.hpp"
#include "support.hpp"
#include "temporary.hpp"

// Numbers of descriptors that are closed, replaced and given out again, seen and unseen.
namespace {

using weft_test::blocking;
using weft_test::Bridged;
using weft_test::Ends;
using weft_test::OwnDescriptor;
using weft_test::put;

class BridgeNumbersTest : public ::testing::Test {
  Bridged bridged_;
};
using RealTimeBridgeNumbersTest = BridgeNumbersTest;

/// Receives a byte, for which it has to wait.
void wait_for_a_byte(const Ends& ends) {
  auto reader = weft::spawn([&] {
    char byte = 0;
    EXPECT_EQ(foreign::recv(ends.here.get(), &byte, 1, 0), 1);
  });
  weft::testing::settle();
  put(ends.there.get(), "x");
  weft::await(reader);
}

void close_unseen(OwnDescriptor& descriptor) { ::syscall(SYS_close, descriptor.release()); }

// trap 38
TEST_F(BridgeNumbersTest, AFileThatReplacesASocketUnseenIsReadAndWritten) {
  weft::testing::run([&] {
    const weft_test::TemporaryDirectory directory;
    const std::string path = directory / "file";
    const auto replaced = [&](auto&& body) {
      const Ends ends = blocking(Ends::sockets());
      wait_for_a_byte(ends);
      const OwnDescriptor file{::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)};
      ::syscall(SYS_dup3, file.get(), ends.here.get(), 0);
      body(ends.here.get());
    };
    std::array<char, 8> to{};
    const iovec room{to.data(), 3};
    char text[] = "abc";
    const iovec part{text, 3};
    replaced([&](int number) { EXPECT_EQ(foreign::write(number, "abc", 3), 3); });
    replaced([&](int number) { EXPECT_EQ(foreign::read(number, to.data(), 3), 3); });
    replaced([&](int number) { EXPECT_EQ(foreign::writev(number, &part, 1), 3); });
    replaced([&](int number) { EXPECT_EQ(foreign::readv(number, &room, 1), 3); });
    EXPECT_STREQ(to.data(), "abc");
  });
}

TEST_F(BridgeNumbersTest, AStreamThatIsOpenedAnewIsWatchedAnew) {
  weft::testing::run([&] {
    const weft_test::TemporaryDirectory directory;
    const std::string path = directory / "pipe";
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    Ends ends = blocking(Ends::sockets());
    wait_for_a_byte(ends);
    const int number = ends.here.get();
    FILE* const stream = ::fdopen(ends.here.release(), "r+");
    ASSERT_EQ(foreign::freopen(path.c_str(), "r+", stream), stream);
    ASSERT_EQ(::fileno(stream), number);
    auto reader = weft::spawn([&] {
      char byte = 0;
      EXPECT_EQ(foreign::read(number, &byte, 1), 1);
    });
    weft::testing::settle();
    put(number, "x");
    weft::await(reader);
    foreign::fclose(stream);
  });
}

/// Sends `passed` to `pair.here`, where `receive(descriptor, message)` receives it. Returns its new
/// number.
template <class Receive>
int pass_a_descriptor(const Ends& pair, int passed, Receive receive) {
  char byte = 'x';
  iovec part{&byte, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(header), &passed, sizeof passed);
  ::sendmsg(pair.there.get(), &message, 0);
  receive(pair.here.get(), message);
  int got = -1;
  std::memcpy(&got, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof got);
  return got;
}

struct Maker {
  const char* name;
  std::function<int()> make;  // a descriptor that is not readable yet
  std::function<void(int)> make_readable;
};

// trap 38
TEST_F(RealTimeBridgeNumbersTest, ANumberThatWasClosedUnseenIsWatchedAgainWhateverItIsNow) {
  weft::run([&] {
    const weft_test::TemporaryDirectory directory;
    const std::string path = directory / "pipe";
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    const OwnDescriptor event{::eventfd(0, EFD_CLOEXEC)};
    const Ends pair = blocking(Ends::sockets());
    OwnDescriptor other;
    const auto other_end = [&](int* both) {
      other = OwnDescriptor{both[1]};
      return both[0];
    };
    const std::function<void(int)> to_other_end = [&](int) { put(other.get(), "12345678"); };
    const auto to_itself = [](int number) {
      const std::uint64_t one = 1;
      EXPECT_EQ(::write(number, &one, sizeof one), 8);
    };
    const Maker makers[] = {
        {"eventfd", [] { return foreign::eventfd(0, EFD_CLOEXEC); }, to_itself},
        {"timerfd", [] { return foreign::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC); },
         [](int number) {
           itimerspec soon{};
           soon.it_value.tv_nsec = 1'000'000;
           ::timerfd_settime(number, 0, &soon, nullptr);
         }},
        {"open", [&] { return foreign::open(path.c_str(), O_RDWR | O_CLOEXEC); }, to_itself},
        {"pipe",
         [&] {
           int both[2];
           foreign::pipe(both);
           return other_end(both);
         },
         to_other_end},
        {"pipe2",
         [&] {
           int both[2];
           foreign::pipe2(both, O_CLOEXEC);
           return other_end(both);
         },
         to_other_end},
        {"socketpair",
         [&] {
           int both[2];
           foreign::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both);
           return other_end(both);
         },
         to_other_end},
        {"recvmsg",
         [&] {
           return pass_a_descriptor(pair, event.get(), [](int from, msghdr& message) {
             foreign::recvmsg(from, &message, 0);
           });
         },
         to_itself},
        {"dup", [&] { return foreign::dup(event.get()); }, to_itself},
    };
    for (const Maker& maker : makers) {
      Ends ends = blocking(Ends::sockets());
      wait_for_a_byte(ends);
      const int number = ends.here.get();
      close_unseen(ends.here);
      const OwnDescriptor fresh{maker.make()};
      ASSERT_EQ(fresh.get(), number) << maker.name;
      bool is_read = false;
      auto reader = weft::spawn([&] {
        std::array<char, 8> to{};
        EXPECT_EQ(foreign::read(number, to.data(), to.size()), 8) << maker.name;
        is_read = true;
      });
      weft::suspend();
      EXPECT_FALSE(is_read) << maker.name;
      maker.make_readable(number);
      weft::await(reader);
      other.reset();
    }
  });
}

TEST_F(BridgeNumbersTest, ASocketThatAMessageBringsIsWatchedAnew) {
  weft::testing::run([&] {
    const auto receive_one = [](int from, msghdr& message) {
      EXPECT_EQ(foreign::recvmsg(from, &message, 0), 1);
    };
    const auto receive_many = [](int from, msghdr& message) {
      mmsghdr one{message, 0};
      EXPECT_EQ(foreign::recvmmsg(from, &one, 1, 0, nullptr), 1);
    };
    const std::function<void(int, msghdr&)> all[] = {receive_one, receive_many};
    for (const auto& receive : all) {
      const Ends pair = blocking(Ends::sockets());
      const Ends passed = blocking(Ends::sockets());
      Ends ends = blocking(Ends::sockets());
      wait_for_a_byte(ends);
      const int number = ends.here.get();
      close_unseen(ends.here);
      const OwnDescriptor fresh{pass_a_descriptor(pair, passed.here.get(), receive)};
      ASSERT_EQ(fresh.get(), number);
      auto reader = weft::spawn([&] {
        char byte = 0;
        EXPECT_EQ(foreign::recv(number, &byte, 1, 0), 1);
      });
      weft::testing::settle();
      put(passed.there.get(), "x");
      weft::await(reader);
    }
  });
}

/// A coroutine that waits for `number` while `act` runs; its errno, 0 if it still waits.
template <class F>
int error_of_a_reader(int number, F act) {
  int error = 0;
  auto reader = weft::spawn([&] {
    char byte = 0;
    if (foreign::recv(number, &byte, 1, 0) < 0) error = errno;
  });
  weft::testing::settle();
  act();
  weft::testing::settle();
  const int result = error;
  if (result == 0) {
    reader.cancel();
    weft::testing::settle();
  }
  return result;
}

// trap 37
TEST_F(BridgeNumbersTest, CallsThatCloseANumberEndItsWaits) {
  weft::testing::run([&] {
    const auto number_of = [](const Ends& ends) {
      return ::fcntl(ends.here.get(), F_DUPFD_CLOEXEC, 900);
    };
    const Ends ends = blocking(Ends::sockets());
    int number = number_of(ends);
    const auto first = static_cast<unsigned>(number);
    EXPECT_EQ(error_of_a_reader(number, [&] { foreign::close_range(first, ~0U, 0); }), EBADF);
    number = number_of(ends);
    EXPECT_EQ(error_of_a_reader(number, [&] { foreign::closefrom(number); }), EBADF);
    number = number_of(ends);
    EXPECT_EQ(
        error_of_a_reader(number, [&] { foreign::dup3(ends.there.get(), number, O_CLOEXEC); }),
        EBADF);
    EXPECT_EQ(error_of_a_reader(number, [&] { foreign::dup2(ends.there.get(), number); }), EBADF);
    FILE* const stream = ::fdopen(number, "r+");
    EXPECT_EQ(error_of_a_reader(number, [&] { foreign::fclose(stream); }), EBADF);
  });
}

TEST_F(BridgeNumbersTest, CallsThatCloseNothingEndNoWait) {
  weft::testing::run([&] {
    const Ends ends = blocking(Ends::sockets());
    const int number = ends.here.get();
    const auto first = static_cast<unsigned>(number);
    EXPECT_EQ(
        error_of_a_reader(number, [&] { foreign::close_range(first, first, CLOSE_RANGE_CLOEXEC); }),
        0);
    EXPECT_EQ(error_of_a_reader(number, [&] { EXPECT_EQ(foreign::dup2(-1, number), -1); }), 0);
    EXPECT_EQ(error_of_a_reader(number, [&] { EXPECT_EQ(foreign::dup3(-1, number, 0), -1); }), 0);
    EXPECT_EQ(error_of_a_reader(number,
                                [&] { EXPECT_EQ(foreign::dup3(ends.there.get(), number, 1), -1); }),
              0);
    EXPECT_EQ(error_of_a_reader(number, [&] { foreign::dup2(number, number); }), 0);
  });
}

TEST_F(BridgeNumbersTest, ACloseThatSucceedsLeavesErrnoAlone) {
  weft::testing::run([&] {
    const Ends ends = blocking(Ends::sockets());
    const OwnDescriptor more{::dup(ends.here.get())};
    for (const int number : {ends.here.get(), more.get()}) {
      auto reader = weft::spawn([number] {
        char byte = 0;
        foreign::recv(number, &byte, 1, 0);
      });
      weft::testing::settle();
      errno = 7'777;
      foreign::dup2(ends.there.get(), number);
      EXPECT_EQ(errno, 7'777);
      weft::await(reader);
    }
  });
}

TEST_F(BridgeNumbersTest, TheModeThatIoctlSetsIsSeen) {
  weft::testing::run([&] {
    const Ends ends = blocking(Ends::sockets());
    wait_for_a_byte(ends);
    int is_on = 1;
    ASSERT_EQ(foreign::ioctl(ends.here.get(), FIONBIO, &is_on), 0);
    char byte = 0;
    EXPECT_EQ(foreign::recv(ends.here.get(), &byte, 1, 0), -1);
    EXPECT_EQ(errno, EAGAIN);
    is_on = 0;
    ASSERT_EQ(foreign::ioctl(ends.here.get(), FIONBIO, &is_on), 0);
    wait_for_a_byte(ends);
  });
}

}  // namespace
