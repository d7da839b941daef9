// What a program tells its runtime, and what the runtime tells the program.
//
// Options are for a whole runtime, SpawnOptions for one coroutine; dump() and stats() look inside.

#include <array>
#include <chrono>
#include <cstddef>
#include <iostream>
#include <string_view>

#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

// A parser or a walk through a tree: how deep it goes depends on its input.
int nested(int levels) {
  std::array<char, 1024> buffer{};
  buffer[0] = 1;
  return levels == 0 ? 0 : buffer[0] + nested(levels - 1);
}

void one_by_one() {
  auto deep = weft::spawn({.name = "deep", .stack_size = std::size_t{1024} * 1024}, nested, 500);
  auto urgent = weft::spawn({.name = "urgent", .priority = weft::Priority::high},
                            [] { std::cout << "urgent, before the others\n"; });
  std::cout << weft::await(deep) << " levels\n";
  weft::await(urgent);
}

void look_inside() {
  weft::with_scope([](weft::Scope& scope) {
    auto sleeper = scope.spawn({.name = "sleeper"}, [] { weft::delay(1h); });
    weft::suspend();  // it sleeps now
    std::cerr << weft::dump() << "\n";
    const weft::Stats stats = weft::stats();
    std::cout << stats.coroutines << " coroutines, " << stats.armed_timers << " timer, "
              << stats.coroutines_spawned << " spawned\n";
    sleeper.cancel();
  });
}

}  // namespace

int main() {
  weft::Options options;
  options.stack_size = std::size_t{64} * 1024;  // instead of 256 KiB
  options.on_warning = [](std::string_view text) { std::cerr << "warning: " << text << "\n"; };
  weft::run(
      [] {
        one_by_one();
        look_inside();
      },
      options);
}

// Prints:
//   urgent, before the others
//   500 levels
//   2 coroutines, 1 timer, 4 spawned

// clang-format off
// Reports:
//   2 coroutines, 1 active events
//     Coroutine 1 (main): running
//     Coroutine 4 spawned at examples/inside.cpp:34, suspended at examples/inside.cpp:34 (sleeper): waiting
//       waits for Timer(timeout=3600000ms, once)
