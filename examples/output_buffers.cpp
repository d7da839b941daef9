// Output buffers per coroutine, with switch handlers.
//
// Many libraries keep their state in a global: here a report that functions print into. As soon as
// two coroutines use it, their lines mix. A switch handler mends that without touching the library:
// whenever its coroutine is entered, its own report is put in place, and whenever it is left or
// ends, the report that was there before is put back.

#include <chrono>
#include <iostream>
#include <string>
#include <utility>

#include <weft/weft.hpp>

using namespace std::chrono_literals;

namespace {

// The old library: one report for the whole program.
std::string report;

void print(const std::string& line) { report += "  " + line + "\n"; }

// Gives `coroutine` a report of its own. Every handler call exchanges the two, so that enter brings
// ours in and leave and finish take it out again.
void give_own_report(const weft::AnyCoroutine& coroutine) {
  coroutine.add_switch_handler([own = std::string{}](weft::Switch) mutable {
    std::swap(report, own);
    return true;  // keep this handler
  });
}

// Prints, waits and prints again, as if it were alone; returns what it printed.
std::string inspect(const std::string& machine) {
  print(machine + ": switched on");
  weft::delay(2ms);
  print(machine + ": warm");
  weft::delay(1ms);
  print(machine + ": ready");
  return std::exchange(report, {});
}

}  // namespace

int main() {
  return weft::run([] {
    print("main: the day begins");

    auto lathe = weft::spawn([] { return inspect("lathe"); });
    auto press = weft::spawn([] { return inspect("press"); });
    give_own_report(lathe);
    give_own_report(press);

    weft::suspend();  // both have begun to print
    print("main: both machines were started");

    std::cout << "lathe\n" << weft::await(lathe);
    std::cout << "press\n" << weft::await(press);
    print("main: the day ends");
    std::cout << "main\n" << report;
    return 0;
  });
}

// Prints:
//   lathe
//     lathe: switched on
//     lathe: warm
//     lathe: ready
//   press
//     press: switched on
//     press: warm
//     press: ready
//   main
//     main: the day begins
//     main: both machines were started
//     main: the day ends
