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

/// The process events of one reactor, one for each process id.
class ProcessTable final : public LoopTable, private SignalTable::Listener {
 public:
  /// The table of `reactor`.
  static ProcessTable& of(Reactor& reactor);
  explicit ProcessTable(Reactor& reactor);
  /// Detaches the events that outlive the runtime, and kills the orphans.
  ~ProcessTable() override;

  /// The event of `pid`, made if there is none that is still open.
  Ref<ProcessEvent> find_or_make(int pid);
  /// The event closed, or its last reference is gone.
  void forget(ProcessEvent& event) noexcept;

  /// Handles SIGCHLD until `event` closes or is destroyed, awaited or not: in a program that
  /// ignores its children the system would collect the child, and could reuse its id.
  void listen_for(ProcessEvent& event);

  /// An event enters or leaves the loop; SIGCHLD is handled while one is in.
  void armed();
  void disarmed(ProcessEvent& event) noexcept;
  /// The child of an armed event runs: its end is detected even if SIGCHLD is blocked. False: there
  /// is no such process. Throws std::system_error.
  bool watch(ProcessEvent& event);
  /// A child may have ended: checks every armed event.
  void check() noexcept;
  /// The child `pid` has ended.
  void check(int pid) noexcept;

  /// No event waits for the child any more: it is collected when it ends, so that no zombie stays.
  void adopt(ProcessEvent& event) noexcept;
  /// The same for a child that is to end: gets SIGTERM now, and SIGKILL after `grace` or when the
  /// runtime ends.
  void terminate(ProcessEvent& event, Duration grace) noexcept;
  /// Kills the child and collects it, because nothing could do so later.
  static void end_now(ProcessEvent& event) noexcept;
  static void end_now(int pid) noexcept;
  /// In the child of a fork, which has no children yet: every event of this table has ended.
  void after_fork() override { check(); }

 private:
  class Orphan;
  Orphan* take_in(ProcessEvent& event) noexcept;
  struct Row {
    ProcessEvent* event = nullptr;
    ChildWatch watch = {};  // while the event is armed
  };
  void release(ProcessEvent& event) noexcept;
  void collect_orphans() noexcept;
  void signal_arrived() noexcept override { check(); }
  /// While there is an orphan, SIGCHLD is handled and the loop turns.
  void await_orphan();
  void orphan_ended() noexcept;

  Reactor& reactor_;
  SignalTable& signals_;
  std::map<int, Row> rows_;  // by process id
  std::list<Orphan> orphans_;
};

}  // namespace weft
