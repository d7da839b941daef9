#pragma once

#include "weft/detail/abi.hpp"

#include <chrono>
#include <csignal>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/child_stream.hpp"
#include "weft/extend/process_event.hpp"
#include "weft/pipe.hpp"
#include "weft/place.hpp"
#include "weft/time.hpp"
#include "weft/token.hpp"

namespace weft {

/// The event that the child process `pid` ends, whether weft started it or not; await() returns its
/// exit code. All waits for one child share one event. Only a wait collects the exit status.
[[nodiscard]] Ref<ProcessEvent> process(int pid);

/// Suspends until the child has ended; returns its exit status, minus the signal that killed it, or
/// -1 if it was collected elsewhere. Throws, when `token` fires first, TimedOut for a timeout,
/// otherwise OperationCancelled.
int await(ProcessEvent& event, Token token = {}, Place place = Place::here());
int await(const Ref<ProcessEvent>& event, Token token = {}, Place place = Place::here());

/// How Process::start() starts a program. Its streams are inherited, piped, null, or files:
///
///     {.stdin_ = weft::from_file("in"), .stdout_ = weft::to_file("log"),
///      .stderr_ = weft::with_output}
struct ProcessOptions {
  /// Its standard input.
  ChildStream stdin_ = ChildStream::inherited;
  /// Its standard output.
  ChildStream stdout_ = ChildStream::inherited;
  /// Its standard error.
  ChildStream stderr_ = ChildStream::inherited;
  /// Working directory of the child; empty: that of this process.
  std::string directory = {};
  /// Environment of the child, as NAME=value; nothing: that of this process.
  std::optional<std::vector<std::string>> environment = std::nullopt;
  /// How long the child may take to end after the SIGTERM of ~Process() before it is killed.
  Duration grace = std::chrono::seconds{2};
  /// Starts the child in a process group of its own, whose id is its pid(): kill_group() and
  /// ~Process() reach everything it has started. A Ctrl-C at the terminal does not reach it.
  bool new_group = false;
};

/// Owns a child process: one that still runs when the Process is destroyed is terminated, unless it
/// was detached. Movable; a moved-from Process may only be assigned to or destroyed.
class Process {
 public:
  /// Starts a program; `argv` reaches it unchanged, without a shell. It inherits no descriptors but
  /// those in `options`. It blocks no signal, and does not ignore SIGTERM and SIGPIPE, even if this
  /// process does. Throws std::system_error if it cannot start or a file cannot be opened,
  /// ValueError for a NUL in `argv`, and MisuseError outside a runtime.
  [[nodiscard]] static Process start(std::vector<std::string> argv, ProcessOptions options = {});

  Process(Process&& other) noexcept;
  Process& operator=(Process&& other) noexcept;
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process();

  /// The id of the process.
  [[nodiscard]] int pid() const;
  /// Suspends until the child has ended, any number of times; returns its exit status, or minus the
  /// signal that killed it. Throws, when `token` fires first, TimedOut for a timeout, otherwise
  /// OperationCancelled; after that, as after a cancellation, the child runs on.
  int wait(Token token = {}, Place place = Place::here());
  /// Sends the child a signal; does nothing if it has ended. Throws std::system_error if the system
  /// refuses.
  void kill(int signal = SIGTERM);
  /// Sends a signal to the child and to everything it has started that is still in its group; does
  /// nothing if its end has been waited for. Throws MisuseError unless it was started with
  /// `new_group`, and std::system_error if the system refuses.
  void kill_group(int signal = SIGTERM);
  /// Lets the child outlive this Process; its end is still noticed as long as the runtime runs.
  void detach() noexcept;

  /// The parent's ends of the piped streams; a stream that is not piped is not open. Closing
  /// stdin_() ends the child's input. They are closed with the Process, unless moved elsewhere.
  [[nodiscard]] Pipe& stdin_();
  /// The other end of its standard output; see stdin_().
  [[nodiscard]] Pipe& stdout_();
  /// The other end of its standard error; see stdin_().
  [[nodiscard]] Pipe& stderr_();

 private:
  struct State;
  explicit Process(std::unique_ptr<State> state) noexcept;
  [[nodiscard]] State& state() const;
  void release(bool terminated) noexcept;

  std::unique_ptr<State> state_;
};

}  // namespace weft
