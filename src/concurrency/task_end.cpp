#include "base/current.hpp"
#include "base/warning.hpp"
#include "concurrency/scope_core.hpp"
#include "scheduler/shield.hpp"
#include "weft/detail/task_core.hpp"
#include "weft/error.hpp"

// How a group is closed and cancelled, and the work at its end.
namespace weft::detail {

void TaskCore::close() noexcept {
  if (closed_) return;
  const Ref<TaskCore> keep{this};
  closed_ = true;
  while (!spawners_.is_empty()) spawners_.first()->refuse(nullptr);  // they find it closed
  serve_iterations();
  if (is_finished()) finish();
}

void TaskCore::cancel(const std::string& reason, const std::exception_ptr& error) noexcept {
  if (abandoned_) return;
  const Ref<TaskCore> keep{this};
  closed_ = true;
  while (!spawners_.is_empty()) spawners_.first()->refuse(nullptr);
  cancelled_ = true;
  suppress_errors();
  stop_tasks(reason, error, own_scope_);
}

void TaskCore::dispose() noexcept {
  const Ref<TaskCore> keep{this};
  closed_ = true;
  while (!spawners_.is_empty()) spawners_.first()->refuse(nullptr);
  std::string reason;
  try {
    reason = "Scope is being disposed due to " + std::string{name()} + " disposal";
  } catch (...) {  // no memory for the text
  }
  stop_tasks(reason, nullptr, true);
}

namespace {

/// Empty if there is no memory for the text.
std::string copy_of(const std::string& reason) noexcept {
  try {
    return reason;
  } catch (...) {
    return {};
  }
}

std::exception_ptr cancelled_because(const std::string& reason) noexcept {
  try {
    if (!reason.empty()) return std::make_exception_ptr(Cancelled{reason});
  } catch (...) {  // no memory for the text
  }
  return std::make_exception_ptr(Cancelled::with_literal("TaskGroup cancelled"));
}

}  // namespace

void TaskCore::stop_tasks(const std::string& reason, const std::exception_ptr& error,
                          bool whole_scope) noexcept {
  const auto stop = [&](auto& running) {
    if (error != nullptr) {
      running.cancel(error);
    } else {
      running.cancel(copy_of(reason));
    }
  };
  drop_queued(error != nullptr ? as_cancellation(error) : cancelled_because(reason));
  if (whole_scope) {
    stop(*scope_);
  } else {
    for (TaskEntry& entry : entries_) {
      if (entry.state_ == TaskEntry::State::running) stop(entry);
    }
  }
  advance();
}

void TaskCore::suppress_errors() noexcept {
  for (TaskEntry& entry : entries_) {
    if (entry.error_ != nullptr) ++entry.handled_;
  }
}

void TaskCore::await_completion(Place place) {
  if (!closed_) {
    throw MisuseError{std::string{name()} + " must be closed before calling await_completion()"};
  }
  const Ref<TaskCore> keep{this};
  if (is_finished()) return;
  Waiter waiter{"completion of a task group", this};
  completion_.push_back(waiter);
  waiter.wait("await_completion()", {}, place);
}

Event& TaskCore::event() {
  if (over_ == nullptr) {
    over_ = std::make_unique<EndEvent>(*this);
    if (closed_ && is_finished()) over_->complete();
  }
  return *over_;
}

/// No task runs or is queued. While the group is open that may change again.
void TaskCore::finish() noexcept {
  serve_finished();
  if (!closed_) return;
  while (completion_.grant_first()) {
  }
  if (over_ != nullptr) over_->complete();
  run_finally();
  if (abandoned_) report_errors();
}

void TaskCore::on_finally(Function<void()> handler) {
  if (closed_ && is_finished()) return handler();
  finally_handlers_.push_back(std::move(handler));
}

void TaskCore::run_finally() noexcept {
  if (finally_handlers_.empty() || current_thread.scheduler == nullptr) return;
  try {
    auto body = [keep = Ref<TaskCore>{this},
                 handlers = std::exchange(finally_handlers_, {})]() mutable {
      std::vector<std::exception_ptr> errors;
      for (Function<void()>& handler : handlers) {
        try {
          handler();
        } catch (...) {
          errors.push_back(std::current_exception());
        }
      }
      if (errors.size() == 1) std::rethrow_exception(errors.front());
      if (!errors.empty()) throw CompositeError{std::move(errors)};
    };
    Spawner::spawn_cleanup(ScopeCore::of(*scope_).parent(), "finally", std::move(body));
  } catch (...) {
    leave_pending(std::current_exception());
  }
}

/// Unread errors of tasks go to the scope of the tasks, as one failed coroutine.
void TaskCore::report_errors() noexcept {
  try {
    std::vector<std::exception_ptr> errors;
    for (TaskEntry& entry : entries_) {
      if (entry.error_ == nullptr || entry.handled_ > 0) continue;
      if (!is_cancellation(entry.error_)) errors.push_back(entry.error_);
      ++entry.handled_;
    }
    if (errors.empty()) return;
    const std::exception_ptr error = std::make_exception_ptr(CompositeError{std::move(errors)});
    if (current_thread.scheduler == nullptr) {
      return warn("A group of tasks outlived its runtime with unhandled errors: " +
                  weft::describe(error));
    }
    Spawner::spawn_cleanup(&ScopeCore::of(*scope_), "errors of a task group",
                           [error] { std::rethrow_exception(error); });
  } catch (...) {
    leave_pending(std::current_exception());
  }
}

void TaskCore::abandon() noexcept {
  const Ref<TaskCore> keep{this};
  close();
  if (!is_finished()) {
    std::string reason;
    try {
      reason = "Scope is being disposed due to " + std::string{name()} + " destruction";
    } catch (...) {  // no memory for the text
    }
    stop_tasks(reason, nullptr, own_scope_);
  } else if (own_scope_) {
    scope_->cancel();
  }
  wait_for_last_task();
  abandoned_ = true;
  if (is_finished()) report_errors();
}

/// Tasks may refer to objects that go together with the group, so they end before it. Does not wait
/// where suspending is not allowed, nor if a task of the group destroys it.
void TaskCore::wait_for_last_task() noexcept {
  Scheduler* const scheduler = current_thread.scheduler;
  if (scheduler == nullptr || !scheduler->has_current() || scheduler->in_phase()) return;
  ScopeCore& scope = ScopeCore::of(*scope_);
  CoroutineBase& current = scheduler->current();
  if (own_scope_ && scope.contains(Scheduler::owner_of(current))) return;
  for (TaskEntry& entry : entries_) {
    if (&entry == &current) return;
  }
  const Shield shield;
  try {
    while (!is_finished()) {
      Waiter waiter{"last tasks of a task group", this};
      completion_.push_back(waiter);
      waiter.wait();
    }
    if (own_scope_) scope.wait_until_empty({});
  } catch (...) {
    leave_pending(std::current_exception());
  }
}

}  // namespace weft::detail
