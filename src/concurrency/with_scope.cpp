#include "weft/with_scope.hpp"

#include "base/warning.hpp"
#include "concurrency/scope_core.hpp"
#include "scheduler/error_chain.hpp"
#include "scheduler/shield.hpp"
#include "weft/error.hpp"
#include "weft/extend/section.hpp"

namespace weft::detail {

class ScopeBlock::FailureSink final : public ScopeFailureSink {
 public:
  explicit FailureSink(Place place)
      : scope_{*new ScopeCore{&current_thread.scheduler->owner_for_spawn(), false, place}} {
    scope_.set_failure_sink(this);
  }
  ~FailureSink() {
    scope_.set_failure_sink(nullptr);
    scope_.drop_holder();
  }
  FailureSink(const FailureSink&) = delete;
  FailureSink& operator=(const FailureSink&) = delete;

  [[nodiscard]] ScopeCore& scope() noexcept { return scope_; }
  void keep(std::exception_ptr error) noexcept override {
    // A cancellation carries the failure along; another error of the body comes first.
    const bool later = failure_ != nullptr || (error_ != nullptr && !is_cancellation(error_));
    if (later) {
      try {
        warn("a scope failed twice; only the first failure is thrown, this one is lost: " +
             describe(error));
      } catch (...) {  // no memory for the text
      }
      return;
    }
    failure_ = std::move(error);
    section_.cancel();  // ends the body, or the wait for the other coroutines
  }
  /// The body ended with `error`.
  void end_with(std::exception_ptr error) noexcept {
    scope_.cancel_all(scope_.failure_text());
    if (error_ != nullptr || is_own(error)) return;
    // A cancellation of more than this block must not be lost.
    if (failure_ == nullptr || is_cancellation(error)) {
      error_ = std::move(error);
    } else {
      keep(std::move(error));
    }
  }
  [[noreturn]] void throw_failure() {
    link_errors(error_, failure_);
    std::rethrow_exception(error_ != nullptr ? error_ : failure_);
  }
  [[nodiscard]] bool has_failed() const noexcept {
    return error_ != nullptr || failure_ != nullptr;
  }

 private:
  [[nodiscard]] bool is_own(const std::exception_ptr& error) const noexcept {
    try {
      std::rethrow_exception(error);
    } catch (const Cancelled& cancelled) {
      return section_.caused(cancelled);
    } catch (...) {
      return false;
    }
  }

  Section section_{"with_scope()"};
  ScopeCore& scope_;
  std::exception_ptr failure_;  // of a coroutine
  std::exception_ptr error_;    // of the body, or of the wait
};

ScopeBlock::ScopeBlock(Place place) {
  Scheduler::here("with_scope()");
  failure_sink_ = new FailureSink{place};
}

ScopeBlock::~ScopeBlock() { delete failure_sink_; }

Scope& ScopeBlock::scope() noexcept { return failure_sink_->scope(); }

void ScopeBlock::fail(std::exception_ptr error) noexcept {
  failure_sink_->end_with(std::move(error));
}

void ScopeBlock::finish(Place place) {
  ScopeCore& scope = failure_sink_->scope();
  if (!failure_sink_->has_failed()) {
    try {
      scope.wait_until_empty(place);
      scope.close();  // the block waits for its finally handlers
      scope.wait_until_empty(place);
    } catch (...) {
      failure_sink_->end_with(std::current_exception());
    }
  }
  if (scope.is_inhabited()) {
    const Shield shield;  // the coroutines are cancelled and will end
    scope.wait_until_empty(place);
  }
  if (failure_sink_->has_failed()) failure_sink_->throw_failure();
}

}  // namespace weft::detail
