// weft inside a program that has a loop of its own.
//
// The program waits with poll(2) for its own descriptors, here a pipe. It makes a Runtime, lets it
// run with tick(), and adds the runtime's descriptor to its list: that is readable when a coroutine
// is ready or something happened outside. It sleeps no longer than until the runtime's next timer.

#include <algorithm>
#include <array>
#include <chrono>
#include <iostream>
#include <poll.h>
#include <unistd.h>

#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

// The program's own business: reads what arrived in its pipe.
void handle_pipe(int descriptor) {
  std::array<char, 16> bytes{};
  const ssize_t size = ::read(descriptor, bytes.data(), bytes.size());
  std::cout << "loop: " << size << " byte arrived\n";
}

// How long the program may sleep, as poll(2) wants it: -1 is for ever.
int milliseconds_to_sleep(const weft::Runtime& runtime) {
  if (runtime.next_deadline() == weft::never) return -1;
  const auto wait = runtime.next_deadline() - weft::now();
  return std::max(0, static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(wait).count()));
}

// Sleeps until the pipe or the runtime has something to do.
void wait(int pipe_end, weft::Runtime& runtime) {
  std::array<pollfd, 2> watched{pollfd{pipe_end, POLLIN, 0},
                                pollfd{runtime.descriptor(), POLLIN, 0}};
  ::poll(watched.data(), watched.size(), milliseconds_to_sleep(runtime));
  if ((watched[0].revents & POLLIN) != 0) handle_pipe(pipe_end);
}

}  // namespace

int main() {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return 1;

  weft::Runtime runtime;
  runtime.spawn([&] {
    for (int step = 1; step <= 3; ++step) {
      weft::delay(5ms);
      std::cout << "coroutine: step " << step << "\n";
      if (::write(ends[1], "x", 1) != 1) return;
    }
    weft::delay(5ms);
    std::cout << "coroutine: done\n";
  });
  while (runtime.tick()) wait(ends[0], runtime);
  runtime.finish();

  ::close(ends[0]);
  ::close(ends[1]);
}

// Prints:
//   coroutine: step 1
//   loop: 1 byte arrived
//   coroutine: step 2
//   loop: 1 byte arrived
//   coroutine: step 3
//   loop: 1 byte arrived
//   coroutine: done
