#include "weft/extend/exec_event.hpp"

#include <algorithm>
#include <csignal>
#include <optional>
#include <string_view>
#include <utility>

#include "process/exec_output.hpp"
#include "process/pipe_reader.hpp"
#include "process/process_table.hpp"
#include "process/spawn_child.hpp"
#include "reactor/reactor.hpp"
#include "signal/signal_table.hpp"
#include "weft/error.hpp"
#include "weft/extend/process_event.hpp"

namespace weft {
namespace {

constexpr std::size_t shown_limit = 65'536;  // more than this stays in the pipe

ChildPlan plan_of(const ExecCommand& command) {
  return ChildPlan{command.argv,
                   command.directory,
                   command.environment,
                   {command.input, command.output, command.errors},
                   command.new_group};
}

}  // namespace

/// The child while it runs: its pipes, and the event of its end.
class ExecEvent::Running final : public PipeReader::Receiver {
 public:
  Running(ExecEvent& event, Reactor& reactor) : event_{event}, reactor_{reactor} {
    // Handled before there is a child: in a program that ignores SIGCHLD the system would collect a
    // child that ends quickly.
    const SignalUse use{SignalTable::of(reactor), SIGCHLD};
    start();
  }
  ~Running() {
    exit_->detach();
    process_->remove_callback(*exit_);
    if (watching_) process_->stop();
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  [[nodiscard]] int pid() const noexcept { return process_->pid(); }
  [[nodiscard]] int killed_by() const noexcept { return process_->killed_by(); }
  /// May find that the command has ended, and then this object is destroyed.
  void watch() {
    watching_ = true;
    const Ref<ProcessEvent> keep = process_;
    keep->start();
  }
  /// Reads the rest of the pipes. Throws what ExecOutput throws.
  void drain(ExecOutput& output) {
    if (output_) drain(*output_, [&](std::string_view chunk) { output.add(chunk); });
    if (errors_) drain(*errors_, [&](std::string_view chunk) { output.add_errors(chunk); });
  }
  void let_wait() noexcept { output_->pause(); }
  void go_on() noexcept {
    if (output_) output_->resume();
  }
  void terminate(Duration grace) noexcept {
    exit_->detach();  // the event may be notified right here
    if (!process_->is_closed()) ProcessTable::of(reactor_).terminate(*process_, grace);
  }

 private:
  /// Outlives Running if the command ends while this is notified.
  class Exit final : public Callback {
   public:
    explicit Exit(ExecEvent& event) noexcept : event_{&event} {}
    void on_notify(Event& /*event*/, const Outcome& outcome) noexcept override {
      if (event_ != nullptr) event_->ended(*outcome.value<int>());
    }
    void detach() noexcept { event_ = nullptr; }

   private:
    ExecEvent* event_;
  };

  void start() {
    exit_ = make_ref<Exit>(event_);
    StartedChild child = spawn_child(plan_of(event_.command_));
    try {
      process_ = ProcessEvent::of(child.pid);
      if (event_.command_.new_group) process_->set_leads_group();
      process_->add_callback(*exit_);
      try {
        if (child.ends[1].is_open()) output_.emplace(reactor_, std::move(child.ends[1]), *this);
        if (child.ends[2].is_open()) errors_.emplace(reactor_, std::move(child.ends[2]), *this);
      } catch (...) {
        process_->remove_callback(*exit_);
        throw;
      }
    } catch (...) {
      ProcessTable::end_now(child.pid);
      throw;
    }
  }

  template <class Keep>
  static void drain(PipeReader& reader, Keep keep) {
    char chunk[2048];
    // Only what is in the pipe now, not what a grandchild may write later.
    for (std::size_t left = reader.available(); left > 0;) {
      const std::size_t size = reader.take(chunk, std::min(left, sizeof chunk));
      if (size == 0) break;
      left -= size;
      keep({chunk, size});
    }
  }

  void received(PipeReader& reader, const char* data, std::size_t size) noexcept override {
    event_.received(!output_ || &reader != &*output_, data, size);
  }

  ExecEvent& event_;
  Reactor& reactor_;
  Ref<Exit> exit_;
  Ref<ProcessEvent> process_;
  std::optional<PipeReader> output_;
  std::optional<PipeReader> errors_;
  bool watching_ = false;
};

ExecEvent::ExecEvent(ExecCommand command)
    : command_{std::move(command)}, output_{std::make_unique<ExecOutput>(command_)} {
  check_plan(plan_of(command_));
  if (command_.input.kind() == ChildStream::piped) {
    throw ValueError{"The input of a command cannot be piped: Process::start() does that"};
  }
}

ExecEvent::~ExecEvent() {
  fail_waiters();
  stop_all();
  close_quietly();
}

void ExecEvent::arm(Reactor& reactor) {
  running_ = std::make_unique<Running>(*this, reactor);
  try {
    running_->watch();
  } catch (...) {
    std::exchange(running_, nullptr)->terminate(command_.grace);
    throw;
  }
}

void ExecEvent::disarm(Reactor& /*reactor*/) noexcept {
  const std::unique_ptr<Running> running = std::move(running_);
  if (running == nullptr) return;  // the command has ended
  running->terminate(command_.grace);
  close_quietly();
}

void ExecEvent::received(bool is_error_output, const char* data, std::size_t size) noexcept {
  try {
    if (is_error_output) {
      output_->add_errors({data, size});
      return;
    }
    output_->add({data, size});
  } catch (...) {
    return failed(std::current_exception());
  }
  if (output_->shown.empty()) return;
  if (output_->shown.size() >= shown_limit) running_->let_wait();
  reactor()->delivered();
  notify();
}

void ExecEvent::ended(int code) noexcept {
  const std::unique_ptr<Running> running = std::move(running_);
  reactor()->delivered();
  try {
    running->drain(*output_);
    output_->finish();
  } catch (...) {
    error_ = std::current_exception();
    return notify_and_close(Outcome{error_});
  }
  output_->result.exit_code = code >= 0 ? code : -1;
  output_->result.signal = running->killed_by();
  code_ = output_->result.exit_code;
  notify_and_close(Outcome::of(code_));
}

void ExecEvent::failed(std::exception_ptr error) noexcept {
  error_ = std::move(error);
  std::exchange(running_, nullptr)->terminate(command_.grace);
  notify_and_close(Outcome{error_});
}

std::string ExecEvent::take_shown() {
  std::string shown = std::exchange(output_->shown, {});
  if (running_ != nullptr) running_->go_on();
  return shown;
}

ExecResult ExecEvent::take_result() {
  if (error_ != nullptr) std::rethrow_exception(error_);
  return std::move(output_->result);
}

int ExecEvent::pid() const noexcept { return running_ != nullptr ? running_->pid() : -1; }

bool ExecEvent::replay(Outcome& outcome) const {
  if (!is_closed()) return false;
  outcome = error_ != nullptr ? Outcome{error_} : Outcome::of(code_);
  return true;
}

std::string ExecEvent::info() const {
  const bool is_shell =
      command_.argv.size() == 3 && command_.argv[0] == "/bin/sh" && command_.argv[1] == "-c";
  const std::string text = is_shell ? command_.argv[2] : command_text(command_.argv);
  return "Exec(cmd=" + text.substr(0, 80) + ")";
}

}  // namespace weft
