// Asks four shops for a price at once: two answer, one is too slow, one fails.
//
// The other programs of this directory do the same with Go, asio, Boost.Fiber and C++20 coroutines.

#include <algorithm>
#include <chrono>
#include <iostream>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

struct Shop {
  std::string name;
  std::chrono::milliseconds takes;
  int price;  // 0: closed
};

class Closed : public std::runtime_error {
 public:
  Closed() : std::runtime_error{"closed"} {}
};

int ask(const Shop& shop) {
  weft::delay(shop.takes);  // as if over the network
  if (shop.price == 0) throw Closed{};
  return shop.price;
}

}  // namespace

int main() {
  const std::vector<Shop> shops{
      {"north", 20ms, 30}, {"south", 10ms, 20}, {"east", 1s, 10}, {"west", 10ms, 0}};
  weft::run([&] {
    std::vector<weft::Coroutine<int>> answers;
    for (const Shop& shop : shops)
      answers.push_back(
          weft::spawn([&] { return weft::with_timeout(500ms, [&] { return ask(shop); }); }));

    int cheapest = std::numeric_limits<int>::max();
    for (std::size_t i = 0; i < shops.size(); ++i) {
      std::cout << shops[i].name << ": ";
      try {
        const int price = weft::await(answers[i]);
        cheapest = std::min(cheapest, price);
        std::cout << price << "\n";
      } catch (const weft::TimedOut&) {
        std::cout << "no answer in time\n";
      } catch (const Closed& error) {
        std::cout << error.what() << "\n";
      }
    }
    std::cout << "cheapest: " << cheapest << "\n";
  });
}

// Prints:
//   north: 30
//   south: 20
//   east: no answer in time
//   west: closed
//   cheapest: 20
