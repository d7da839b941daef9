// Tests on a clock that jumps, and with a cancellation at every point.
//
// testing::run() is run() on a virtual clock: when all coroutines wait, it is at once as late as
// the next timer. explore() with every_point runs a scenario again and again, and cancels each
// coroutine at each of its suspensions.

#include <chrono>
#include <iostream>
#include <memory>
#include <stdexcept>

#include <weft/testing.hpp>
#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

class NoAnswer : public std::runtime_error {
 public:
  NoAnswer() : std::runtime_error{"no answer"} {}
};

// The code under test: tries until `request` succeeds, and waits twice as long each time.
void with_retries(weft::Function<void()> request) {
  for (auto pause = weft::Duration{1s};; pause *= 2) {
    try {
      return request();
    } catch (const NoAnswer&) {
      weft::delay(pause);
    }
  }
}

// The time is part of the expectation, and the test takes none.
void test_the_pauses() {
  const auto start = weft::now();
  int failures = 5;
  with_retries([&] {
    if (failures-- > 0) throw NoAnswer{};
  });
  const auto passed = weft::now() - start;
  std::cout << "five failures: " << std::chrono::duration_cast<std::chrono::seconds>(passed).count()
            << " s\n";
}

// A connection that is opened and closed by hand is left open by a cancellation in between.
void by_hand(int& open) {
  ++open;
  weft::delay(1s);
  --open;
}

// One that a destructor closes is not.
void by_destructor(int& open) {
  ++open;
  const std::unique_ptr<int, void (*)(int*)> connection{&open, [](int* count) { --*count; }};
  weft::delay(1s);
}

void leaves_nothing_open(void (*use)(int&)) {
  const auto open = std::make_shared<int>(0);  // coroutines may outlive this frame
  auto user = weft::spawn([use, open] { use(*open); });
  try {
    weft::await(user);
  } catch (const weft::Cancelled&) {
    if (!user.is_completed()) throw;
  }
  if (*open != 0) throw std::runtime_error{"a connection is left open"};
}

}  // namespace

int main() {
  weft::testing::run(test_the_pauses);

  using weft::testing::every_point;
  auto report =
      weft::testing::explore([] { leaves_nothing_open(by_hand); }, {.cancel = every_point});
  std::cout << "by hand: " << report.first_failure() << "\n";

  report =
      weft::testing::explore([] { leaves_nothing_open(by_destructor); }, {.cancel = every_point});
  std::cout << "by destructor: " << (report.ok() ? "ok" : report.first_failure()) << " after "
            << report.schedules() << " runs\n";
}

// Prints:
//   five failures: 31 s
//   by hand: error: a connection is left open
//     after 3 schedules; to see it again: replay("c0.c2")
//   by destructor: ok after 5 runs
