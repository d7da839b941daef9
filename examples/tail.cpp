// tail -f: prints what is appended to a file, as it comes.
//
// With a file for an argument it follows that until it is interrupted. Without, it follows a file
// of its own into which another coroutine writes.

#include <chrono>
#include <fstream>
#include <iostream>
#include <string>

#include "temporary_directory.hpp"
#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

/// Until the watcher is closed.
void follow(const std::string& path, weft::FileWatcher& watcher) {
  std::ifstream file{path};
  const auto print_the_rest = [&] {
    if (file.peek() != std::ifstream::traits_type::eof()) std::cout << file.rdbuf() << std::flush;
    file.clear();
  };
  print_the_rest();
  for (const weft::FileChange& change : watcher) {
    if (change.changed) print_the_rest();
  }
  print_the_rest();
}

void follow_our_own() {
  const TemporaryDirectory directory;
  const std::string path = directory.path() + "/log";
  std::ofstream log{path};
  log << "started\n" << std::flush;

  weft::FileWatcher watcher{path};  // keeps what happens from here on
  weft::with_scope(
      [&](weft::Scope& scope) {  // a writer that fails ends the reader, and the reverse
        scope.spawn([&] {
          for (const char* line : {"working", "still working", "done"}) {
            weft::delay(5ms);
            log << line << "\n" << std::flush;
          }
          watcher.close();
        });
        follow(path, watcher);
      });
}

}  // namespace

int main(int argc, char** argv) {
  weft::run([&] {
    if (argc > 1) {
      weft::FileWatcher watcher{argv[1]};
      follow(argv[1], watcher);
    } else {
      follow_our_own();
    }
  });
}

// Prints:
//   started
//   working
//   still working
//   done
