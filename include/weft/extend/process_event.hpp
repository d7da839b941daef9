#pragma once

#include <optional>

#include "weft/extend/loop_event.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"

namespace weft {

class Child;
class ProcessTable;

/// Tells when a child process has ended. There is one per process id in a runtime, because an exit
/// status can be collected only once; all who wait for the child share it. Closes when it has
/// happened, and keeps the exit code.
class ProcessEvent final : public LoopEvent {
 public:
  /// The event of the child `pid`. Throws ValueError unless `pid` is above 0, and MisuseError
  /// outside a runtime.
  [[nodiscard]] static Ref<ProcessEvent> of(int pid);
  ~ProcessEvent() override;

  [[nodiscard]] int pid() const noexcept { return pid_; }
  /// The exit status; minus the number of the signal that killed it; -1 if somebody else has
  /// collected the status, or there is no such child. Nothing while it runs, as far as we know:
  /// only a started event looks.
  [[nodiscard]] std::optional<int> exit_code() const noexcept { return code_; }
  /// The signal that killed it, or 0.
  [[nodiscard]] int killed_by() const noexcept { return killed_by_; }
  /// Sends `signal` to the child. Does nothing once its status is collected: its id may be another
  /// process's by then. Throws std::system_error if the system refuses.
  void kill(int signal) const;
  /// The same for all processes of the group that the child leads; the child alone if it leads
  /// none.
  void kill_group(int signal) const;
  /// The child was started as the first of a process group: to end it means to end the group.
  void set_leads_group() noexcept;
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
  void look() noexcept;

  int pid_;
  Child* child_ = nullptr;         // shared by the runtimes of this process
  ProcessTable* table_ = nullptr;  // where it can be found while it is open
  std::optional<int> code_;
  int killed_by_ = 0;
  bool heard_ = false;  // the table listens for it, whether somebody waits or not
};

}  // namespace weft
