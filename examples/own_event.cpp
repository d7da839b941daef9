// A new kind of event.
//
// Anything that can be waited for is an Event: derive, notify when it happens, and say in info()
// what it is. await(), timeouts, cancellation, the deadlock report and the dump then work with it.

#include <chrono>
#include <iostream>
#include <string>
#include <utility>

#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

class Doorbell final : public weft::Event {
 public:
  explicit Doorbell(std::string door) : door_{std::move(door)} {}

  /// Wakes all who wait now, in the order of arrival.
  void ring() noexcept { notify(); }
  /// Notifies for the last time: waiters wake, later ones do not wait.
  void remove() noexcept { notify_and_close(); }

  /// A removed doorbell answers at once instead of letting coroutines wait for ever.
  bool replay(weft::Outcome&) const override { return is_closed(); }
  [[nodiscard]] std::string info() const override { return "Doorbell(" + door_ + ")"; }

 private:
  std::string door_;
};

}  // namespace

int main() {
  weft::run([] {
    Doorbell bell{"front"};
    const auto answer = [&](const char* who) {
      weft::await(bell);
      std::cout << who << " goes to the door\n";
    };
    weft::with_scope([&](weft::Scope& scope) {
      auto ann = scope.spawn(answer, "ann");
      auto ben = scope.spawn(answer, "ben");
      weft::suspend();  // both wait now
      for (const std::string& event : ann.awaiting())
        std::cout << "ann waits for " << event << "\n";
      bell.ring();
    });

    weft::Timer patience{5ms};
    try {
      weft::await(bell, patience);  // any event may end the wait for another
    } catch (const weft::OperationCancelled& error) {
      std::cout << "no ring in time: " << error.what() << "\n";
    }

    bell.remove();
    weft::await(bell);
    std::cout << "no door, no waiting\n";
  });
}

// Prints:
//   ann waits for Doorbell(front)
//   ann goes to the door
//   ben goes to the door
//   no ring in time: Operation has been cancelled
//   no door, no waiting
