#pragma once

#include "weft/detail/abi.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/child_stream.hpp"
#include "weft/exec_result.hpp"
#include "weft/extend/loop_event.hpp"
#include "weft/time.hpp"

namespace weft {

class ExecOutput;

/// A command, and how to run it.
struct ExecCommand {
  /// The program and its arguments.
  std::vector<std::string> argv = {};
  /// What happens to its output.
  ExecMode mode = ExecMode::whole;
  /// Piped means kept in the result.
  ChildStream errors = ChildStream::inherited;
  /// Where it runs; empty for the working directory of this process.
  std::string directory = {};
  /// Its environment, as "NAME=value"; without a value that of this process.
  std::optional<std::vector<std::string>> environment = std::nullopt;
  /// More output than this in memory ends the command with an error.
  std::size_t max_output = std::size_t{256} * 1024 * 1024;
  /// How long the command may take to end after SIGTERM before it is killed.
  Duration grace = std::chrono::seconds{2};
  /// Its standard input.
  ChildStream input = ChildStream::null;
  /// Piped means what the mode says; otherwise nothing is kept.
  ChildStream output = ChildStream::piped;
  /// In a process group of its own, which is terminated with it.
  bool new_group = false;
};

/// Runs a command: the first start starts it. Notifies and closes when the command has ended, even
/// if its output has not. In the modes that pass output through it also notifies whenever there is
/// output to take, and the command waits until it is taken.
///
/// If the last start is stopped, or the event destroyed, before its end, the command is terminated
/// and its pipes are closed. A wait starts and stops: to wait more than once, call start() as well.
class ExecEvent final : public LoopEvent {
 public:
  /// Throws ValueError if the command is invalid.
  explicit ExecEvent(ExecCommand command);
  ~ExecEvent() override;

  /// The output since the last call, to be passed through.
  [[nodiscard]] std::string take_shown();
  /// The result, once. Before the end, and if the command was interrupted, the exit code is -1.
  /// Throws the error that made it fail.
  [[nodiscard]] ExecResult take_result();
  /// -1 if the command does not run.
  [[nodiscard]] int pid() const noexcept;
  using Event::replay;
  bool replay(Outcome& outcome) const override;
  [[nodiscard]] std::string info() const override;

 private:
  class Running;
  /// Starts the command. Throws std::system_error.
  void arm(Reactor& reactor) override;
  void disarm(Reactor& reactor) noexcept override;
  void received(bool is_error_output, const char* data, std::size_t size) noexcept;
  void ended(int code) noexcept;
  void failed(std::exception_ptr error) noexcept;

  ExecCommand command_;
  std::unique_ptr<ExecOutput> output_;
  std::unique_ptr<Running> running_;
  std::exception_ptr error_;
  int code_ = -1;
};

}  // namespace weft
