#pragma once

#include <cstddef>
#include <mutex>

#include <uv.h>

#include "reactor/uv_handle.hpp"

namespace weft {

class Reactor;
class Trigger;

/// Where other threads knock: one async handle per reactor and a locked list of the triggers that
/// fired.
class Mailbox {
 public:
  explicit Mailbox(Reactor& reactor);
  /// From any thread.
  void post(Trigger& trigger) noexcept;
  /// On the loop's thread: `trigger` leaves, whether it was posted or not.
  void remove(Trigger& trigger) noexcept;
  /// On the loop's thread: tells the triggers that are posted now. Those posted meanwhile, even by
  /// the ones that are told, have their own knock and are told in the next look.
  void deliver() noexcept;
  void close() noexcept { async_.close(); }
  /// The trigger that was posted first, taken out; null if there is none.
  Trigger* take() noexcept;

 private:
  void unlink(Trigger& trigger) noexcept;

  Reactor& reactor_;
  std::mutex mutex_;
  Trigger* first_ = nullptr;
  Trigger* last_ = nullptr;
  std::size_t posted_ = 0;  // how many there are
  UvHandle<uv_async_t> async_;
};

}  // namespace weft
