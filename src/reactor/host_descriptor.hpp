#pragma once

#include <memory>

#include <uv.h>

#include "weft/time.hpp"

namespace weft {

/// The descriptor that a host with a loop of its own polls. Each backend has its own source.
class HostDescriptor {
 public:
  /// `turns` is the descriptor of the loop's Readiness. Throws std::system_error.
  HostDescriptor(uv_loop_t& loop, int turns);
  ~HostDescriptor();
  HostDescriptor(const HostDescriptor&) = delete;
  HostDescriptor& operator=(const HostDescriptor&) = delete;

  /// Whether the loop has to turn once before prepare().
  [[nodiscard]] bool needs_turn() const noexcept;
  /// Readable when the loop has something to do, and at once if `next` is not after `now`. Whether
  /// it becomes readable at a later `next` depends on the backend.
  int prepare(TimePoint next, TimePoint now) noexcept;
  /// The loop belongs to the parent process and must not be touched.
  void abandon() noexcept;

 private:
  struct Native;
  std::unique_ptr<Native> native_;
};

}  // namespace weft
