// Runs other programs.
//
// exec() passes the arguments to the program unchanged; only exec_shell() uses a shell. While a
// command runs, other coroutines run, too. A command is terminated when its caller is cancelled or
// its timeout is over.

#include <iostream>
#include <string_view>

#include <weft/weft.hpp>

using namespace std::chrono_literals;

int main() {
  weft::run([] {
    const weft::ExecResult hello = weft::exec({"echo", "no shell: $HOME; echo *"});
    std::cout << hello.output;

    const weft::ExecResult counted = weft::exec_shell("printf 'a\\nb\\n' | wc -l");
    std::cout << "lines: " << counted.output;

    const weft::ExecResult listed = weft::exec({"seq", "3"}, {.mode = weft::ExecMode::lines});
    for (const std::string& line : listed.lines) std::cout << "line " << line << "\n";

    weft::exec_shell(
        "echo as it comes",
        {.mode = weft::ExecMode::show, .sink = [](std::string_view text) { std::cout << text; }});

    const weft::ExecResult failed =
        weft::exec_shell("echo oops >&2; exit 3", {.stderr_ = weft::piped});
    std::cout << "exit code " << failed.exit_code << ", errors: " << failed.errors;

    try {
      weft::exec({"sleep", "100"}, {}, weft::timeout(10ms));
    } catch (const weft::TimedOut&) {
      std::cout << "it took too long\n";
    }
  });
}

// Prints:
//   no shell: $HOME; echo *
//   lines: 2
//   line 1
//   line 2
//   line 3
//   as it comes
//   exit code 3, errors: oops
//   it took too long
