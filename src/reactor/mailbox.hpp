#pragma once

#include <cstddef>
#include <mutex>

#include <uv.h>

#include "reactor/uv_handle.hpp"
#include "weft/detail/intrusive_list.hpp"

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
  Reactor& reactor_;
  std::mutex mutex_;
  detail::IntrusiveList<Trigger> list_;
  std::size_t posted_ = 0;  // its length
  UvHandle<uv_async_t> async_;
};

}  // namespace weft
