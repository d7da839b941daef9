// The program of weft.cpp with Boost.Fiber.

#include <algorithm>
#include <chrono>
#include <iostream>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/fiber/all.hpp>

namespace fibers = boost::fibers;
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
  boost::this_fiber::sleep_for(shop.takes);  // as if over the network
  if (shop.price == 0) throw Closed{};
  return shop.price;
}

}  // namespace

int main() {
  const std::vector<Shop> shops{
      {"north", 20ms, 30}, {"south", 10ms, 20}, {"east", 1s, 10}, {"west", 10ms, 0}};
  const auto deadline = std::chrono::steady_clock::now() + 500ms;
  std::vector<fibers::fiber> asking;
  std::vector<fibers::future<int>> answers;
  for (const Shop& shop : shops) {
    fibers::packaged_task<int()> task{[&shop] { return ask(shop); }};
    answers.push_back(task.get_future());
    asking.emplace_back(std::move(task));
  }

  int cheapest = std::numeric_limits<int>::max();
  for (std::size_t i = 0; i < shops.size(); ++i) {
    std::cout << shops[i].name << ": ";
    if (answers[i].wait_until(deadline) == fibers::future_status::timeout) {
      std::cout << "no answer in time\n";
      continue;  // the fiber goes on: it cannot be cancelled
    }
    try {
      const int price = answers[i].get();
      cheapest = std::min(cheapest, price);
      std::cout << price << "\n";
    } catch (const Closed& error) {
      std::cout << error.what() << "\n";
    }
  }
  std::cout << "cheapest: " << cheapest << "\n";
  for (fibers::fiber& fiber : asking) fiber.join();
}
