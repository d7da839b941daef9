#include "process/process_table.hpp"

#include <chrono>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <utility>

#include <uv.h>

#include "base/real_calls.hpp"
#include "process/child_table.hpp"
#include "reactor/reactor.hpp"
#include "reactor/uv_handle.hpp"
#include "weft/extend/process_event.hpp"

namespace weft {

/// A child that no event waits for. It is collected when it ends, and keeps no program alive.
class ProcessTable::Orphan {
 public:
  /// By `child`, not by its id: in a forked child the id may be that of another process.
  explicit Orphan(Child& child) noexcept : child_{ChildTable::watch(child)} {}
  explicit Orphan(int pid) : child_{ChildTable::watch(pid)} {}
  ~Orphan() { ChildTable::unwatch(child_); }
  Orphan(const Orphan&) = delete;
  Orphan& operator=(const Orphan&) = delete;

  /// A group that is to be killed has not ended with its leader: while that is not collected, its
  /// id stays that of the group, and the others can be killed.
  [[nodiscard]] bool has_ended() noexcept {
    if (doomed_ && !killed_ && ChildTable::leads_group(child_)) return false;
    return ChildTable::collect(child_).has_value();
  }
  void kill(int signal) noexcept {
    if (signal == SIGKILL) killed_ = true;
    ChildTable::kill_group(child_, signal);
  }
  /// By libuv's clock: children live in real time, even if weft's clock is virtual.
  void kill_after(Duration grace, uv_loop_t& loop, ProcessTable& table) {
    doomed_ = true;
    table_ = &table;
    timer_.open(
        [&](uv_timer_t* handle) {
          handle->data = this;
          return uv_timer_init(&loop, handle);
        },
        "make a timer");
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(grace).count();
    uv_update_time(&loop);
    uv_timer_start(
        timer_.get(), [](uv_timer_t* rung) { static_cast<Orphan*>(rung->data)->end_grace(); },
        wait > 0 ? static_cast<std::uint64_t>(wait) : 0, 0);
  }
  /// The leader of a group may have ended before; then nothing else reports it.
  void end_grace() noexcept {
    kill(SIGKILL);
    table_->check();  // may destroy this
  }
  /// No coroutine awaits it, so a descriptor is used only where SIGCHLD is blocked.
  void watch(Reactor& reactor, int pid) noexcept {
    try {
      if (is_child_signal_blocked()) watch_.begin(reactor, pid);
    } catch (...) {
    }
  }
  [[nodiscard]] bool is_doomed() const noexcept { return doomed_; }
  /// Kills the child and waits for it, which takes the kernel a moment.
  void finish() noexcept {
    kill(SIGKILL);
    for (int tries = 0; tries < 200 && !has_ended(); ++tries) {
      const timespec moment{0, 1'000'000};
      real_calls.nanosleep(&moment, nullptr);
    }
  }

