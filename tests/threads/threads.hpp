#pragma once

#include <atomic>
#include <semaphore>

#include "support.hpp"

namespace weft_test {

/// Lets all coroutines run until `met()` is true, which another thread causes.
template <class Condition>
void run_until(Condition met) {
  while (!met()) weft::suspend();
}

/// Blocks other threads in pass() until `open` is released.
struct Gate {
  std::atomic<int> inside{0};
  std::counting_semaphore<> open{0};
  void pass() {
    ++inside;
    open.acquire();
  }
};

}  // namespace weft_test
