#pragma once

#include <cstddef>
#include <map>

#include "weft/ref.hpp"

namespace weft {

class ProcessEvent;
class Reactor;

/// The process events of one reactor, by process id: one for each.
class ProcessTable {
 public:
  explicit ProcessTable(Reactor& reactor) noexcept : reactor_{reactor} {}
  /// Lets go of the events that outlive the runtime.
  ~ProcessTable();
  ProcessTable(const ProcessTable&) = delete;
  ProcessTable& operator=(const ProcessTable&) = delete;

  /// The event of `pid`, made if there is none that is still open.
  Ref<ProcessEvent> find_or_make(int pid);
  /// It closed, or the last reference is gone.
  void forget(ProcessEvent& event) noexcept;

  /// An event enters or leaves the loop; the child-exit signal is heard while one is in.
  void armed();
  void disarmed() noexcept;
  /// A child may have ended: looks at every armed event.
  void check() noexcept;

 private:
  Reactor& reactor_;
  std::map<int, ProcessEvent*> events_;
};

}  // namespace weft
