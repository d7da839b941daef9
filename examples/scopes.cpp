// Scopes: a block that waits for its coroutines, a deadline for a part of the program, and a scope
// as an object for what goes on in the background.

#include <chrono>
#include <iostream>
#include <stdexcept>
#include <string>

#include <weft/testing.hpp>
#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

const weft::ValueKey<std::string> user;

void download(const std::string& name, weft::Duration duration) {
  try {
    weft::delay(duration);
    std::cout << name << ": done\n";
  } catch (const weft::Cancelled&) {
    std::cout << name << ": given up\n";
    throw;
  }
}

void all_or_nothing() {
  weft::with_scope([](weft::Scope& scope) {
    scope.spawn([] { download("a", 10ms); });
    scope.spawn([] { download("b", 20ms); });
  });
  std::cout << "both are there\n";

  try {
    weft::with_scope([](weft::Scope& scope) {
      scope.spawn([] { download("c", 1h); });
      scope.spawn([] {
        weft::delay(5ms);
        throw std::runtime_error{"no route"};
      });
    });
  } catch (const std::runtime_error& error) {
    std::cout << "failed: " << error.what() << "\n";
  }
}

void in_time() {
  try {
    weft::with_timeout(50ms, [] { download("d", 1h); });
  } catch (const weft::TimedOut& error) {
    std::cout << error.what() << "\n";
  }
}

void in_the_background() {
  const weft::Ref<weft::Scope> background = weft::Scope::create();
  background->set_exception_handler(
      [](weft::Scope&, const weft::AnyCoroutine& who, const std::exception_ptr& error) {
        std::cout << who.name() << " failed: " << weft::describe(error) << "\n";
      });
  background->spawn({.name = "one"}, [] { throw std::runtime_error{"broken"}; });
  background->spawn({.name = "two"}, [] { download("e", 1h); });  // is not disturbed
  weft::delay(1s);
  background->cancel();
  background->await_after_cancellation();
}

void who_asks() {
  weft::values().set(user, "ann");
  weft::with_scope([](weft::Scope& scope) {
    scope.spawn([] { std::cout << "for " << weft::values().get(user) << "\n"; });
  });
}

}  // namespace

int main() {
  weft::testing::run([] {  // weft::run() in earnest; this one does not wait for the clock
    all_or_nothing();
    in_time();
    in_the_background();
    who_asks();
  });
}

// Prints:
//   a: done
//   b: done
//   both are there
//   c: given up
//   failed: no route
//   d: given up
//   Timeout occurred after 50 milliseconds
//   one failed: broken
//   e: given up
//   for ann
