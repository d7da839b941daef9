#include <cstdlib>

#include "base/probe.hpp"
#include "base/warning.hpp"
#include "scheduler/scheduler_inline.hpp"
#include "weft/error.hpp"

namespace weft {

/// Something failed that nobody handled: the program ends with it, gracefully.
void Scheduler::fail(std::exception_ptr error) noexcept {
  if (shutting_down_) {
    // The second failure: cancel again, run what is queued, and leave.
    WEFT_PROBE("failure during shutdown");
    if (exit_error_ == nullptr) {
      exit_error_ = std::move(error);
    } else {
      link_errors(error, std::exchange(exit_error_, nullptr));
      exit_error_ = std::move(error);
    }
    cancel_all(CancelReason::shutdown);
    final_ = true;
    return;
  }
  shutdown({}, std::move(error));
}

void Scheduler::shutdown(std::string reason, std::exception_ptr cause) noexcept {
  if (shutting_down_) return;
  shutting_down_ = true;
  shutdown_text_ = std::move(reason);
  exit_error_ = std::move(cause);
  shutdown_limit_ = after(driver_.now(), options_.shutdown_deadline);
  cancel_all(CancelReason::shutdown);
}

void Scheduler::check_shutdown_limit() noexcept {
  if (abandoning_ || registry_.empty()) return;
  give_up("the deadline of the shutdown has passed");
}

/// What still runs will not end: say so, then abort, or leave it behind if the user prefers that.
void Scheduler::give_up(const char* why) noexcept {
  try {
    warn(std::string{"shutdown: "} + why + "; still there:\n" + dump());
  } catch (...) {
    warn(why);
  }
  if (!options_.abandon_at_deadline) std::abort();
  WEFT_PROBE("coroutines abandoned at shutdown");
  abandoning_ = true;
  while (!ready_.empty()) ready_.pop_front();
  while (!microtasks_.empty()) microtasks_.pop_front()->release();
}

/// Remembers that `error` met `met`, for errors that cannot carry it themselves.
void Scheduler::link_errors(const std::exception_ptr& error, std::exception_ptr met) noexcept {
  if (error == nullptr || met == nullptr) return;
  try {
    links_.emplace_back(error, std::move(met));
  } catch (...) {  // no memory: the link is only for people
  }
}

std::exception_ptr Scheduler::linked(const std::exception_ptr& error) const noexcept {
  for (const auto& [later, earlier] : links_) {
    if (later == error) return earlier;
  }
  return nullptr;
}

}  // namespace weft
