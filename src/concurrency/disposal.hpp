#pragma once

#include "concurrency/scope_core.hpp"

namespace weft {

/// Disposes a scope after a timeout.
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
  /// Not needed any more. Only stopped, because this may be called from its own notification.
  void stop() noexcept { timer_.close(); }
  /// The timer counts as active only while the scope has members.
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
