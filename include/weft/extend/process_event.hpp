#pragma once

#include "weft/detail/abi.hpp"

#include <optional>

#include "weft/extend/loop_event.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"

namespace weft {

class Child;
class ProcessTable;

/// Notifies when a child process has ended. A runtime has one per process id, because an exit
/// status can be collected only once; all waits for the child share it. Closes then, and keeps the
/// exit code.
class ProcessEvent final : public LoopEvent {
 public:
  /// The event of the child `pid`. Throws ValueError unless `pid` is above 0, and MisuseError
  /// outside a runtime.
  [[nodiscard]] static Ref<ProcessEvent> of(int pid);
  ~ProcessEvent() override;

  /// The id of the process.
  [[nodiscard]] int pid() const noexcept { return pid_; }
  /// The exit status; minus the number of the signal that killed it; -1 if the status was collected
  /// elsewhere, or there is no such child. Nothing while the child runs, as far as known: only a
  /// started event checks.
  [[nodiscard]] std::optional<int> exit_code() const noexcept { return code_; }
  /// The signal that killed it, or 0.
  [[nodiscard]] int killed_by() const noexcept { return killed_by_; }
  /// Sends `signal` to the child. Does nothing once its status is collected: its id may be another
  /// process's by then. Throws std::system_error if the system refuses.
  void kill(int signal) const;
  /// The same for all processes of the group that the child leads; the child alone if it leads
  /// none.
  void kill_group(int signal) const;
  /// Records that the child leads a process group: terminating it terminates the group.
  void set_leads_group() noexcept;
  /// Whether the child leads a process group; see set_leads_group().
  [[nodiscard]] bool leads_group() const noexcept;
  using Event::replay;
  bool replay(Outcome& outcome) const override;
  [[nodiscard]] std::string info() const override;

 private:
  friend class ProcessTable;
  explicit ProcessEvent(int pid);
  void arm(Reactor& reactor) override;
  void disarm(Reactor& reactor) noexcept override;
  void dispose() noexcept override;
  /// Closes if the child has ended.
  void check_ended() noexcept;

  int pid_;
  Child* child_ = nullptr;         // shared by the runtimes of this process
  ProcessTable* table_ = nullptr;  // that lists it while it is open
  std::optional<int> code_;
  int killed_by_ = 0;
  bool is_listened_for_ = false;  // the table listens for it, even without a waiter
};

}  // namespace weft