 private:
  Child& child_;
  ChildWatch watch_;
  UvHandle<uv_timer_t> timer_;
  ProcessTable* table_ = nullptr;
  bool doomed_ = false;
  bool killed_ = false;
};

ProcessTable& ProcessTable::of(Reactor& reactor) { return reactor.table<ProcessTable>(); }

ProcessTable::ProcessTable(Reactor& reactor)
    : reactor_{reactor}, signals_{SignalTable::of(reactor)} {
  signals_.set_listener(SIGCHLD, this);
}

ProcessTable::~ProcessTable() {
  for (auto& [pid, row] : rows_) release(*row.event);
  for (Orphan& orphan : orphans_) {
    if (orphan.is_doomed()) orphan.finish();
    orphan_ended();
  }
  signals_.set_listener(SIGCHLD, nullptr);
}

ProcessTable::Orphan* ProcessTable::take_in(ProcessEvent& event) noexcept {
  try {
    await_orphan();
    try {
      Orphan& orphan = orphans_.emplace_back(*event.child_);
      orphan.watch(reactor_, event.pid());
      return &orphan;
    } catch (...) {
      orphan_ended();
    }
  } catch (...) {  // no memory, or no signal handler
  }
  return nullptr;
}

void ProcessTable::await_orphan() {
  signals_.add_user(SIGCHLD);
  reactor_.hold_loop();
}

void ProcessTable::orphan_ended() noexcept {
  reactor_.release_loop();
  signals_.remove_user(SIGCHLD);
}

void ProcessTable::end_now(ProcessEvent& event) noexcept { Orphan{*event.child_}.finish(); }

void ProcessTable::end_now(int pid) noexcept {
  try {
    Orphan{pid}.finish();
  } catch (...) {  // no memory to keep it
    ::kill(pid, SIGKILL);
  }
}

void ProcessTable::adopt(ProcessEvent& event) noexcept {
  if (take_in(event) != nullptr) check();
}

void ProcessTable::terminate(ProcessEvent& event, Duration grace) noexcept {
  Orphan* const orphan = take_in(event);
  if (orphan == nullptr) return end_now(event);
  orphan->kill(SIGTERM);
  try {
    orphan->kill_after(grace, reactor_.loop(), *this);
  } catch (...) {  // no memory for a grace period
    orphan->kill(SIGKILL);
  }
  check();
}

Ref<ProcessEvent> ProcessTable::find_or_make(int pid) {
  ProcessEvent*& known = rows_[pid].event;
  if (known != nullptr) return Ref<ProcessEvent>{known};
  try {
    auto* const made = new ProcessEvent{pid};
    made->free_with_last_reference();
    made->table_ = this;
    known = made;
    return Ref<ProcessEvent>::adopt(made);
  } catch (...) {
    rows_.erase(pid);
    throw;
  }
}

void ProcessTable::forget(ProcessEvent& event) noexcept {
  rows_.erase(event.pid_);
  release(event);
}

void ProcessTable::listen_for(ProcessEvent& event) {
  if (event.is_listened_for_ || event.table_ != this) return;
  signals_.add_user(SIGCHLD);
  event.is_listened_for_ = true;
}

void ProcessTable::release(ProcessEvent& event) noexcept {
  event.table_ = nullptr;
  if (std::exchange(event.is_listened_for_, false)) signals_.remove_user(SIGCHLD);
}

void ProcessTable::armed() {
  signals_.add_user(SIGCHLD);
  reactor_.hold_time();
}

bool ProcessTable::watch(ProcessEvent& event) {
  const auto at = rows_.find(event.pid());
  return at == rows_.end() || at->second.watch.begin(reactor_, event.pid());
}

void ProcessTable::disarmed(ProcessEvent& event) noexcept {
  if (const auto at = rows_.find(event.pid()); at != rows_.end()) at->second.watch.end();
  reactor_.release_time();
  signals_.remove_user(SIGCHLD);
}

void ProcessTable::check() noexcept {
  // Searches anew after each one: a callback may start, stop and destroy other events.
  for (auto at = rows_.begin(); at != rows_.end();) {
    const int pid = at->first;
    if (at->second.event->is_armed()) {
      const Ref<ProcessEvent> keep{at->second.event};
      keep->check_ended();
    }
    at = rows_.upper_bound(pid);
  }
  collect_orphans();
}

void ProcessTable::check(int pid) noexcept {
  const auto at = rows_.find(pid);
  if (at != rows_.end() && at->second.event->is_armed()) {
    const Ref<ProcessEvent> keep{at->second.event};
    keep->check_ended();
  }
  collect_orphans();
}

void ProcessTable::collect_orphans() noexcept {
  for (auto at = orphans_.begin(); at != orphans_.end();) {
    if (!at->has_ended()) {
      ++at;
      continue;
    }
    at = orphans_.erase(at);
    orphan_ended();
  }
}

bool is_child_signal_blocked() noexcept {
  sigset_t mask{};
  ::pthread_sigmask(SIG_BLOCK, nullptr, &mask);
  return sigismember(&mask, SIGCHLD) == 1;
}

}  // namespace weft
