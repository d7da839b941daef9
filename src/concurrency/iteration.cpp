#include "weft/detail/iteration.hpp"

#include "concurrency/scope_core.hpp"
#include "scheduler/scheduler.hpp"
#include "weft/await.hpp"
#include "weft/error.hpp"

namespace weft::detail {

/// Runs when the worker that posted it has parked, or has ended.
class Iteration::Helper final : public Microtask {
 public:
  explicit Helper(Iteration& iteration) noexcept : iteration_{iteration} {}
  void post() {
    if (posted_) return;
    post_microtask(*this);
    posted_ = true;
  }
  void run() override {
    posted_ = false;
    iteration_.help();
  }

 private:
  Iteration& iteration_;  // its destructor cancels this microtask
  bool posted_ = false;
};

/// Counts a worker, from its spawn on, even if it never starts.
class Iteration::Worker {
 public:
  explicit Worker(Iteration& iteration) noexcept : iteration_{&iteration} { ++iteration.workers_; }
  Worker(Worker&& other) noexcept : iteration_{std::exchange(other.iteration_, nullptr)} {}
  Worker& operator=(Worker&&) = delete;
  ~Worker() {
    if (iteration_ != nullptr) iteration_->leave();
  }
  void work() const { iteration_->work(); }

 private:
  Iteration* iteration_;
};

Iteration::Iteration(std::size_t limit) : helper_{make_ref<Helper>(*this)}, limit_{limit} {
  Scheduler::expect_to_suspend("iterate()");
  set(passive_flag);
}

Iteration::~Iteration() { helper_->cancel(); }

void Iteration::run(Scope& scope, Place place) {
  scope_ = &scope;
  place_ = place;
  ScopeCore::of(scope).set_failure_text("Cancellation of the iterator due to an exception");
  add_worker();
  await(*this, place);
  if (cancelled_ != nullptr) std::rethrow_exception(cancelled_);
}

void Iteration::cancel_children() noexcept {
  ScopeCore::of(*scope_).cancel_all("Cancellation of pending coroutines after iterator completion");
}

void Iteration::add_worker() {
  scope_->spawn([worker = Worker{*this}] { worker.work(); }, place_);
}

void Iteration::watch_for_parking() {
  if (limit_ == 0 || workers_ < limit_) helper_->post();
}

void Iteration::help() noexcept {
  if (stopped_ || moving_ || workers_ == 0 || (limit_ != 0 && workers_ >= limit_)) return;
  try {
    add_worker();
  } catch (...) {  // no memory, or the scope ends: the present workers go on
  }
}

void Iteration::work() {
  try {
    while (!stopped_ && !moving_) {  // the worker that advances the source calls help() afterwards
      if (!step()) stopped_ = true;
    }
  } catch (...) {
    stopped_ = true;
    if (is_cancellation(std::current_exception())) cancelled_ = std::current_exception();
    throw;
  }
}

void Iteration::leave() noexcept {
  if (--workers_ > 0) return;
  if (!stopped_ && cancelled_ == nullptr) {  // the only worker was cancelled before it started
    stopped_ = true;
    cancelled_ = std::make_exception_ptr(Cancelled{});
  }
  notify_and_close();
}

}  // namespace weft::detail
