// A program that uses an installed weft: it waits, and exceptions cross the boundary of the library
// in both directions.
#include <chrono>
#include <iostream>
#include <stdexcept>
#include <string>

#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

struct OwnError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error{what};
}

int sum() {
  auto a = weft::spawn([] {
    weft::delay(1ms);
    return 40;
  });
  auto b = weft::spawn([](int x) { return x; }, 2);
  return weft::await(a) + weft::await(b);
}

bool own_error_arrives() {
  auto failing = weft::spawn([] {
    weft::suspend();
    throw OwnError{"mine"};
  });
  try {
    weft::await(failing);
  } catch (const OwnError& error) {
    return std::string{error.what()} == "mine";
  }
  return false;
}

bool timeout_arrives() {
  try {
    weft::with_timeout(1ms, [] { weft::delay(1h); });
  } catch (const weft::OperationCancelled& error) {
    return dynamic_cast<const weft::TimedOut*>(&error) != nullptr;
  }
  return false;
}

bool deadlock_arrives() {
  try {
    weft::run([] {
      weft::Channel<int> nothing;
      static_cast<void>(nothing.recv());
    });
  } catch (const weft::DeadlockError&) {
    return true;
  }
  return false;
}

}  // namespace

int main() {
  weft::run([] {
    require(sum() == 42, "a delay and two coroutines");
    require(own_error_arrives(), "an error of the program");
    require(timeout_arrives(), "an error of the library");
    require(weft::blocking([] { return 7; }) == 7, "a thread");
  });
  std::clog.setstate(std::ios::failbit);
  require(deadlock_arrives(), "an error of run()");
  std::cout << "hello\n";
}
