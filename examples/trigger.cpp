// Another thread wakes a coroutine, with a Trigger.
//
// weft runs on one thread. Work that cannot suspend, such as a long computation or a foreign
// library, goes to a thread of its own, which fires a trigger when it is done. Firing is the one
// thing that any thread may do. Meanwhile the other coroutines run.

#include <chrono>
#include <cstdint>
#include <iostream>
#include <thread>

#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

std::uint64_t collatz_steps(std::uint64_t limit) {
  std::uint64_t steps = 0;
  for (std::uint64_t start = 1; start <= limit; ++start) {
    for (std::uint64_t n = start; n != 1; n = n % 2 == 0 ? n / 2 : 3 * n + 1) ++steps;
  }
  return steps;
}

}  // namespace

int main() {
  weft::run([] {
    int beats = 0;
    std::uint64_t steps = 0;
    weft::Trigger done;
    weft::with_scope([&](weft::Scope& scope) {
      auto heart = scope.spawn([&] {
        for (;; weft::delay(1ms)) ++beats;
      });
      const std::jthread worker{[&] {  // joined before the trigger goes
        steps = collatz_steps(100'000);
        done.fire();  // what was written before is seen by the coroutine that it wakes
      }};
      weft::await(done);
      heart.cancel();
    });
    std::cout << "the worker counted " << steps << " steps\n";
    std::cout << "meanwhile the heart beat " << (beats > 0 ? "on" : "no more") << "\n";
  });
}

// Prints:
//   the worker counted 10753840 steps
//   meanwhile the heart beat on
