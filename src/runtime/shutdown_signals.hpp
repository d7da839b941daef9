#pragma once

#include <memory>
#include <vector>

#include "weft/extend/signal_event.hpp"

namespace weft {

class Reactor;

/// The signals that begin a graceful shutdown of this runtime. The first one that arrives restores
/// the previous disposition of all of them, so the next one has its previous effect.
class ShutdownSignals {
 public:
  /// Throws what SignalEvent throws.
  ShutdownSignals(Reactor& reactor, const std::vector<int>& numbers);
  ~ShutdownSignals();
  ShutdownSignals(const ShutdownSignals&) = delete;
  ShutdownSignals& operator=(const ShutdownSignals&) = delete;

 private:
  class Watch;
  void received(int number) noexcept;
  void release() noexcept;

  Reactor& reactor_;
  std::vector<std::unique_ptr<Watch>> watches_;
};

}  // namespace weft
