// A child process between two pipes: what we write is sorted, and comes back.
//
// The pipes are ours to close: the child sees the end of its input only then. Its owner is the
// Process; one that still ran when the Process goes would be terminated.

#include <array>
#include <iostream>
#include <string>
#include <string_view>
#include <unistd.h>

#include <weft/weft.hpp>

namespace {

void write_and_close(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0) break;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  ::close(descriptor);
}

}  // namespace

int main() {
  weft::run([] {
    weft::Process child =
        weft::Process::start({"sort"}, {.stdin_ = weft::piped, .stdout_ = weft::piped});
    write_and_close(child.release_stdin(), "weft\nand\nwarp\n");
    std::cout << "exit code " << child.wait() << "\n";

    const int output = child.release_stdout();
    std::array<char, 256> buffer;
    const ssize_t size = ::read(output, buffer.data(), buffer.size());
    ::close(output);
    if (size > 0) std::cout << std::string_view{buffer.data(), static_cast<std::size_t>(size)};

    weft::Process sleeper = weft::Process::start({"sleep", "100"});
    sleeper.kill();
    std::cout << "killed by signal " << -sleeper.wait() << "\n";
  });
}

// Prints:
//   exit code 0
//   and
//   warp
//   weft
//   killed by signal 15
