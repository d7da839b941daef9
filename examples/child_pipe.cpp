// A child process between two pipes: what we write is sorted, and comes back.
//
// The child sees the end of its input when our end is closed. The Process owns it: a child that
// still runs when its Process is destroyed is terminated.

#include <iostream>
#include <optional>
#include <string>

#include <weft/weft.hpp>

int main() {
  weft::run([] {
    weft::Process child =
        weft::Process::start({"sort"}, {.stdin_ = weft::piped, .stdout_ = weft::piped});
    child.stdin_().write_all("weft\nand\nwarp\n");
    child.stdin_().close();
    while (const std::optional<std::string> line = child.stdout_().read_line()) {
      std::cout << *line << "\n";
    }
    std::cout << "exit code " << child.wait() << "\n";

    weft::Process sleeper = weft::Process::start({"sleep", "100"});
    sleeper.kill();
    std::cout << "killed by signal " << -sleeper.wait() << "\n";
  });
}

// Prints:
//   and
//   warp
//   weft
//   exit code 0
//   killed by signal 15
