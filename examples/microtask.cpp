// Microtasks: small functions that run before the next switch.
//
// A log gathers lines and writes them in one go. When? Not at every line, that would be many
// writes; not after some time, that would be late. A microtask is just right: it runs as soon as
// the coroutine that posted it gives up control, on that coroutine's stack and before any other.

#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include <weft/weft.hpp>

namespace {

class Log {
 public:
  void add(std::string line) {
    lines_.push_back(std::move(line));
    if (lines_.size() == 1) weft::post_microtask([this] { write(); });
  }

 private:
  void write() {
    std::cout << "one write:";
    for (const std::string& line : lines_) std::cout << " " << line;
    std::cout << "\n";
    lines_.clear();
  }

  std::vector<std::string> lines_;
};

}  // namespace

int main() {
  Log log;  // outlives what it posts
  weft::run([&] {
    auto guest = weft::spawn([&] {
      std::cout << "the guest runs\n";
      log.add("hello");
      log.add("goodbye");
    });

    log.add("one");
    log.add("two");
    log.add("three");
    std::cout << "nothing is written yet\n";

    const auto switches = weft::stats().switches;
    weft::await(guest);
    std::cout << weft::stats().switches - switches << " switches: to the guest and back\n";
  });
}

// Prints:
//   nothing is written yet
//   one write: one two three
//   the guest runs
//   one write: hello goodbye
//   2 switches: to the guest and back
