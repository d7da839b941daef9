#pragma once

#include <cstddef>

namespace weft_test {

/// While it lives, lookups of names that end in ".held", and reverse lookups of 127.0.0.99, block
/// their worker thread until they are released; then they answer like "localhost".
class HeldLookups {
 public:
  HeldLookups() noexcept;
  /// Calls release().
  ~HeldLookups();
  HeldLookups(const HeldLookups&) = delete;
  HeldLookups& operator=(const HeldLookups&) = delete;

  /// Blocks the thread until workers have taken `count` lookups in total.
  void wait_until_taken(std::size_t count) noexcept;
  [[nodiscard]] std::size_t taken() noexcept;
  /// Lets the held lookups and all later ones go on.
  void release() noexcept;
  /// Blocks the thread until all lookups that were taken have ended.
  void wait_until_gone() noexcept;
};

}  // namespace weft_test
