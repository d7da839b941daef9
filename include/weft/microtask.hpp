#pragma once

#include <cstdint>
#include <utility>

#include "weft/function.hpp"
#include "weft/ref.hpp"

namespace weft {

/// A small function run before the next switch, on the current stack, in the order of posting.
/// Cheaper than a coroutine; it must not suspend. An exception from it leaves the rest queued and
/// starts graceful shutdown.
class Microtask {
 public:
  Microtask(const Microtask&) = delete;
  Microtask& operator=(const Microtask&) = delete;
  virtual ~Microtask() = default;

  virtual void run() = 0;

  /// The queue will release the task without running it.
  void cancel() noexcept { cancelled_ = true; }
  [[nodiscard]] bool is_cancelled() const noexcept { return cancelled_; }

  void retain() noexcept { ++references_; }
  void release() noexcept {
    if (--references_ == 0 && counted_) delete this;
  }
  [[nodiscard]] std::uint32_t references() const noexcept { return references_; }
  void free_with_last_reference() noexcept { counted_ = true; }

 protected:
  Microtask() noexcept = default;

 private:
  std::uint32_t references_ = 1;
  bool cancelled_ = false;
  bool counted_ = false;
};

/// Posts `task`. Does nothing if it is cancelled. Throws std::bad_alloc and, outside a runtime,
/// MisuseError.
void post_microtask(Microtask& task);
/// Posts a callable.
void post_microtask(Function<void()> task);

}  // namespace weft
