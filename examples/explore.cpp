// Finding a bug that the usual order of execution hides.
//
// explore() runs a scenario under every order in which the ready coroutines could run. A failure
// comes with a line that replays exactly that run. For tests of one's own: link weft::testing.

#include <iostream>
#include <memory>
#include <stdexcept>

#include <weft/testing.hpp>
#include <weft/weft.hpp>

namespace {

// Reading the counter and writing it back is not one step: others run in between.
void enter(int& visitors) {
  const int seen = visitors;
  weft::suspend();
  visitors = seen + 1;
}

void check(int visitors) {
  if (visitors != 2) throw std::runtime_error{"a visitor was not counted"};
}

// Hopes that the first visitor is through after two turns. Always true, in the usual order.
void two_visitors() {
  const auto visitors = std::make_shared<int>(0);  // coroutines may outlive this frame
  auto first = weft::spawn([visitors] { enter(*visitors); });
  weft::suspend();
  weft::suspend();
  auto second = weft::spawn([visitors] { enter(*visitors); });
  weft::await(first);
  weft::await(second);
  check(*visitors);
}

// Waits for the first visitor instead.
void two_visitors_mended() {
  const auto visitors = std::make_shared<int>(0);
  weft::await(weft::spawn([visitors] { enter(*visitors); }));
  weft::await(weft::spawn([visitors] { enter(*visitors); }));
  check(*visitors);
}

}  // namespace

int main() {
  weft::run(two_visitors);
  std::cout << "in the usual order all is well\n";

  const auto report = weft::testing::explore(two_visitors);
  std::cout << report.first_failure() << "\n";

  const auto again = weft::testing::replay(report.replay_line());
  const auto replayed = weft::testing::explore(two_visitors, {.schedules = again});
  std::cout << "replayed: " << replayed.failures() << " failure\n";

  const auto mended =
      weft::testing::explore(two_visitors_mended, {.cancel = weft::testing::every_point});
  std::cout << "mended: " << (mended.ok() ? "no failure" : mended.first_failure()) << " in "
            << mended.schedules() << " schedules, cancellations included\n";
}

// Prints:
//   in the usual order all is well
//   error: a visitor was not counted
//     after 5 schedules; to see it again: replay("0.0.1.1")
//   replayed: 1 failure
//   mended: no failure in 11 schedules, cancellations included
