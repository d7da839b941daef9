#pragma once

#include <cstddef>

namespace weft_test {

/// While it lives, lookups of names that end in ".held" stay with their worker thread until they
/// are released; then they answer like "localhost". So do reverse lookups of 127.0.0.99.
class HeldLookups {
 public:
  HeldLookups() noexcept;
  /// Releases.
  ~HeldLookups();
  HeldLookups(const HeldLookups&) = delete;
  HeldLookups& operator=(const HeldLookups&) = delete;

  /// Blocks the thread until workers have taken `count` of them, all in all.
  void wait_until_taken(std::size_t count) noexcept;
  [[nodiscard]] std::size_t taken() noexcept;
  /// Lets the held lookups go on, and all that come.
  void release() noexcept;
  /// Blocks the thread until all lookups that were taken have ended.
  void wait_until_gone() noexcept;
};

}  // namespace weft_test
