#pragma once

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

/// The end of the child `pid`, whoever started it; await() gives its exit code. All who wait for
/// the same child share one event. Only a wait collects the exit status.
[[nodiscard]] Ref<ProcessEvent> process(int pid);

/// Suspends until the child has ended; returns its exit status, minus the signal that killed it, or
/// -1 if somebody else has collected it. `token` ends the wait with OperationCancelled.
int await(ProcessEvent& event, Token token = {}, Place place = Place::here());
int await(const Ref<ProcessEvent>& event, Token token = {}, Place place = Place::here());

/// How Process::start() starts a program. Its streams are inherited, piped, null, or files:
///
///     {.stdin_ = weft::from_file("in"), .stdout_ = weft::to_file("log"),
///      .stderr_ = weft::with_output}
struct ProcessOptions {
  ChildStream stdin_ = ChildStream::inherited;
  ChildStream stdout_ = ChildStream::inherited;
  ChildStream stderr_ = ChildStream::inherited;
  /// Where it runs; empty: where we do.
  std::string directory = {};
  /// Its environment, as NAME=value; nothing: ours.
  std::optional<std::vector<std::string>> environment = std::nullopt;
  /// How long it may take to end after SIGTERM, when its owner is gone, before it is killed.
  Duration grace = std::chrono::seconds{2};
  /// Starts it in a process group of its own, the id of which is its pid(): kill_group() reaches
  /// all that it has started, and so does the termination when its owner is gone. A Ctrl-C at the
  /// terminal does not reach it.
  bool new_group = false;
};

/// A child process of ours. Its owner: one that still runs when this is destroyed is terminated,
/// unless it was detached. Movable; a moved-from one may only be assigned to or destroyed.
class Process {
 public:
  /// Starts a program; the words reach it as they are, no shell looks at them. It gets no
  /// descriptor of ours but those asked for. It blocks no signal, and does not ignore SIGTERM and
  /// SIGPIPE, even if we do. Throws std::system_error if it cannot start or a file cannot be
  /// opened, ValueError for a NUL in a word, and MisuseError outside a runtime.
  [[nodiscard]] static Process start(std::vector<std::string> argv, ProcessOptions options = {});

  Process(Process&& other) noexcept;
  Process& operator=(Process&& other) noexcept;
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process();

  [[nodiscard]] int pid() const;
  /// Suspends until it has ended, any number of times; returns its exit status, or minus the signal
  /// that killed it. Throws TimedOut for a timeout as `token`; it runs on then, and after a
  /// cancellation as well.
  int wait(Token token = {}, Place place = Place::here());
  /// Sends it a signal; nothing if it has ended. Throws std::system_error if the system refuses.
  void kill(int signal = SIGTERM);
  /// Sends a signal to it and to all that it has started and that is still in its group; nothing if
  /// its end has been waited for. Throws MisuseError unless it was started with `new_group`, and
  /// std::system_error if the system refuses.
  void kill_group(int signal = SIGTERM);
  /// It goes on without us; its end is still noticed as long as the runtime runs.
  void detach() noexcept;

  /// Our ends of its piped streams; one that is not piped is not open. The child sees the end of
  /// its input when ours is closed. They are closed with this, unless moved elsewhere.
  [[nodiscard]] Pipe& stdin_();
  [[nodiscard]] Pipe& stdout_();
  [[nodiscard]] Pipe& stderr_();

 private:
  struct State;
  explicit Process(std::unique_ptr<State> state) noexcept;
  [[nodiscard]] State& state() const;
  void let_go(bool terminated) noexcept;

  std::unique_ptr<State> state_;
};

}  // namespace weft
