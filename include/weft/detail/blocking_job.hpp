#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "weft/place.hpp"
#include "weft/result.hpp"
#include "weft/trigger.hpp"

namespace weft {
class BlockingPool;
}

namespace weft::detail {

/// One call that a worker thread makes. Underneath blocking().
class BlockingJob {
 public:
  BlockingJob() noexcept = default;
  virtual ~BlockingJob();
  BlockingJob(const BlockingJob&) = delete;
  BlockingJob& operator=(const BlockingJob&) = delete;

 protected:
  /// On the worker: calls the function, stores its outcome, and destroys it.
  virtual void run() noexcept = 0;

 private:
  friend class weft::BlockingPool;
  /// The event that the caller waits for, fired by the worker.
  class EndEvent final : public Trigger {
   public:
    ~EndEvent() override = default;
    [[nodiscard]] std::string info() const override { return "ThreadPoolTask"; }
  };
  EndEvent over_;
  // Both guarded by the mutex of the pool.
  bool started_ = false;
  bool ended_ = false;
};

/// Suspends until `job` has ended. Throws Cancelled; then it never ran, or has ended.
void run_blocking(const std::shared_ptr<BlockingJob>& job, Place place);

template <class F, class R>
class TypedBlockingJob final : public BlockingJob {
 public:
  template <class G>
  // NOLINTNEXTLINE(bugprone-forwarding-reference-overload)
  explicit TypedBlockingJob(G&& function) : function_{std::forward<G>(function)} {}
  ~TypedBlockingJob() override = default;
  R take() { return outcome_.take(); }

 private:
  void run() noexcept override {
    std::exception_ptr error;
    try {
      if constexpr (std::is_void_v<R>) {
        (*function_)();
        outcome_.set_value();
      } else {
        outcome_.set_value((*function_)());
      }
    } catch (...) {
      error = std::current_exception();
    }
    // Outside the catch block: here this thread no longer holds the exception.
    if (error != nullptr) outcome_.set_error(std::move(error));
    function_.reset();
  }

  std::optional<F> function_;
  Result<R> outcome_;
};

}  // namespace weft::detail
