#include <fcntl.h>
#include <string>
#include <sys/socket.h>
#include <thread>

#include <gtest/gtest.h>

#include "descriptors.hpp"
#include "half.hpp"
#include "support.hpp"
#include "temporary.hpp"
#include "weft/extend/io_request.hpp"

// Writes that are not awaited: write_and_forget().
namespace {

using namespace std::chrono_literals;
using weft::Io;
using weft::IoRequest;
using weft::Ref;
using weft_test::Ends;
using weft_test::Half;
using weft_test::TemporaryDirectory;

// R-IO-19
TEST(ForgottenWriteTest, GivesItsMemoryBackOnce) {
  const TemporaryDirectory directory;
  weft::testing::run([&] {
    const Half half = Half::sockets();
    half.io->set_option(SOL_SOCKET, SO_SNDBUF, 1);
    int done = 0;
    half.io->write_and_forget("at once", [&] { ++done; });
    EXPECT_EQ(done, 1);
    const std::string much(1'000'000, 'x');
    half.io->write_and_forget(much, [&] { ++done; });
    half.io->write_and_forget("in line", [&] { ++done; });
    EXPECT_EQ(done, 1);
    std::string got;
    while (got.size() < much.size() + 14) {
      weft::delay(1ms);
      got += weft_test::take(half.there.get());
    }
    EXPECT_EQ(done, 3);
    EXPECT_TRUE(got == "at once" + much + "in line");
    half.io->write_and_forget(much, [&] { ++done; });
    half.io->write_and_forget("never", [&] { ++done; });
    half.io->close();
    EXPECT_EQ(done, 5);
    const Half broken = Half::sockets();
    ::shutdown(broken.there.get(), SHUT_RDWR);
    broken.io->write_and_forget("fails", [&] { ++done; });
    EXPECT_EQ(done, 6);
    const Ref<IoRequest> opened = Io::open(directory / "file", O_RDWR | O_CREAT);
    weft::await(*opened);
    opened->io()->write_and_forget("to a file", [&] { ++done; });
    opened->io()->write_and_forget("to a file", [&] { ++done; });
    opened->io()->close();  // under the worker
    while (done < 8) weft::delay(1ms);
  });
}

// R-IO-19: the runtime ends while the handle is open.
TEST(ForgottenWriteTest, GivesItsMemoryBackWithTheRuntime) {
  Ends ends = Ends::sockets();
  const int number = ends.here.release();
  weft_test::fill(number);
  int given_back = 0;
  weft::testing::run([&] {
    const Ref<Io> io = Io::adopt(number);
    io->write_and_forget("waits for room", [&] { ++given_back; });
    io->write_and_forget("waits for its turn", [&] { ++given_back; });
  });
  EXPECT_EQ(given_back, 2);
  EXPECT_FALSE(weft_test::is_open(number));
}

// R-IO-19, R-DLK-1
TEST(ForgottenWriteTest, IsNoDeadlockForTheWaiterOfItsMemory) {
  const TemporaryDirectory directory;
  weft::testing::run([&] {
    const Ref<IoRequest> opened = Io::open(directory / "file", O_RDWR | O_CREAT);
    weft::await(*opened);
    const std::string much(10'000'000, 'x');
    for (const bool closed : {false, true}) {
      weft_test::Doorbell done;
      opened->io()->write_and_forget(much, [&] { done.ring(); });
      if (closed) opened->io()->close();  // under the worker
      weft::await(done);
    }
    const Half half = Half::sockets();
    const std::size_t filled = weft_test::fill(half.io->descriptor());
    weft_test::Doorbell done;
    half.io->write_and_forget("waits for room", [&] { done.ring(); });
    std::thread reader{[&] {
      for (std::size_t got = 0; got < filled;) got += weft_test::drain(half.there.get());
    }};
    weft::await(done);
    reader.join();
  });
}

}  // namespace
