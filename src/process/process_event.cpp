#include "weft/extend/process_event.hpp"

#include <cerrno>
#include <system_error>

#include "base/current.hpp"
#include "process/child_table.hpp"
#include "process/process_table.hpp"
#include "reactor/reactor.hpp"
#include "weft/error.hpp"

namespace weft {
namespace {

/// A process that has ended needs no signal.
void require_sent(int error, int signal, const char* to, int pid) {
  if (error == 0 || error == ESRCH) return;
  throw std::system_error{
      error, std::generic_category(),
      "send signal " + std::to_string(signal) + " to " + to + std::to_string(pid)};
}

}  // namespace

Ref<ProcessEvent> ProcessEvent::of(int pid) {
  if (pid <= 0) throw ValueError{"There is no process " + std::to_string(pid)};
  if (current_thread.reactor == nullptr) {
    throw MisuseError{"A process can only be waited for inside weft::run()"};
  }
  return ProcessTable::of(*current_thread.reactor).find_or_make(pid);
}

ProcessEvent::ProcessEvent(int pid) : pid_{pid}, child_{&ChildTable::watch(pid)} {}

ProcessEvent::~ProcessEvent() { ChildTable::unwatch(*child_); }

void ProcessEvent::dispose() noexcept {
  stop_all();
  close_quietly();
  if (table_ != nullptr) table_->forget(*this);
  Event::dispose();
}

void ProcessEvent::arm(Reactor& reactor) {
  // The signal handler first, then the check, so that no exit in between is missed.
  ProcessTable::of(reactor).armed();
  check_ended();
  if (is_closed()) return;
  try {
    if (!ProcessTable::of(reactor).watch(*this))
      check_ended();  // other code has collected it just now
  } catch (...) {
    ProcessTable::of(reactor).disarmed(*this);
    throw;
  }
}

void ProcessEvent::disarm(Reactor& reactor) noexcept { ProcessTable::of(reactor).disarmed(*this); }

void ProcessEvent::check_ended() noexcept {
  const std::optional<ChildEnd> end = ChildTable::collect(*child_);
  if (!end) return;
  code_ = end->code;
  killed_by_ = end->signal;
  if (table_ != nullptr) table_->forget(*this);
  reactor()->delivered();
  notify_and_close(Outcome::of(*code_));
}

void ProcessEvent::kill(int signal) const {
  require_sent(ChildTable::kill(*child_, signal), signal, "process ", pid_);
}

void ProcessEvent::kill_group(int signal) const {
  require_sent(ChildTable::kill_group(*child_, signal), signal, "process group ", pid_);
}

void ProcessEvent::set_leads_group() noexcept { ChildTable::set_leads_group(*child_); }

bool ProcessEvent::leads_group() const noexcept { return ChildTable::leads_group(*child_); }

bool ProcessEvent::replay(Outcome& outcome) const {
  if (!code_) return false;
  outcome = Outcome::of(*code_);
  return true;
}

std::string ProcessEvent::info() const { return "Process(pid=" + std::to_string(pid_) + ")"; }

}  // namespace weft
