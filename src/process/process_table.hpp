#pragma once

#include <list>
#include <map>

#include "process/child_watch.hpp"
#include "reactor/loop_table.hpp"
#include "signal/signal_table.hpp"
#include "weft/ref.hpp"
#include "weft/time.hpp"

namespace weft {

class ProcessEvent;
class Reactor;

/// The process events of one reactor, by process id: one for each.
class ProcessTable final : public LoopTable, private SignalTable::Listener {
 public:
  /// The table of `reactor`.
  static ProcessTable& of(Reactor& reactor);
  explicit ProcessTable(Reactor& reactor);
  /// Lets go of the events that outlive the runtime, and ends the orphans.
  ~ProcessTable() override;

  /// The event of `pid`, made if there is none that is still open.
  Ref<ProcessEvent> find_or_make(int pid);
  /// It closed, or the last reference is gone.
  void forget(ProcessEvent& event) noexcept;

  /// The child-exit signal is heard until `event` closes or goes, whether somebody waits or not: in
  /// a program that ignores its children the system would collect it, and give its id to another.
  void listen_for(ProcessEvent& event);

  /// An event enters or leaves the loop; the child-exit signal is heard while one is in.
  void armed();
  void disarmed(ProcessEvent& event) noexcept;
  /// The child of an armed event runs: its end is seen though the signal is blocked. False: there
  /// is no such process. Throws std::system_error.
  bool watch(ProcessEvent& event);
  /// A child may have ended: looks at every armed event.
  void check() noexcept;
  /// The child `pid` has ended.
  void check(int pid) noexcept;

  /// Nobody waits for the child any more: it is collected when it ends, so that no zombie stays.
  void adopt(ProcessEvent& event) noexcept;
  /// The same for one that shall end: asked to now, killed when `grace` has passed or the runtime
  /// ends.
  void terminate(ProcessEvent& event, Duration grace) noexcept;
  /// Kills the child and collects it, where nobody can do it later.
  static void end_now(ProcessEvent& event) noexcept;
  static void end_now(int pid) noexcept;
  /// The process has no children yet: every event of this table has ended.
  void after_fork() override { check(); }

 private:
  class Orphan;
  Orphan* take_in(ProcessEvent& event) noexcept;
  struct Row {
    ProcessEvent* event = nullptr;
    ChildWatch watch = {};  // while the event is armed
  };
  void let_go(ProcessEvent& event) noexcept;
  void collect_orphans() noexcept;
  void signal_arrived() noexcept override { check(); }
  /// The child-exit signal is heard and the loop turns for as long as there is an orphan.
  void await_orphan();
  void orphan_ended() noexcept;

  Reactor& reactor_;
  SignalTable& signals_;
  std::map<int, Row> rows_;  // by process id
  std::list<Orphan> orphans_;
};

}  // namespace weft
