#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>
#include <cstdint>

#include "weft/time.hpp"

namespace weft {

/// Whether to sleep when there is nothing to do, `yes` or `no`.
enum class Wait : bool { no, yes };

/// All that the scheduler knows of event sources. The reactor is one; an embedding program may
/// provide its own (`Options::driver`).
class Driver {
 public:
  virtual ~Driver() = default;
  /// Polls for events and notifies them; with Wait::yes it sleeps until something happens, at most
  /// until `limit`. Returns whether a visible event could still happen. Failures of callbacks are
  /// left pending.
  virtual bool poll(Wait wait, TimePoint limit) noexcept = 0;
  /// The present time.
  [[nodiscard]] virtual TimePoint now() noexcept = 0;
  /// Called after `passes` scheduler passes with ready coroutines (a virtual clock moves on).
  virtual void passed(unsigned passes) noexcept = 0;
  /// Armed events that could still wake a coroutine.
  [[nodiscard]] virtual std::size_t active_events() const noexcept = 0;
  /// Ends the poll() that sleeps, or the next one. Called by signal handlers: must be
  /// async-signal-safe.
  virtual void interrupt() noexcept {}
};

}  // namespace weft
