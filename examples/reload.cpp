// A program that reads its configuration again at SIGHUP and ends at SIGTERM.
//
// A signal is an event like any other: a coroutine waits for it. What would have to be done with
// great care in a signal handler is ordinary code here. The program sends the signals to itself, so
// that there is something to see.

#include <csignal>
#include <iostream>
#include <unistd.h>

#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

void serve(weft::SignalEvent& hangup, const weft::Future<int>& terminated) {
  weft::with_scope([&](weft::Scope& scope) {
    int version = 1;
    auto reloader = scope.spawn([&] {
      for (;;) {
        weft::await(hangup);
        std::cout << "reloading: version " << ++version << "\n";
      }
    });

    scope.spawn([&] {  // the administrator
      for (const int next : {2, 3}) {
        ::kill(::getpid(), SIGHUP);
        while (version < next) weft::delay(1ms);
      }
      ::kill(::getpid(), SIGTERM);
    });

    weft::await(terminated);
    std::cout << "ending\n";
    reloader.cancel();
  });
}

}  // namespace

int main() {
  weft::run([] {
    // The signals are handled from here on, until the coroutines that may send one have ended.
    weft::SignalEvent hangup{SIGHUP};
    hangup.start();  // nothing is missed between two waits
    const weft::Future<int> terminated = weft::signal(SIGTERM);
    serve(hangup, terminated);

    try {
      weft::await(weft::signal(SIGUSR1, weft::timeout(10ms)));
    } catch (const weft::TimedOut& error) {
      std::cout << error.what() << "\n";
    }
  });
}

// Prints:
//   reloading: version 2
//   reloading: version 3
//   ending
//   Timeout occurred after 10 milliseconds
