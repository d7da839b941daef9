// A call that blocks the thread, made without stopping the other coroutines.
//
// weft runs on one thread: a call that does not know weft, such as a foreign library or a long
// computation, would stop all coroutines. blocking() makes it on a worker thread and suspends only
// the caller. The call may use the caller's locals: they stay until it has ended, also when the
// caller is cancelled meanwhile.

#include <chrono>
#include <cstdint>
#include <iostream>
#include <semaphore>
#include <stdexcept>
#include <vector>

#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

std::uint64_t slow_sum(const std::vector<std::uint64_t>& numbers) {
  std::uint64_t sum = 0;
  for (int round = 0; round < 100; ++round) {
    for (const std::uint64_t number : numbers) sum += number;
  }
  return sum;
}

}  // namespace

int main() {
  weft::run([] {
    std::binary_semaphore told{0};  // of the kind that blocks a thread
    weft::with_scope([&](weft::Scope& scope) {
      scope.spawn([&] {
        std::cout << "another coroutine runs meanwhile\n";
        told.release();
      });
      weft::blocking([&] { return told.try_acquire_for(1s); });
    });

    const std::vector<std::uint64_t> numbers(100'000, 7);
    const std::uint64_t sum = weft::blocking([&] { return slow_sum(numbers); });
    std::cout << "the sum is " << sum << "\n";

    try {
      weft::blocking([] { throw std::runtime_error{"no such device"}; });
    } catch (const std::runtime_error& error) {
      std::cout << "it failed: " << error.what() << "\n";
    }
  });
}

// Prints:
//   another coroutine runs meanwhile
//   the sum is 70000000
//   it failed: no such device
