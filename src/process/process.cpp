#include "weft/process.hpp"

#include <array>
#include <cstddef>
#include <utility>

#include "base/current.hpp"
#include "io/io_wait.hpp"
#include "process/process_table.hpp"
#include "process/spawn_child.hpp"
#include "reactor/reactor.hpp"
#include "signal/signal_table.hpp"
#include "wait/await_as.hpp"
#include "weft/error.hpp"

namespace weft {
namespace {

constexpr const char* stream_names[] = {"standard input", "standard output", "standard error"};

}  // namespace

/// What a Process owns of its child.
struct Process::State {
  Ref<ProcessEvent> event;
  std::array<Pipe, 3> streams;
  Duration grace;
};

Process Process::start(std::vector<std::string> argv, ProcessOptions options) {
  Reactor* const reactor = current_thread.reactor;
  if (reactor == nullptr) throw MisuseError{"Process::start() works only inside weft::run()"};
  auto state = std::make_unique<State>();
  const std::string program = argv.empty() ? std::string{} : argv.front();
  // Handled before there is a child, and until it has ended: see listen_for().
  const SignalUse use{SignalTable::of(*reactor), SIGCHLD};
  StartedChild child = spawn_child(ChildPlan{std::move(argv),
                                             std::move(options.directory),
                                             std::move(options.environment),
                                             {options.stdin_, options.stdout_, options.stderr_},
                                             options.new_group});
  state->grace = options.grace;
  try {
    state->event = ProcessEvent::of(child.pid);
    if (options.new_group) state->event->set_leads_group();
    ProcessTable::of(*reactor).listen_for(*state->event);
    for (std::size_t i = 0; i < child.ends.size(); ++i) {
      if (!child.ends[i].is_open()) continue;
      state->streams[i] = Pipe::adopt(child.ends[i].get());
      static_cast<void>(child.ends[i].release());
      // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): an array has no fourth element
      state->streams[i].io().set_name(std::string{stream_names[i]} + " of " + program +
                                      " (process " + std::to_string(child.pid) + ")");
    }
  } catch (...) {
    ProcessTable::end_now(child.pid);
    throw;
  }
  return Process{std::move(state)};
}

Process::Process(std::unique_ptr<State> state) noexcept : state_{std::move(state)} {}

Process::Process(Process&& other) noexcept = default;

Process& Process::operator=(Process&& other) noexcept {
  if (this != &other) {
    release(true);
    state_ = std::move(other.state_);
  }
  return *this;
}

Process::~Process() { release(true); }

void Process::release(bool terminated) noexcept {
  const std::unique_ptr<State> state = std::move(state_);
  if (state == nullptr || state->event->is_closed()) return;
  if (current_thread.reactor == nullptr) {  // the object has outlived the runtime
    if (terminated) ProcessTable::end_now(*state->event);
    return;
  }
  ProcessTable& processes = ProcessTable::of(*current_thread.reactor);
  if (terminated) {
    processes.terminate(*state->event, state->grace);
  } else {
    processes.adopt(*state->event);
  }
}

Process::State& Process::state() const {
  if (state_ == nullptr) throw MisuseError{"This Process was moved from, or detached"};
  return *state_;
}

int Process::pid() const { return state().event->pid(); }

int Process::wait(Token token, Place place) {
  const Ref<ProcessEvent> event = state().event;
  naming_timeouts([&] { return "wait for process " + std::to_string(event->pid()); },
                  [&] { await_as("Process::wait()", *event, token, place); });
  return *event->exit_code();
}

void Process::kill(int signal) { state().event->kill(signal); }

void Process::kill_group(int signal) {
  const State& mine = state();
  if (!mine.event->leads_group()) {
    throw MisuseError{"kill_group() needs a process that was started with new_group"};
  }
  mine.event->kill_group(signal);
}

void Process::detach() noexcept { release(false); }

Pipe& Process::stdin_() { return state().streams[0]; }

Pipe& Process::stdout_() { return state().streams[1]; }

Pipe& Process::stderr_() { return state().streams[2]; }

}  // namespace weft
