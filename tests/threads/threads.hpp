#pragma once

#include <atomic>
#include <semaphore>

#include "support.hpp"

namespace weft_test {

/// Lets all coroutines run until `met`, which another thread makes true.
template <class Condition>
void run_until(Condition met) {
  while (!met()) weft::suspend();
}

/// Another thread waits here until it is released.
struct Gate {
  std::atomic<int> inside{0};
  std::counting_semaphore<> open{0};
  void pass() {
    ++inside;
    open.acquire();
  }
};

}  // namespace weft_test
