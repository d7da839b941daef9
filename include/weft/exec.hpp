#pragma once

#include "weft/detail/abi.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/child_stream.hpp"
#include "weft/exec_result.hpp"
#include "weft/place.hpp"
#include "weft/time.hpp"
#include "weft/token.hpp"

namespace weft {

/// How exec() runs a command.
struct ExecOptions {
  /// What to do with the output of the command.
  ExecMode mode = ExecMode::whole;
  /// Receives output that is passed through, as it arrives; by default it goes to the program's
  /// standard output. Called in the coroutine that runs the command; the command waits while it
  /// suspends.
  std::function<void(std::string_view)> sink = {};
  /// Standard error: inherited, null, with_output, to_file(), or piped, which means kept in the
  /// result.
  ChildStream stderr_ = ChildStream::inherited;
  /// Working directory of the command; empty: that of this process.
  std::string directory = {};
  /// Environment of the command, as NAME=value; nothing: that of this process.
  std::optional<std::vector<std::string>> environment = std::nullopt;
  /// More output than this in memory ends the command, and exec() throws std::system_error.
  std::size_t max_output = std::size_t{256} * 1024 * 1024;
  /// How long the command may take to end after SIGTERM before it is killed.
  Duration grace = std::chrono::seconds{2};
  /// Standard input: null, inherited or from_file().
  ChildStream stdin_ = ChildStream::null;
  /// Standard output: piped means what `mode` says. With to_file(), append_to_file(), null or
  /// inherited it goes there, and nothing is kept.
  ChildStream stdout_ = ChildStream::piped;
  /// Starts the command in a process group of its own: terminating it also terminates what it has
  /// started, such as all commands of a shell line. A Ctrl-C at the terminal does not reach it.
  bool new_group = false;
};

/// Suspends until a command has ended; returns its output and how it ended. `argv` reaches the
/// program unchanged, without a shell; a program name without a slash is searched in PATH. By
/// default its input is empty, and it inherits no descriptors but its standard streams. exec()
/// returns when the command ends: later output of its surviving children is lost.
///
/// Throws std::system_error if the command cannot start or a file cannot be opened, ValueError for
/// a NUL in `argv` or for piped input, Cancelled, and, when `token` fires first, TimedOut for a
/// timeout, otherwise OperationCancelled. A cancellation, and the token, terminate the command.
ExecResult exec(std::vector<std::string> argv, ExecOptions options = {}, Token token = {},
                Place place = Place::here());

/// The same for a command line of the shell. Never build `command` from untrusted text.
ExecResult exec_shell(std::string command, ExecOptions options = {}, Token token = {},
                      Place place = Place::here());

}  // namespace weft
