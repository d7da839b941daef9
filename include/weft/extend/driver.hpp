#pragma once

#include <cstddef>
#include <cstdint>

#include "weft/time.hpp"

namespace weft {

/// Whether to sleep when there is nothing to do.
enum class Wait : bool { no, yes };

/// All that the scheduler knows of the outside. The reactor is one; an embedding program may bring
/// its own (`Options::driver`).
class Driver {
 public:
  virtual ~Driver() = default;
  /// Collects what has happened and notifies; with Wait::yes it sleeps until something happens, at
  /// most until `limit`. Returns whether anything visible could still happen. Failures of callbacks
  /// are left pending.
  virtual bool poll(Wait wait, TimePoint limit) noexcept = 0;
  [[nodiscard]] virtual TimePoint now() noexcept = 0;
  /// `passes` scheduler passes went by while somebody was ready (a virtual clock moves on).
  virtual void passed(unsigned passes) noexcept = 0;
  /// Armed events that could still wake somebody.
  [[nodiscard]] virtual std::size_t active_events() const noexcept = 0;
};

}  // namespace weft
