#pragma once

#include "weft/time.hpp"

namespace weft {

/// The time source of a runtime. The real one is the steady clock of the system.
class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual TimePoint now() noexcept = 0;
  /// A virtual clock jumps instead of sleeping.
  [[nodiscard]] virtual bool is_virtual() const noexcept { return false; }
  virtual void jump_to(TimePoint) noexcept {}
  virtual void passed(unsigned) noexcept {}

  static Clock& real() noexcept;
};

}  // namespace weft
