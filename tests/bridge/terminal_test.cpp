#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <termios.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "conformance.hpp"

// Terminals: their settings say when a read() ends, and a write() waits for the other side.
namespace {

using namespace std::chrono_literals;
using weft_test::Case;
using weft_test::OwnDescriptor;
using weft_test::Partner;
using weft_test::Seen;
using weft_test::took;

/// A pseudo terminal: what is written to one side is read on the other one.
struct Terminal {
  OwnDescriptor master{::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)};
  OwnDescriptor slave;

  Terminal() {
    ::grantpt(master.get());
    ::unlockpt(master.get());
    slave = OwnDescriptor{::open(::ptsname(master.get()), O_RDWR | O_NOCTTY | O_CLOEXEC)};
    set(1, 0);
  }
  /// Without lines: a read() ends with `least` bytes, or when `tenths` of a second have passed.
  void set(unsigned char least, unsigned char tenths) const {
    termios settings{};
    ::tcgetattr(slave.get(), &settings);
    ::cfmakeraw(&settings);
    settings.c_cc[VMIN] = least;
    settings.c_cc[VTIME] = tenths;
    ::tcsetattr(slave.get(), TCSANOW, &settings);
  }
};

const Case terminal_cases[] = {
    {"read_waits_for_one_byte",
     [](Seen& seen) {
       const Terminal terminal;
       const Partner partner{[&] { weft_test::put(terminal.master.get(), "abc"); }};
       std::array<char, 8> to{};
       seen.call("read", foreign::read(terminal.slave.get(), to.data(), to.size()));
       seen.note("it", to.data()).note("blocks", weft_test::blocks(terminal.slave.get()));
     }},
    {"read_that_need_not_find_a_byte",
     [](Seen& seen) {
       const Terminal terminal;
       terminal.set(0, 0);
       std::array<char, 8> to{};
       const iovec part{to.data(), to.size()};
       seen.call("nothing", foreign::read(terminal.slave.get(), to.data(), to.size()));
       seen.call("readv", foreign::readv(terminal.slave.get(), &part, 1));
       weft_test::put(terminal.master.get(), "abc");
       seen.call("read", foreign::read(terminal.slave.get(), to.data(), to.size()));
     }},
    {"read_with_a_time",
     [](Seen& seen) {
       const Terminal terminal;
       terminal.set(0, 1);
       std::array<char, 8> to{};
       const auto start = std::chrono::steady_clock::now();
       seen.call("nothing", foreign::read(terminal.slave.get(), to.data(), to.size()));
       seen.note("took", took(start, 90ms));
       terminal.set(0, 100);
       const Partner partner{[&] { weft_test::put(terminal.master.get(), "abc"); }};
       seen.call("read", foreign::read(terminal.slave.get(), to.data(), to.size()));
     }},
    {"write_writes_all",
     [](Seen& seen) {
       const Terminal terminal;
       const std::string text(200'000, 't');
       std::string half(100'000, 't');
       const std::array<iovec, 2> parts{iovec{half.data(), half.size()},
                                        iovec{half.data(), half.size()}};
       for (const bool is_one_part : {true, false}) {
         std::size_t got = 0;
         const Partner partner{[&] {
           while (got < text.size()) got += weft_test::take(terminal.master.get()).size();
         }};
         seen.call("write", is_one_part
                                ? foreign::write(terminal.slave.get(), text.data(), text.size())
                                : foreign::writev(terminal.slave.get(), parts.data(), 2));
       }
       seen.note("blocks", weft_test::blocks(terminal.slave.get()));
     }},
};

class BridgeTerminalTest : public ::testing::TestWithParam<Case> {};

// trap 57
TEST_P(BridgeTerminalTest, SeesTheSameWithAndWithoutTheBridge) {
  weft_test::expect_the_same(GetParam());
}

INSTANTIATE_TEST_SUITE_P(RealTime, BridgeTerminalTest, ::testing::ValuesIn(terminal_cases),
                         [](const auto& one) { return std::string{one.param.name}; });

TEST(BridgeTerminals, OthersRunWhileOneWritesToATerminalThatIsNotRead) {
  const weft_test::Bridged bridged;
  weft::testing::run([&] {
    const Terminal terminal;
    ::fcntl(terminal.master.get(), F_SETFL, O_RDWR | O_NONBLOCK);
    const std::string text(200'000, 't');
    bool is_written = false;
    auto writer = weft::spawn([&] {
      EXPECT_EQ(foreign::write(terminal.slave.get(), text.data(), text.size()),
                static_cast<ssize_t>(text.size()));
      is_written = true;
    });
    weft::testing::settle();
    EXPECT_FALSE(is_written);
    std::size_t got = 0;
    while (got < text.size()) {
      weft::await(weft::poll(terminal.master.get(), weft::Poll::readable));
      got += weft_test::take(terminal.master.get()).size();
    }
    weft::await(writer);
  });
}

}  // namespace
