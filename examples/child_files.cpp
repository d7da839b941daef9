// A child whose streams are files, and one that is ended together with all that it has started.

#include <chrono>
#include <iostream>
#include <string>

#include "temporary_directory.hpp"
#include <weft/weft.hpp>

using namespace std::chrono_literals;

int main() {
  const TemporaryDirectory directory;
  weft::run([&] {
    const std::string words = directory.path() + "/words";
    const std::string sorted = directory.path() + "/sorted";
    weft::Process list =
        weft::Process::start({"printf", "weft\\nand\\nwarp\\n"}, {.stdout_ = weft::to_file(words)});
    list.wait();
    weft::exec({"sort"}, {.stderr_ = weft::with_output,
                          .stdin_ = weft::from_file(words),
                          .stdout_ = weft::append_to_file(sorted)});
    std::cout << weft::File::open(sorted).read_all();

    try {
      weft::exec_shell("sleep 1000 | sleep 1000", {.new_group = true}, weft::timeout(10ms));
    } catch (const weft::TimedOut&) {
      std::cout << "the shell has ended, and both of its commands\n";
    }
  });
}

// Prints:
//   and
//   warp
//   weft
//   the shell has ended, and both of its commands
