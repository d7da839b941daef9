// Coroutines hand values to each other through channels, and choose with select().
//
// A reader sends lines into a channel, and main takes them from there. A worker offers squares in a
// rendezvous, and main waits for the next one or for a time, whichever comes first.

#include <chrono>
#include <iostream>
#include <string>

#include <weft/weft.hpp>

using namespace std::chrono_literals;

int main() {
  weft::run([] {
    weft::Channel<std::string> lines{2};  // holds two; the third send waits
    weft::Channel<int> squares;           // a rendezvous: send() returns when the value is taken

    // What uses the channels ends before they do, however this ends.
    weft::with_scope([&](weft::Scope& scope) {
      scope.spawn([&] {
        for (const char* line : {"warp", "weft", "shuttle"}) lines.send(line);
        lines.close();
      });
      for (std::string line : lines) std::cout << line << "\n";  // ends when closed and empty

      scope.spawn([&] {
        for (int i = 1; i <= 3; ++i) squares.send(i * i);
      });
      bool idle = false;
      while (!idle) {
        weft::select(
            weft::on_recv(squares, [](int square) { std::cout << "square " << square << "\n"; }),
            weft::on(weft::timeout(20ms), [&] { idle = true; }));
      }
      std::cout << "nothing more\n";

      scope.spawn([&] {
        try {
          squares.recv();
        } catch (const weft::ChannelClosed& closed) {
          std::cout << closed.what() << "\n";
        }
      });
      weft::suspend();
      squares.close();
    });
  });
}

// Prints:
//   warp
//   weft
//   shuttle
//   square 1
//   square 4
//   square 9
//   nothing more
//   The channel is closed: closed explicitly
