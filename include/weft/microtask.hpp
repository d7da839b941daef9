#pragma once

#include "weft/detail/abi.hpp"

#include <utility>

#include "weft/function.hpp"
#include "weft/ref.hpp"

namespace weft {

/// A small function run before the next switch, on the current stack, in the order of posting.
/// Cheaper than a coroutine; it must not suspend. An exception from it leaves the rest queued and
/// starts graceful shutdown.
class Microtask : public Counted<Microtask> {
 public:
  virtual ~Microtask() = default;

  /// What to do. Must not suspend.
  virtual void run() = 0;

  /// The queue will release the task without running it.
  void cancel() noexcept { cancelled_ = true; }
  /// Whether cancel() came before it ran.
  [[nodiscard]] bool is_cancelled() const noexcept { return cancelled_; }

 protected:
  Microtask() noexcept = default;

 private:
  bool cancelled_ = false;
};

/// Posts `task`. Does nothing if it is cancelled. Throws std::bad_alloc and, outside a runtime,
/// MisuseError.
void post_microtask(Microtask& task);
/// Posts a callable.
void post_microtask(Function<void()> task);

}  // namespace weft
