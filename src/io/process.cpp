#include "weft/process.hpp"

#include <array>
#include <utility>

#include "base/current.hpp"
#include "io/await_outside.hpp"
#include "reactor/pipe_end.hpp"
#include "reactor/process_table.hpp"
#include "reactor/reactor.hpp"
#include "reactor/spawn_child.hpp"
#include "weft/error.hpp"

namespace weft {

/// Our side of a child.
struct Process::State {
  Ref<ProcessEvent> event;
  std::array<PipeEnd, 3> ends;  // those that are not pipes yet
  std::array<Pipe, 3> pipes;
  Duration grace;
};

Process Process::start(std::vector<std::string> argv, ProcessOptions options) {
  Reactor* const reactor = current_thread.reactor;
  if (reactor == nullptr) throw MisuseError{"Process::start() works only inside weft::run()"};
  reactor->loop();  // from now on a write to a child that is gone kills nobody
  auto state = std::make_unique<State>();
  StartedChild child = spawn_child(ChildPlan{std::move(argv),
                                             std::move(options.directory),
                                             std::move(options.environment),
                                             {options.stdin_, options.stdout_, options.stderr_}});
  try {
    state->event = ProcessEvent::of(child.pid);
  } catch (...) {
    ProcessTable::end_now(child.pid);
    throw;
  }
  state->ends = std::move(child.ends);
  state->grace = options.grace;
  return Process{std::move(state)};
}

Process::Process(std::unique_ptr<State> state) noexcept : state_{std::move(state)} {}

Process::Process(Process&& other) noexcept = default;

Process& Process::operator=(Process&& other) noexcept {
  if (this != &other) {
    let_go(true);
    state_ = std::move(other.state_);
  }
  return *this;
}

Process::~Process() { let_go(true); }

void Process::let_go(bool terminated) noexcept {
  const std::unique_ptr<State> state = std::move(state_);
  if (state == nullptr || state->event->is_closed()) return;
  if (current_thread.reactor == nullptr) {  // it outlived the runtime
    if (terminated) ProcessTable::end_now(*state->event);
    return;
  }
  ProcessTable& processes = current_thread.reactor->processes();
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
  await_outside(*event, token, place);
  return *event->exit_code();
}

void Process::kill(int signal) { state().event->kill(signal); }

void Process::detach() noexcept { let_go(false); }

Pipe& Process::pipe(std::size_t number) {
  Pipe& pipe = state().pipes[number];
  const int descriptor = state().ends[number].release();
  if (descriptor >= 0) pipe = Pipe::adopt(descriptor);
  if (!pipe.is_open())
    throw MisuseError{"This stream of the child is not piped, or was closed or released"};
  return pipe;
}

Pipe& Process::stdin_() { return pipe(0); }
Pipe& Process::stdout_() { return pipe(1); }
Pipe& Process::stderr_() { return pipe(2); }

int Process::release(std::size_t number) noexcept {
  if (state_ == nullptr) return -1;
  const int descriptor = state_->ends[number].release();
  return descriptor >= 0 ? descriptor : state_->pipes[number].give_away();
}

int Process::release_stdin() noexcept { return release(0); }
int Process::release_stdout() noexcept { return release(1); }
int Process::release_stderr() noexcept { return release(2); }

}  // namespace weft
