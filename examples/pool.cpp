// A pool lends what is expensive to make, here connections, to one coroutine at a time.
//
// The coroutine that has waited longest is served first. A broken connection is destroyed when it
// comes back, and after two in a row the circuit breaker keeps all callers away for a while.

#include <chrono>
#include <iostream>
#include <memory>

#include <weft/testing.hpp>
#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

struct Connection {
  int number = 0;
  bool broken = false;
  void query(const char* who) const {
    std::cout << who << " asks connection " << number << "\n";
    weft::delay(1ms);
  }
};

// Opens after two failures, and lets one caller try again a second later.
class TwoFailures final : public weft::CircuitBreakerStrategy {
 public:
  void report_success(weft::CircuitBreaker& breaker) override {
    failures_ = 0;
    breaker.activate();
  }
  void report_failure(weft::CircuitBreaker& breaker, const std::exception_ptr&) override {
    if (++failures_ < 2) return;
    opened_ = weft::now();
    breaker.deactivate();
  }
  bool should_recover() override { return weft::now() - opened_ >= 1s; }

 private:
  int failures_ = 0;
  weft::TimePoint opened_{};
};

void lend() {
  int made = 0;
  weft::Pool<Connection> pool{{
      .min = 1,
      .max = 2,
      .create = [&] { return Connection{++made}; },
      .destroy = [](Connection& c) { std::cout << "connection " << c.number << " closed\n"; },
      .healthy = [](Connection& c) { return !c.broken; },
      .check_every = 30s,
  }};
  weft::with_scope([&](weft::Scope& scope) {
    for (const char* name : {"ann", "bob", "eve"}) {
      scope.spawn([&, name] {
        auto connection = pool.acquire(weft::timeout(1s));
        connection->query(name);
      });  // given back here
    }
  });
  std::cout << pool.idle() << " idle, " << pool.active() << " active\n";
}

void keep_away() {
  int made = 0;
  weft::Pool<Connection> pool{{.create = [&] { return Connection{++made}; },
                               .before_release = [](Connection& c) { return !c.broken; },
                               .breaker = std::make_unique<TwoFailures>()}};
  for (int i = 0; i < 2; ++i) pool.acquire()->broken = true;
  try {
    pool.acquire()->query("ann");
  } catch (const weft::ServiceUnavailable& error) {
    std::cout << error.what() << "\n";
  }
  weft::delay(1s);
  pool.acquire()->query("ann");
  const bool well = pool.state() == weft::CircuitBreaker::State::active;
  std::cout << (well ? "all is well again\n" : "still on trial\n");
}

}  // namespace

int main() {
  weft::testing::run([] {  // on a clock that jumps instead of waiting
    lend();
    keep_away();
  });
}

// Prints:
//   ann asks connection 1
//   bob asks connection 2
//   eve asks connection 1
//   2 idle, 0 active
//   connection 2 closed
//   connection 1 closed
//   Service is unavailable (circuit breaker is open)
//   ann asks connection 3
//   all is well again
