#pragma once

#include <memory>
#include <utility>

#include "bridge/wait.hpp"

namespace weft::bridge {

/// A call that a worker thread makes. It has all it needs, and keeps its result, in itself: the
/// coroutine may be gone when it ends.
class Work {
 public:
  Work() = default;
  virtual ~Work() = default;
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  /// On the worker.
  virtual void run() noexcept = 0;
};

/// Suspends while `work` runs. `ready`: it has run.
[[nodiscard]] Ended run_on_worker(const char* function, std::shared_ptr<Work> work) noexcept;

template <class F>
class WorkOf final : public Work {
 public:
  explicit WorkOf(F function) : function_{std::move(function)} {}
  void run() noexcept override { function_(); }

 private:
  F function_;
};

}  // namespace weft::bridge
