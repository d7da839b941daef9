#include <cerrno>
#include <string>
#include <sys/socket.h>

#include <gtest/gtest.h>

#include "bridged.hpp"
#include "foreign/calls.hpp"
#include "weft/extend/embed.hpp"

// Descriptors that are closed, and whose numbers pass to other files, while calls of coroutines are
// under way.
namespace {

using weft_test::blocking;
using weft_test::Bridged;
using weft_test::Ends;

/// Closes `old`, opens a pair of sockets, and returns it: its first end has the number of `old`.
Ends replace(weft_test::OwnDescriptor& old) {
  const int number = old.get();
  foreign::close(old.release());
  Ends ends = blocking(Ends::sockets());
  EXPECT_EQ(ends.here.get(), number);
  return ends;
}

TEST(BridgeClosing, AReceiveThatIsWokenDoesNotReadFromTheNextFileOfItsNumber) {
  const Bridged bridged;
  weft::testing::run([] {
    Ends ends = blocking(Ends::sockets());
    ssize_t got = 0;
    int error = 0;
    auto reader = weft::spawn([&, number = ends.here.get()] {
      char byte = 0;
      got = foreign::recv(number, &byte, 1, 0);
      error = errno;
    });
    weft::testing::settle();
    ASSERT_EQ(foreign::send(ends.there.get(), "o", 1, 0), 1);
    weft::tick_reactor();  // the reader is queued, and has not run
    const Ends next = replace(ends.here);
    ASSERT_EQ(foreign::send(next.there.get(), "n", 1, 0), 1);
    weft::await(reader);
    EXPECT_EQ(got, -1);
    EXPECT_EQ(error, EBADF);
    char byte = 0;
    EXPECT_EQ(foreign::recv(next.here.get(), &byte, 1, 0), 1);
    EXPECT_EQ(byte, 'n');
  });
}

TEST(BridgeClosing, ASendThatIsWokenDoesNotWriteToTheNextFileOfItsNumber) {
  const Bridged bridged;
  weft::testing::run([] {
    Ends ends = blocking(Ends::sockets());
    std::string data(1'000'000, 's');
    ssize_t sent = 0;
    auto writer = weft::spawn([&, number = ends.here.get()] {
      sent = foreign::send(number, data.data(), data.size(), MSG_NOSIGNAL);
    });
    weft::testing::settle();
    std::string sink(1'000'000, '\0');
    ASSERT_GT(::recv(ends.there.get(), sink.data(), sink.size(), MSG_DONTWAIT), 0);
    weft::tick_reactor();  // the writer is queued, and has not run
    const Ends next = replace(ends.here);
    weft::await(writer);
    EXPECT_GT(sent, 0);
    EXPECT_LT(sent, 1'000'000);
    EXPECT_EQ(::recv(next.there.get(), sink.data(), sink.size(), MSG_DONTWAIT), -1);
  });
}

TEST(BridgeClosing, TheNextFileOfANumberIsNotInUseByAWaitForTheLastOne) {
  const Bridged bridged;
  weft::testing::run([] {
    Ends ends = blocking(Ends::sockets());
    auto reader = weft::spawn([number = ends.here.get()] {
      char byte = 0;
      EXPECT_EQ(foreign::recv(number, &byte, 1, 0), -1);
    });
    weft::testing::settle();
    const Ends next = replace(ends.here);  // the reader is queued, and has not run
    ASSERT_EQ(foreign::send(next.there.get(), "n", 1, 0), 1);
    char byte = 0;
    EXPECT_EQ(foreign::recv(next.here.get(), &byte, 1, 0), 1);
    EXPECT_EQ(byte, 'n');
    weft::await(reader);
  });
}

}  // namespace
