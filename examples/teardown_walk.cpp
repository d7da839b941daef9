// A teardown whose steps may await.
//
// At the end of a program a list of clean-up functions is walked, first to last. Some of them wait:
// for a peer to say goodbye, for data to reach the disk. The walk must go on meanwhile,
// and no clean-up may run twice or be forgotten. A switch handler sees that the walking coroutine
// gives up control and spawns another of high priority, which goes on with the next clean-up at
// once. The one that waited finishes its own clean-up and leaves the rest to its successor. The
// successors clean up, so neither a cancelled scope nor a shutdown takes them away.

#include <chrono>
#include <cstddef>
#include <functional>
#include <iostream>
#include <utility>
#include <vector>

#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

class Teardown {
 public:
  void add(std::function<void()> cleanup) { cleanups_.push_back(std::move(cleanup)); }

  void walk() {
    bool handed_over = false;
    weft::current().add_switch_handler([&](weft::Switch what) {
      if (what != weft::Switch::leave) return what == weft::Switch::enter;
      handed_over = true;
      std::cout << "(the walk goes on in another coroutine)\n";
      const weft::SpawnOptions successor{.priority = weft::Priority::high, .cleanup = true};
      weft::spawn(successor, [this] { walk(); });
      return false;  // one successor is enough
    });
    // `next_` moves on before the clean-up runs, so that no other visits the same one again.
    while (!handed_over && next_ < cleanups_.size()) cleanups_[next_++]();
  }

 private:
  std::vector<std::function<void()>> cleanups_;
  std::size_t next_ = 0;
};

}  // namespace

int main() {
  Teardown teardown;
  teardown.add([] { std::cout << "cache: dropped\n"; });
  teardown.add([] {
    std::cout << "peer: saying goodbye\n";
    weft::delay(2ms);
    std::cout << "peer: it said goodbye too\n";
  });
  teardown.add([] { std::cout << "log: closed\n"; });
  teardown.add([] {
    std::cout << "disk: flushing\n";
    weft::delay(100ms);
    std::cout << "disk: flushed\n";
  });
  teardown.add([] { std::cout << "lock file: removed\n"; });

  weft::run([&] {
    weft::spawn([&] { teardown.walk(); });
    weft::spawn([] { std::cout << "ordinary work comes after the walk\n"; });
  });
  std::cout << "done\n";
}

// Prints:
//   cache: dropped
//   peer: saying goodbye
//   (the walk goes on in another coroutine)
//   log: closed
//   disk: flushing
//   (the walk goes on in another coroutine)
//   lock file: removed
//   ordinary work comes after the walk
//   peer: it said goodbye too
//   disk: flushed
//   done
