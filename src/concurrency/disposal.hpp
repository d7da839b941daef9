#pragma once

#include "concurrency/scope_core.hpp"

namespace weft {

/// Disposes a scope when its time has come.
class ScopeCore::Disposal final : public Callback {
 public:
  Disposal(ScopeCore& scope, Duration duration) : scope_{scope}, timer_{duration} {
    timer_.add_callback(*this);
    try {
      timer_.start();
    } catch (...) {
      timer_.remove_callback(*this);
      throw;
    }
  }
  ~Disposal() override {
    stop();
    timer_.remove_callback(*this);
  }
  /// Not needed any more. It stays, because this may be called while it notifies.
  void stop() noexcept { timer_.close(); }
  /// Whether there is somebody to wait for: nothing is kept alive to dispose an empty scope.
  void count(bool inhabited) noexcept { timer_.set_hidden(!inhabited); }
  void on_notify(Event& /*event*/, const Outcome& /*outcome*/) noexcept override {
    const Pin keep{scope_};
    scope_.dispose_with("Scope has been disposed due to timeout");
  }

 private:
  ScopeCore& scope_;
  Timer timer_;
};

}  // namespace weft
