#pragma once

#include <cstddef>
#include <mutex>

#include <uv.h>

#include "reactor/uv_handle.hpp"

namespace weft {

class Reactor;
class Trigger;

/// How other threads wake the loop: one async handle per reactor and a locked list of fired
/// triggers.
class Mailbox {
 public:
  explicit Mailbox(Reactor& reactor);
  /// From any thread.
  void post(Trigger& trigger) noexcept;
  /// On the loop's thread: removes `trigger`, posted or not.
  void remove(Trigger& trigger) noexcept;
  /// On the loop's thread: notifies the triggers that are posted now. Triggers posted meanwhile,
  /// also by their callbacks, wake the loop again and are notified in the next turn.
  void deliver() noexcept;
  void close() noexcept { async_.close(); }
  /// Takes out the trigger that was posted first; null if there is none.
  Trigger* take() noexcept;

 private:
  void unlink(Trigger& trigger) noexcept;

  Reactor& reactor_;
  std::mutex mutex_;
  Trigger* first_ = nullptr;
  Trigger* last_ = nullptr;
  std::size_t posted_ = 0;  // length of the list
  UvHandle<uv_async_t> async_;
};

}  // namespace weft
