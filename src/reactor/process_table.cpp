#include "reactor/process_table.hpp"

#include <csignal>

#include "reactor/reactor.hpp"
#include "reactor/signal_table.hpp"
#include "weft/process_event.hpp"

namespace weft {

ProcessTable::~ProcessTable() {
  for (auto& [pid, event] : events_) event->table_ = nullptr;
}

Ref<ProcessEvent> ProcessTable::find_or_make(int pid) {
  ProcessEvent*& known = events_[pid];
  if (known != nullptr) return Ref<ProcessEvent>{known};
  try {
    auto* const made = new ProcessEvent{pid};
    made->free_with_last_reference();
    made->table_ = this;
    known = made;
    return Ref<ProcessEvent>::adopt(made);
  } catch (...) {
    events_.erase(pid);
    throw;
  }
}

void ProcessTable::forget(ProcessEvent& event) noexcept {
  events_.erase(event.pid_);
  event.table_ = nullptr;
}

void ProcessTable::armed() {
  reactor_.signals().want(SIGCHLD);
  reactor_.hold_time();
}

void ProcessTable::disarmed() noexcept {
  reactor_.release_time();
  reactor_.signals().unwant(SIGCHLD);
}

void ProcessTable::check() noexcept {
  // Found anew after each one: whoever is told may start, stop and drop others.
  for (auto at = events_.begin(); at != events_.end();) {
    const int pid = at->first;
    if (at->second->is_armed()) {
      const Ref<ProcessEvent> keep{at->second};
      keep->look();
    }
    at = events_.upper_bound(pid);
  }
}

}  // namespace weft
