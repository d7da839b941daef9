// Work for all processors: a pool of threads, threads of one's own, and channels between them.
//
// Every worker has a runtime of its own, so a task may suspend there like any coroutine. Values are
// moved from thread to thread; coroutines and futures stay where they were made.

#include <chrono>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

int count_primes(int limit) {
  int primes = 0;
  for (int n = 2; n < limit; ++n) {
    bool prime = true;
    for (int d = 2; d * d <= n && prime; ++d) prime = n % d != 0;
    primes += prime ? 1 : 0;
  }
  return primes;
}

void use_a_pool() {
  weft::ThreadPool pool{{.workers = 2, .coroutines = 8}};

  weft::Future<int> primes = pool.submit([] { return count_primes(10'000); });
  std::cout << "primes: " << weft::await(primes) << "\n";

  const std::vector<int> limits{10, 100, 1'000};
  for (const int found : pool.map(limits, count_primes)) std::cout << "found " << found << "\n";

  auto sleeper = pool.submit([] { weft::delay(1h); });
  sleeper.cancel();  // stops the task at its next suspension, or before it begins
}

void use_a_thread() {
  // Room for all three, because the thread may fail to start, and shared, because it may still read
  // when an error has ended this function. The runtime that made the channel closes it at its end.
  const auto lines = std::make_shared<weft::ThreadChannel<std::string>>(3);
  const auto reader = weft::Thread::start([lines] {
    int count = 0;
    for (const std::string line : *lines) count += line.empty() ? 0 : 1;
    return count;
  });
  for (const char* line : {"one", "two", "three"}) lines->send(line);
  lines->close();
  std::cout << "the thread got " << weft::await(reader) << " lines\n";
}

void use_a_promise() {
  weft::RemotePromise<int> promise;
  const weft::Future<int> future = promise.future();
  const auto writer =
      weft::Thread::start([promise = std::move(promise)]() mutable { promise.complete(42); });
  std::cout << "the promise was " << weft::await(future) << "\n";
  weft::await(writer);
}

}  // namespace

int main() {
  weft::run([] {
    use_a_pool();
    use_a_thread();
    use_a_promise();
  });
}

// Prints:
//   primes: 1229
//   found 4
//   found 25
//   found 168
//   the thread got 3 lines
//   the promise was 42
