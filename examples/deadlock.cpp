// A deadlock is found when it happens, and named.
//
// Two coroutines wait for each other, and nothing else could wake them: no timer, no descriptor, no
// other thread. weft reports every waiter, cancels them so that they clean up, and run() throws.

#include <iostream>
#include <string_view>

#include <weft/weft.hpp>

int main() {
  weft::Options options;
  options.on_warning = [](std::string_view text) { std::cerr << text << "\n"; };
  try {
    weft::run(
        [] {
          weft::Coroutine<void> alice;
          weft::Coroutine<void> bob;
          weft::with_scope([&](weft::Scope& scope) {
            alice = scope.spawn({.name = "alice"}, [&] { weft::await(bob); });
            bob = scope.spawn({.name = "bob"}, [&] {
              try {
                weft::await(alice);
              } catch (const weft::Cancelled& cancelled) {
                std::cout << "bob cleans up: " << cancelled.reason() << "\n";
                throw;
              }
            });
            weft::await(alice);
          });
        },
        options);
  } catch (const weft::DeadlockError& error) {
    std::cout << error.what() << "\n";
  }
}

// Prints:
//   bob cleans up: Deadlock detected
//   Deadlock detected: no active coroutines, 3 coroutines in waiting

// clang-format off
// Reports:
//   deadlock: 3 coroutines wait, 0 active events
//     Coroutine 1, suspended at examples/deadlock.cpp:29 (main)
//       waits for Coroutine 2 spawned at examples/deadlock.cpp:20, suspended at examples/deadlock.cpp:20 (alice)
//     Coroutine 2 spawned at examples/deadlock.cpp:20, suspended at examples/deadlock.cpp:20 (alice)
//       waits for Coroutine 3 spawned at examples/deadlock.cpp:21, suspended at examples/deadlock.cpp:23 (bob)
//     Coroutine 3 spawned at examples/deadlock.cpp:21, suspended at examples/deadlock.cpp:23 (bob)
//       waits for Coroutine 2 spawned at examples/deadlock.cpp:20, suspended at examples/deadlock.cpp:20 (alice)
