#include "weft/detail/pool_core.hpp"

#include "base/assert.hpp"
#include "base/planted.hpp"
#include "base/probe.hpp"
#include "base/warning.hpp"
#include "concurrency/pool_check.hpp"
#include "concurrency/pool_hint.hpp"
#include "scheduler/shield.hpp"
#include "wait/wait_here.hpp"
#include "weft/error.hpp"

namespace weft::detail {

/// Granted with a resource, or with a place in which the waiter creates one itself.
class PoolCore::QueuedWaiter final : public Waiter {
 public:
  explicit QueuedWaiter(const PoolCore& pool) noexcept : Waiter{"Pool", &pool} {}
  PoolSlot* slot = nullptr;
};

PoolCore::PoolCore(const Limits& limits, Hooks hooks,
                   std::unique_ptr<CircuitBreakerStrategy> strategy, Place place)
    : hooks_{hooks},
      min_{static_cast<std::size_t>(limits.min)},
      max_{static_cast<std::size_t>(limits.max)},
      check_every_{limits.check_every},
      strategy_{std::move(strategy)},
      origin_{place} {
  if (limits.min < 0) throw ValueError{"The min of a pool must be >= 0"};
  if (limits.max < 1) throw ValueError{"The max of a pool must be >= 1"};
  if (limits.min > limits.max) throw ValueError{"The min of a pool must be <= max"};
  if (check_every_ < Duration::zero()) throw ValueError{"The check_every of a pool must be >= 0"};
}

PoolCore::~PoolCore() {
  WEFT_ASSERT(total_ == 0, "a pool ended with a resource that was not destroyed");
  if (hint_) static_cast<Hint&>(*hint_).detach_pool(nullptr);
}

void PoolCore::open() {
  try {
    while (total_ < min_) {
      ++total_;
      try {
        push_idle(create());
      } catch (const Cancelled&) {
        throw;
      } catch (...) {
        warn_of_error("Pool: making the first resources stopped", std::current_exception());
        break;
      }
    }
    if (check_every_ > Duration::zero() && hooks_.healthy) {
      checks_ = std::make_unique<Checks>(*this, check_every_);
    }
  } catch (...) {
    close_quietly();
    throw;
  }
  choose_ways();
}

void PoolCore::choose_ways() noexcept {
  const bool watched = static_cast<bool>(hint_);
  quick_acquire_ = !closed_ && !watched && state_ != State::inactive && !hooks_.before_acquire;
  quick_release_ = !closed_ && !watched && strategy_ == nullptr && !hooks_.before_release;
}

PoolSlot& PoolCore::acquire_slowly(Token token, Place place) {
  const Ref<PoolCore> keep{this};
  if (closed_) throw PoolClosed{};
  if (!is_admitting()) throw ServiceUnavailable{};
  if (PoolSlot* const slot = take_free()) return *slot;
  return find_accepted(wait_in_queue(token, place));
}

PoolSlot* PoolCore::try_acquire() {
  const Ref<PoolCore> keep{this};
  if (closed_ || !is_admitting()) return nullptr;
  return take_free();
}

/// An idle resource or a new one; null if all are in use.
PoolSlot* PoolCore::take_free() {
  if (first_idle_ == nullptr && total_ == max_) return nullptr;
  PoolSlot* const slot = first_idle_ != nullptr ? &pop_idle() : nullptr;
  if (slot == nullptr) ++total_;
  update_hint();
  return &find_accepted(slot);
}

PoolSlot* PoolCore::wait_in_queue(Token token, Place place) {
  QueuedWaiter waiter{*this};
  queue_.push_back(waiter);
  try {
    waiter.wait_here("Pool::acquire()", token, PackedPlace{place});
  } catch (...) {
    if (waiter.slot != nullptr) --reserved_;
    hand_back(waiter);
    throw;
  }
  if (waiter.slot != nullptr) --reserved_;
  if (!closed_ && state_ != State::inactive) return waiter.slot;
  hand_back(waiter);
  if (closed_) throw PoolClosed{};
  throw ServiceUnavailable{};
}

void PoolCore::hand_back(QueuedWaiter& waiter) noexcept {
  if (!waiter.is_granted() || WEFT_PLANTED(resource_not_handed_on)) return;
  WEFT_PROBE("a waiter left a pool without what was reserved for it");
  if (waiter.slot == nullptr) return pass_on_place();
  if (!closed_) return pass_on(*waiter.slot);
  destroy_quietly(*waiter.slot);
  pass_on_place();
}

/// Finds a resource that before_acquire accepts, beginning with `slot`; null: with an empty place.
PoolSlot& PoolCore::find_accepted(PoolSlot* slot) {
  for (;;) {
    if (slot == nullptr && first_idle_ != nullptr) {
      slot = &pop_idle();
      --total_;  // frees the empty place; while a resource is idle no waiter needs it
    }
    if (slot == nullptr) return create();
    if (is_accepted(*slot)) return *slot;
    slot = nullptr;
  }
}

/// Whether `slot` may be given out. If not, it is destroyed and its place is empty.
bool PoolCore::is_accepted(PoolSlot& slot) {
  if (!hooks_.before_acquire) return true;
  bool accepted = false;
  try {
    accepted = before_acquire(slot);
  } catch (const Cancelled&) {  // the hook did not end: the state of the resource is unknown
    destroy_quietly(slot);
    pass_on_place();
    throw;
  } catch (...) {
  }
  if (accepted && !closed_) return true;
  destroy_quietly(slot);
  if (!closed_) return false;
  pass_on_place();
  throw PoolClosed{};
}

PoolSlot& PoolCore::create() {
  PoolSlot* slot = nullptr;
  try {
    slot = make();
  } catch (...) {
    pass_on_place();
    throw;
  }
  if (slot == nullptr) {
    pass_on_place();
    throw Error{"Failed to create pool resource"};
  }
  if (!closed_) return *slot;
  destroy_quietly(*slot);
  pass_on_place();
  throw PoolClosed{};
}

std::exception_ptr PoolCore::give_back_slowly(PoolSlot& slot) noexcept {
  const Ref<PoolCore> keep{this};  // a hook may drop the lease and the pool
  const Shield shield;
  bool accepted = true;
  std::exception_ptr cause;
  if (hooks_.before_release) {
    try {
      accepted = before_release(slot);
    } catch (...) {
      accepted = false;
      cause = std::current_exception();
    }
  }
  if (accepted) {
    report_success();
  } else {
    report_failure(std::move(cause));
  }
  if (accepted && !closed_) {
    pass_on(slot);
    return nullptr;
  }
  std::exception_ptr error = destroy(slot);
  pass_on_place();
  return error;
}

void PoolCore::pass_on(PoolSlot& slot) noexcept {
  if (queue_.is_empty()) {
    push_idle(slot);
    return update_hint();
  }
  auto& waiter = static_cast<QueuedWaiter&>(*queue_.first());
  waiter.slot = &slot;
  ++reserved_;
  waiter.grant_here();
}

void PoolCore::pass_on_place() noexcept {
  if (queue_.grant_first()) return;
  --total_;
  update_hint();
}

std::exception_ptr PoolCore::destroy(PoolSlot& slot) noexcept {
  const Shield shield;
  try {
    drop(slot);
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

void PoolCore::destroy_quietly(PoolSlot& slot) noexcept {
  if (const std::exception_ptr error = destroy(slot)) {
    warn_of_error("Pool: destroying a resource failed", error);
  }
}

bool PoolCore::is_admitting() {
  if (state_ != State::inactive) return true;
  try {
    if (strategy_ != nullptr && strategy_->should_recover()) move_to(State::recovering);
  } catch (const Cancelled&) {
    throw;
  } catch (...) {  // an error counts as no
  }
  return state_ != State::inactive;
}

void PoolCore::move_to(State state) noexcept {
  state_ = state;
  choose_ways();
  update_hint();
}

void PoolCore::report_success() noexcept {
  if (strategy_ == nullptr) return;
  try {
    strategy_->report_success(*this);
  } catch (...) {  // an error of the strategy does not stop the release
  }
}

void PoolCore::report_failure(std::exception_ptr cause) noexcept {
  if (strategy_ == nullptr) return;
  try {
    strategy_->report_failure(
        *this, std::make_exception_ptr(Error{"Resource validation failed", std::move(cause)}));
  } catch (...) {
  }
}

void PoolCore::refuse_empty_lease() {
  throw MisuseError{"This lease holds nothing: it was released or moved from"};
}

void PoolCore::warn_of_error(const char* what, const std::exception_ptr& error) noexcept {
  try {
    warn(std::string{what} + ": " + weft::describe(error));
  } catch (...) {
    warn(what);
  }
}

}  // namespace weft::detail
