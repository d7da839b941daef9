#pragma once

#include "object.hpp"

namespace weft_php {

/// Async\Timeout. The timer may be in the loop longer than the object lives, so it is no part of
/// that.
class TimeoutObject final : public Object {
 public:
  TimeoutObject() noexcept = default;
  ~TimeoutObject() override = default;
  void begin(weft::Ref<weft::Timeout> timeout) noexcept { timeout_ = std::move(timeout); }
  [[nodiscard]] weft::Timeout* timeout() const noexcept { return timeout_.get(); }
  [[nodiscard]] weft::Event* event() override { return timeout_.get(); }
  [[nodiscard]] bool is_completed() const override { return timeout_ && timeout_->is_completed(); }
  void outcome(zval* result) override;

 private:
  weft::Ref<weft::Timeout> timeout_;
};

}  // namespace weft_php
