#include "weft/future.hpp"

#include "base/current.hpp"
#include "base/warning.hpp"
#include "concurrency/chain_run.hpp"
#include "scheduler/error_chain.hpp"
#include "weft/error.hpp"

namespace weft::detail {
namespace {

/// ". Created at file:line", or nothing if the place is not known.
std::string at(const char* what, Place place) {
  const std::string text = place.text();
  return text.empty() ? text : what + text;
}

std::exception_ptr broken(Place created) noexcept {
  try {
    throw BrokenPromise{"The promise was dropped without completing its future" +
                        at(". Created at ", created)};
  } catch (...) {  // or std::bad_alloc while making it
    return std::current_exception();
  }
}

}  // namespace

void chain_errors(const std::exception_ptr& error, const std::exception_ptr& met) noexcept {
  link_errors(error, met);
}

FutureBase::~FutureBase() = default;

bool FutureBase::is_cancelled() const noexcept { return is_closed() && is_cancellation(error()); }

std::string FutureBase::info() const {
  return is_closed() ? "FutureState(completed)" : "FutureState(pending)";
}

std::string FutureBase::describe() const {
  return (is_closed() ? "Future (completed)" : "Future") + at(" created at ", created_at());
}

bool FutureBase::replay(Outcome& outcome) const {
  if (!is_closed()) return false;
  outcome = stored_outcome();
  return true;
}

bool FutureBase::begin_write() {
  if (written_) {
    throw MisuseError{"Future is already completed" + at(" at ", completed_at())};
  }
  written_ = true;
  return !is_closed();
}

void FutureBase::fail(std::exception_ptr error, Place place) {
  if (error == nullptr) throw ValueError{"A future cannot fail without an error"};
  if (!begin_write()) return;
  store_error(std::move(error));
  resolve(place);
}

void FutureBase::cancel(std::string reason, Place place, By who) noexcept {
  if (is_closed()) return;
  cancel(reason.empty() ? nullptr : std::make_exception_ptr(Cancelled{std::move(reason)}), place,
         who);
}

void FutureBase::cancel(std::exception_ptr error, Place place, By who) noexcept {
  if (is_closed()) return;
  const Ref<FutureBase> keep{this};
  if (who == By::writer) {
    written_ = true;
  } else {
    set(result_used_flag);
    unwanted();
  }
  if (error == nullptr) {
    error = std::make_exception_ptr(Cancelled::with_literal("Future has been cancelled"));
  }
  store_error(as_cancellation(std::move(error)));
  resolve(place);
  if (incoming_ != nullptr && !incoming_->is_clean_up()) drop_incoming();
}

/// Its function will not be called: a long-lived source must not collect cancelled targets.
void FutureBase::drop_incoming() noexcept {
  const std::unique_ptr<FutureLink> link{std::exchange(incoming_, nullptr)};
  std::exchange(link->pending_at_, nullptr)->links_.remove(*link);
}

/// Takes the oldest chain off this future; null if there is none.
FutureLink* FutureBase::pop_link() noexcept {
  FutureLink* const link = links_.pop_front();
  if (link == nullptr) return nullptr;
  link->pending_at_ = nullptr;
  link->target_->incoming_ = nullptr;
  return link;
}

void FutureBase::ignore() noexcept {
  if (!has(error_caught_flag)) ignored_ = true;
  set(result_used_flag);
  set(error_caught_flag);
}

void FutureBase::abandon() noexcept {
  if (is_closed()) return;
  const bool is_awaited = readers_ != 0 || !links_.empty() || subscribers() != 0;
  if (!is_awaited && !has(host_object_flag)) return;
  break_promise();
  if (!is_awaited) ignore();  // only a later await of the host's object can see it
}

void FutureBase::break_promise() noexcept {
  written_ = true;
  store_error(broken(created_at()));
  resolve({});
}

void FutureBase::resolve(Place place, ChainRun* run) noexcept {
  const Ref<FutureBase> keep{this};
  completed_ = PackedPlace{place};
  notify_and_close(stored_outcome());
  start_links(run);
}

void FutureBase::notified(const Outcome& outcome) noexcept {
  notify_callbacks(outcome);
  if (!has(exception_handled_flag)) return;
  set(error_caught_flag);
  ignored_ = false;
}

void FutureBase::attach(std::unique_ptr<FutureLink> link, const char* operation, Place place) {
  if (!is_closed()) linked();
  ChainRun::reserve(*link, operation, place);
  set(result_used_flag);
  set(error_caught_flag);  // any error goes to the target
  mark_taken();
  if (is_closed()) {
    link->source_ = Ref<FutureBase>{this};
    ChainRun::start(link.release(), nullptr);
    return;
  }
  FutureLink* const last = link.release();
  last->pending_at_ = this;
  last->target_->incoming_ = last;
  links_.push_back(*last);
}

void FutureBase::start_links(ChainRun* run) noexcept {
  while (FutureLink* const link = pop_link()) {
    link->source_ = Ref<FutureBase>{this};
    if (ChainRun* const started = ChainRun::start(link, run)) run = started;
  }
}

void FutureBase::drop_last_reader() noexcept {
  readers_ = 0;
  if (!is_closed() && links_.empty() && subscribers() == 0) unwanted();
  release();
}

void FutureBase::dispose() noexcept {
  if (!links_.empty()) {
    const std::exception_ptr error = broken(created_at());
    while (FutureLink* link = pop_link()) ChainRun::refuse(link, error);
  }
  warn_if_unused();
  Event::dispose();
}

void FutureBase::warn_if_unused() const noexcept {
  try {
    const std::exception_ptr& failure = error();
    if (failure != nullptr && !has(error_caught_flag) && !is_cancellation(failure)) {
      const std::string kind = info();  // info() of a thread or a task has its name
      warn("Unhandled exception in " + (kind == FutureBase::info() ? "Future" : kind) + ": " +
           weft::describe(failure) + "; use recover() or ignore() to handle" +
           at(". Created at ", created_at()) + at(", completed at ", completed_at()));
      if (rethrows_ && current_thread.pending != nullptr) leave_pending(failure);
    } else if (had_reader_ && !has(result_used_flag)) {
      warn(
          "Future was never used; call await(), map(), recover(), finally() or ignore() to "
          "suppress this warning" +
          at(". Created at ", created_at()));
    }
  } catch (...) {
    warn("A future was dropped without being used");
  }
}

}  // namespace weft::detail
