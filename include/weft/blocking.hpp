#pragma once

#include <concepts>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "weft/mistake.hpp"
#include "weft/place.hpp"
#include "weft/settled.hpp"
#include "weft/trigger.hpp"

namespace weft {

/// One call on its way to a worker thread and back. Underneath blocking().
class BlockingJob {
 public:
  BlockingJob() noexcept = default;
  virtual ~BlockingJob();
  BlockingJob(const BlockingJob&) = delete;
  BlockingJob& operator=(const BlockingJob&) = delete;

 protected:
  /// On the worker: calls the function, keeps its outcome, and destroys it.
  virtual void run() noexcept = 0;

 private:
  friend class BlockingPool;
  /// Fired by the worker; what the caller waits for.
  class Over final : public Trigger {
   public:
    ~Over() override = default;
    [[nodiscard]] std::string info() const override { return "ThreadPoolTask"; }
  };
  Over over_;
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
        std::invoke(*function_);
        outcome_.set_value();
      } else {
        outcome_.set_value(std::invoke(*function_));
      }
    } catch (...) {
      error = std::current_exception();
    }
    // Out of the catch: from here on nobody on this thread holds the exception.
    if (error != nullptr) outcome_.set_error(std::move(error));
    function_.reset();
  }

  std::optional<F> function_;
  Settled<R> outcome_;
};

/// Suspends while `function` runs on a worker thread; returns its value or throws its exception.
/// For calls that block the thread or compute for long: the other coroutines run meanwhile. All
/// runtimes of the process share four workers; further calls wait in line.
///
/// `function` may refer to locals of the caller: a call that has started cannot be stopped, so a
/// cancelled caller waits for its end, drops the result, and throws Cancelled then. One that has
/// not started never runs. On the worker there is no runtime: `function` must not suspend.
template <std::invocable F>
std::invoke_result_t<std::decay_t<F>&> blocking(F&& function, Place place = Place::here()) {
  using Stored = std::decay_t<F>;
  using R = std::invoke_result_t<Stored&>;
  const auto job = std::make_shared<TypedBlockingJob<Stored, R>>(std::forward<F>(function));
  run_blocking(job, place);
  return job->take();
}

template <class F>
requires(!std::invocable<F>) AnyResult blocking(F&& /*function*/, Place /*place*/ = {}) {
  static_assert(always_false<F>,
                "blocking() calls its function without arguments: let the function "
                "capture what it needs");
  return {};
}

}  // namespace weft
