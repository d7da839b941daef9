// The first steps: spawn, await, errors, deadlines, cancel and protect.
//
// The functions wait as if they had the thread for themselves, and none says so in its type.

#include <chrono>
#include <iostream>
#include <stdexcept>
#include <string>

#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

class ShopClosed : public std::runtime_error {
 public:
  ShopClosed() : std::runtime_error{"the shop is closed"} {}
};

// Asks a shop, which takes a while. Other coroutines run meanwhile.
int ask_price(const std::string& shop) {
  weft::delay(10ms);
  if (shop == "west") throw ShopClosed{};
  return shop == "north" ? 30 : 20;
}

void two_at_once() {
  auto north = weft::spawn([] { return ask_price("north"); });
  auto south = weft::spawn(ask_price, std::string{"south"});  // arguments are copied
  std::cout << "together: " << weft::await(north) + weft::await(south) << "\n";
}

void an_error_arrives_where_it_is_awaited() {
  auto west = weft::spawn([] { return ask_price("west"); });
  try {
    std::cout << weft::await(west) << "\n";
  } catch (const ShopClosed& error) {
    std::cout << "no price: " << error.what() << "\n";
  }
}

// However the block is left, the scope ends what was spawned in it.
void no_longer_than_needed() {
  weft::with_scope([](weft::Scope& scope) {
    auto slow = scope.spawn([] { weft::delay(24h); });
    try {
      weft::await(slow, weft::timeout(10ms));
    } catch (const weft::TimedOut&) {
      std::cout << "not in time\n";
      slow.cancel();  // the wait is over, the coroutine is not: it is asked to end
    }
  });
}

// Destructors clean up: the cancellation is an exception like others.
class Order {
 public:
  Order() { std::cout << "order: open\n"; }
  ~Order() { std::cout << "order: closed\n"; }
  Order(const Order&) = delete;
  Order& operator=(const Order&) = delete;
};

void a_purchase() {
  const Order order;
  weft::protect([] {
    std::cout << "paid\n";
    weft::delay(10ms);  // the cancellation comes here, and waits
    std::cout << "booked\n";
  });
  std::cout << "never printed: the cancellation is thrown at the end of protect()\n";
}

void asked_to_end() {
  auto purchase = weft::spawn(a_purchase);
  weft::suspend();  // it has begun
  purchase.cancel("the customer left");
  try {
    weft::await(purchase);
  } catch (const weft::Cancelled& cancelled) {
    if (!purchase.is_completed()) throw;  // this coroutine is to end, not only the other
    std::cout << "purchase: " << cancelled.reason() << "\n";
  }
}

}  // namespace

int main() {
  weft::run([] {
    two_at_once();
    an_error_arrives_where_it_is_awaited();
    no_longer_than_needed();
    asked_to_end();
  });
}

// Prints:
//   together: 50
//   no price: the shop is closed
//   not in time
//   order: open
//   paid
//   booked
//   order: closed
//   purchase: the customer left
