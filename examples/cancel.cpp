// Cancellation: a coroutine is asked to end, unwinds like any C++ code, and may defer that.
//
// cancel() makes the present or next suspension of a coroutine throw weft::Cancelled. Destructors
// then clean up. Cancelled is not a std::exception, so code that handles errors lets it pass.

#include <chrono>
#include <exception>
#include <iostream>

#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

class Connection {
 public:
  Connection() { std::cout << "connection: open\n"; }
  ~Connection() { std::cout << "connection: closed\n"; }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
};

void listen_for_ever() {
  const Connection connection;
  try {
    weft::delay(24h);
  } catch (const std::exception&) {
    std::cout << "never printed: a cancellation is no error\n";
  }
}

// A payment is sent and written down, or neither.
void pay() {
  weft::protect([] {
    std::cout << "pay: sent\n";
    weft::delay(5ms);  // the cancellation arrives here, and waits
    std::cout << "pay: written down\n";
  });
  std::cout << "never printed: the end of the section throws\n";
}

void await_cancelled(const char* name, const weft::AnyCoroutine& coroutine) {
  try {
    weft::await(coroutine);
  } catch (const weft::Cancelled& cancelled) {
    if (!coroutine.is_completed()) throw;  // not the awaited one was cancelled, but we
    std::cout << name << ": " << cancelled.reason() << "\n";
  }
}

}  // namespace

int main() {
  weft::run([] {
    weft::with_scope([](weft::Scope& scope) {
      auto listener = scope.spawn(listen_for_ever);
      weft::suspend();  // it has begun
      listener.cancel("the shop closes");
      await_cancelled("listener", listener);

      auto payment = scope.spawn(pay);
      weft::suspend();
      payment.cancel();
      await_cancelled("payment", payment);

      auto late = scope.spawn([] { std::cout << "never printed: it had not begun\n"; });
      late.cancel();
      await_cancelled("late", late);
    });
  });
}

// Prints:
//   connection: open
//   connection: closed
//   listener: the shop closes
//   pay: sent
//   pay: written down
//   payment: Coroutine cancelled
//   late: Coroutine cancelled
