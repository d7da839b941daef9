#pragma once

#include "weft/detail/abi.hpp"

#include "weft/time.hpp"

namespace weft {

/// The time source of a runtime. The real one is the steady clock of the system.
class Clock {
 public:
  virtual ~Clock() = default;
  /// The present time.
  [[nodiscard]] virtual TimePoint now() noexcept = 0;
  /// A virtual clock jumps instead of sleeping.
  [[nodiscard]] virtual bool is_virtual() const noexcept { return false; }
  /// Moves a virtual clock to the next deadline; a real one does nothing.
  virtual void jump_to(TimePoint) noexcept {}
  /// Gives a virtual clock the number of scheduler passes.
  virtual void passed(unsigned) noexcept {}

  /// The steady clock of the system.
  static Clock& real() noexcept;
};

}  // namespace weft
