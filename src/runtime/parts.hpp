#pragma once

#include <memory>
#include <optional>

#include "base/slab.hpp"
#include "base/warning.hpp"
#include "context/overflow.hpp"
#include "reactor/reactor.hpp"
#include "runtime/root_scope.hpp"
#include "runtime/shutdown_signals.hpp"
#include "scheduler/scheduler.hpp"
#include "weft/runtime.hpp"

namespace weft {

/// The parts of a runtime, in the order in which they are built.
struct Runtime::Parts {
  explicit Parts(Options given);
  ~Parts();
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  struct SlabOwner {
    void operator()(Slab* owned) const noexcept { owned->release(); }
  };

  Options options;
  WarningSink warnings;
  std::unique_ptr<Slab, SlabOwner> slab;
  std::unique_ptr<Slab, SlabOwner> wide_slab;
  std::unique_ptr<Reactor> reactor;
  RootScope root;
  std::optional<OverflowWatch> overflow;
  std::unique_ptr<Scheduler> scheduler;
  std::optional<ShutdownSignals> signals;
};

}  // namespace weft
