#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/extend/exec_event.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"

namespace weft {

/// How exec() runs a command.
struct ExecOptions {
  /// What becomes of its output.
  ExecMode mode = ExecMode::whole;
  /// Gets the output that is passed through, as it comes; by default the program's standard output
  /// does. Called in the coroutine that runs the command, and may suspend; the command waits then.
  std::function<void(std::string_view)> sink = {};
  /// Standard error: inherited, null, with_output, to_file(), or piped, which means kept in the
  /// result.
  ChildStream stderr_ = ChildStream::inherited;
  /// Where it runs; empty: where we do.
  std::string directory = {};
  /// Its environment, as NAME=value; nothing: ours.
  std::optional<std::vector<std::string>> environment = std::nullopt;
  /// More than this in memory ends the command, and exec() throws std::system_error.
  std::size_t max_output = std::size_t{256} * 1024 * 1024;
  /// How long it may take to end after SIGTERM before it is killed.
  Duration grace = std::chrono::seconds{2};
  /// Standard input: null, inherited or from_file().
  ChildStream stdin_ = ChildStream::null;
  /// Standard output: piped means what `mode` says. With to_file(), append_to_file(), null or
  /// inherited it goes there, and nothing is kept.
  ChildStream stdout_ = ChildStream::piped;
  /// Starts it in a process group of its own. When it is terminated, so is what it has started: all
  /// commands of a shell line. A Ctrl-C at the terminal does not reach it.
  bool new_group = false;
};

/// Suspends until a command has ended; returns its output and how it ended. The words reach the
/// program as they are, no shell looks at them; one without a slash is looked for in PATH. It reads
/// nothing unless told to, and gets no descriptor of ours. Its end counts, not that of its output:
/// what a process it left behind writes later is lost.
///
/// Throws std::system_error if it cannot start or a file cannot be opened, and ValueError for a NUL
/// in a word or piped input. Cancelled, or
/// ended by `token` (TimedOut for a timeout), the command is terminated.
ExecResult exec(std::vector<std::string> argv, ExecOptions options = {}, Token token = {},
                Place place = Place::here());

/// The same for a command line of the shell. Never build one from words that others gave you.
ExecResult exec_shell(std::string command, ExecOptions options = {}, Token token = {},
                      Place place = Place::here());

}  // namespace weft
