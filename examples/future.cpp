// A promise and its future, chains, and waiting for many at once.
//
// A promise is completed once, by the coroutine that has the value; its futures are handles that
// read it. A chain runs later, in a coroutine of its own. The combinators wait for several
// coroutines or futures, and iterate() works on many elements, a few at a time.

#include <chrono>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

std::string load(const std::string& name, std::chrono::milliseconds duration) {
  weft::delay(duration);
  if (name == "broken") throw std::runtime_error{"cannot load " + name};
  return "<" + name + ">";
}

void promise_and_chain() {
  weft::Promise<int> promise;
  weft::Future<int> future = promise.future();
  auto text = future.map([](int value) { return "the answer is " + std::to_string(value); })
                  .recover([](const std::exception_ptr&) { return std::string{"no answer"}; });
  promise.complete(42);
  std::cout << weft::await(text) << "\n";
}

void many_at_once() {
  auto [user, orders] =
      weft::await_all([] { return load("user", 2ms); }, [] { return load("orders", 1ms); });
  std::cout << user << " " << orders << "\n";

  std::vector<weft::Coroutine<std::string>> mirrors;
  mirrors.push_back(weft::spawn(load, "broken", 1ms));
  mirrors.push_back(weft::spawn(load, "near", 2ms));
  mirrors.push_back(weft::spawn(load, "far", 20ms));
  std::cout << "fastest: " << weft::await_first_success(mirrors) << "\n";

  for (const auto& outcome : weft::await_settled(mirrors)) {
    std::cout << (outcome ? outcome.value() : weft::describe(outcome.error())) << "\n";
  }
}

void a_few_at_a_time() {
  const std::vector<std::string> pages{"a", "b", "c", "d", "e"};
  std::size_t letters = 0;
  weft::iterate(pages, {.concurrency = 2},
                [&](const std::string& page) { letters += load(page, 1ms).size(); });
  std::cout << letters << " letters\n";
}

}  // namespace

int main() {
  weft::run([] {
    promise_and_chain();
    many_at_once();
    a_few_at_a_time();
  });
}

// Prints:
//   the answer is 42
//   <user> <orders>
//   fastest: <near>
//   cannot load broken
//   <near>
//   <far>
//   15 letters
