#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "weft/testing.hpp"
#include "weft/weft.hpp"

// Runs in a process of its own, whose address space it limits.

namespace {

using namespace std::chrono_literals;

constexpr std::size_t mebibyte = std::size_t{1024} * 1024;

/// From now on the process may map `room` more bytes.
void leave_room(std::size_t room) {
  std::size_t pages = 0;
  std::ifstream{"/proc/self/statm"} >> pages;
  rlimit limit{};
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + room;
  setrlimit(RLIMIT_AS, &limit);
}

/// A listener that accepts a connection for each number in the channel.
struct NumberDoor {
  int accept(weft::Token token, weft::Place place) { return line.recv(token, place); }
  weft::Channel<int> line{1'000};
};

int serve_many_with_little_memory() {
  NumberDoor door;
  weft::Trigger stop;
  weft::ServeCounts counts;
  std::uint64_t served = 0;
  std::uint64_t served_later = 0;
  weft::Options options;
  options.stack_size = 8 * mebibyte;
  leave_room(256 * mebibyte);
  weft::testing::run(
      [&] {
        weft::spawn([&] {
          for (int i = 0; i < 500; ++i) door.line.send(i);
          weft::delay(1min);
          served_later = served;
          door.line.send(0);
          weft::delay(1min);
          served_later = served - served_later;
          stop.fire();
        });
        weft::serve(door,
                    [&](int) {
                      weft::delay(1s);
                      ++served;
                    },
                    {.max_connections = 1'000,
                     .stop = stop,
                     .on_error = [](std::exception_ptr) {},
                     .counts = &counts});
      },
      options);
  const bool all = counts.accepted == 501 && served + counts.failed == 501 && counts.failed > 0;
  std::fprintf(stderr, "served %d, failed %d\n", static_cast<int>(served),
               static_cast<int>(counts.failed));
  return all && served_later == 1 ? 0 : 1;
}

}  // namespace

TEST(ServeNoStackDeathTest, GoesOnWhenThereIsNoStackForAConnection) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(std::_Exit(serve_many_with_little_memory()), ::testing::ExitedWithCode(0), "");
}
