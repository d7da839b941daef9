// A program that uses an installed weft and a library that blocks: a coroutine reads a pipe that
// another one fills. If the call did not suspend, the program would hang.
#include <iostream>
#include <string>
#include <unistd.h>

#include <weft/bridge.hpp>
#include <weft/weft.hpp>

int main() {
  alarm(30);
  int ends[2];
  if (pipe(ends) != 0) return 1;
  weft::bridge::install();
  std::string text(5, ' ');
  bool whole = false;
  weft::run([&] {
    auto reader = weft::spawn([&] { return read(ends[0], text.data(), text.size()); });
    weft::suspend();
    const auto written = write(ends[1], "hello", 5);
    whole = weft::await(reader) == 5 && written == 5;
  });
  if (!whole || text != "hello" || weft::bridge::report().slots() == 0) return 1;
  weft::bridge::uninstall();
  std::cout << "bridged\n";
}
