// How a program ends: gracefully, in stages, with the exit status that it asked for.
//
// A worker holds something that has to be put back. exit() cancels every coroutine; each may clean
// up, and what is spawned to clean up is not cancelled. Main comes last, because the others may use
// what lies in its frame. When all have ended, the process ends with the status.

#include <chrono>
#include <exception>
#include <iostream>

#include <weft/testing.hpp>
#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

struct Transaction {
  ~Transaction() { std::cout << "worker: transaction rolled back\n"; }
};

void work() {
  const Transaction transaction;
  try {
    weft::delay(1h);
  } catch (const weft::Cancelled& cancelled) {
    std::cout << "worker: " << cancelled.reason() << "\n";
    weft::spawn(weft::SpawnOptions{.cleanup = true}, [] {
      weft::delay(10ms);
      std::cout << "clean-up: the peer was told\n";
    });
    throw;
  }
}

void program() {
  weft::spawn(work);
  weft::spawn([] {
    weft::delay(1s);
    weft::exit(3);
  });
  try {
    weft::delay(24h);
  } catch (const weft::Cancelled&) {
    std::cout << "main: all others have ended\n";
    throw;
  }
}

}  // namespace

int main() {
  try {
    weft::testing::run(program);  // weft::run() would end the process here
  } catch (const weft::ExitRequested& request) {
    std::cout << "exit status " << request.code() << "\n";
    if (weft::previous(std::current_exception()) != nullptr) std::cout << "a clean-up failed\n";
  }
}

// Prints:
//   worker: Graceful shutdown
//   worker: transaction rolled back
//   clean-up: the peer was told
//   main: all others have ended
//   exit status 3
