#pragma once

#include "object.hpp"
#include "value.hpp"

namespace weft_php {

/// What an Async\FutureState and its futures share. Warns in PHP's words when it is dropped unused.
class SharedFuture : public weft::FutureState<Value> {
 public:
  explicit SharedFuture(weft::Place created) noexcept : FutureState{created} {}

 protected:
  ~SharedFuture() override = default;
  void dispose() noexcept override;
};

/// Async\FutureState: the side that writes.
class FutureStateObject final : public Object {
 public:
  FutureStateObject() noexcept = default;
  ~FutureStateObject() override {
    if (state_) state_->abandon();
  }
  void begin(weft::Ref<SharedFuture> state) noexcept { state_ = std::move(state); }
  [[nodiscard]] const weft::Ref<SharedFuture>& state() const noexcept { return state_; }

 private:
  weft::Ref<SharedFuture> state_;
};

/// Async\Future: the side that reads.
class FutureObject final : public Object {
 public:
  using Future = weft::Future<Value>;
  FutureObject() noexcept = default;
  ~FutureObject() override = default;
  void begin(Future future) noexcept { future_ = std::move(future); }
  [[nodiscard]] const Future& future() const noexcept { return future_; }
  [[nodiscard]] weft::Event* event() override { return future_ ? &future_.state() : nullptr; }
  [[nodiscard]] bool is_completed() const override { return future_ && future_.is_completed(); }
  void outcome(zval* result) override;
  void add_references(zend_get_gc_buffer* buffer) override;
  void release_references() override;

  /// A new object that reads `future`.
  static FutureObject& make(Future future);

 private:
  Future future_;
};

}  // namespace weft_php
