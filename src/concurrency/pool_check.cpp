#include "concurrency/pool_check.hpp"

#include "scheduler/scheduler.hpp"
#include "scheduler/shield.hpp"
#include "weft/await.hpp"
#include "weft/coroutine.hpp"
#include "weft/error.hpp"

namespace weft::detail {

PoolCore::Checks::Checks(PoolCore& pool, Duration every)
    : timer_{every, Timer::Kind::periodic}, tick_{pool} {
  timer_.set_hidden(true);
  timer_.add_callback(tick_);
  try {
    timer_.start();
  } catch (...) {
    timer_.remove_callback(tick_);
    throw;
  }
}

PoolCore::Checks::~Checks() {
  timer_.close();
  timer_.remove_callback(tick_);
}

void PoolCore::Checks::Tick::on_notify(Event& /*event*/, const Outcome& /*outcome*/) noexcept {
  if (pool_.first_idle_ == nullptr || current_thread.scheduler->is_shutting_down()) return;
  try {
    auto body = [pool = Ref<PoolCore>{&pool_}] { pool->check_idle(); };
    std::erase_if(pool_.rounds_, [](const auto& round) { return round->is_completed(); });
    pool_.rounds_.reserve(pool_.rounds_.size() + 1);
    pool_.rounds_.emplace_back(&spawn(std::move(body), Place{}).base());
  } catch (...) {  // no memory now; the next tick tries again
    warn_of_error("Pool: a health check could not begin", std::current_exception());
  }
}

void PoolCore::cancel_checks() noexcept {
  checks_.reset();
  for (const Ref<CoroutineBase>& round : rounds_) round->cancel();
}

/// The hooks belong to the caller of close(), and may be destroyed after it.
void PoolCore::await_checks() noexcept {
  const Scheduler* scheduler = current_thread.scheduler;
  if (scheduler == nullptr || !scheduler->has_current() || scheduler->in_phase()) return;
  const Shield shield;
  for (const Ref<CoroutineBase>& round : rounds_) {
    if (round->is_completed() || round.get() == &scheduler->current()) continue;
    try {
      await(static_cast<Event&>(*round));
    } catch (...) {  // it was cancelled before it started
    }
  }
}

/// One round, in a coroutine of its own. A check that hangs holds up only its round and its
/// resource: the next tick begins another round.
void PoolCore::check_idle() {
  for (std::size_t left = idle_; left > 0 && first_idle_ != nullptr; --left) {
    PoolSlot& slot = pop_idle();
    bool healthy = false;
    bool cancelled = false;
    try {
      healthy = is_healthy(slot);
    } catch (const Cancelled&) {
      cancelled = true;
    } catch (...) {
    }
    if (healthy && !closed_) {
      pass_on(slot);
      continue;
    }
    destroy_quietly(slot);
    if (!closed_ && !cancelled && total_ <= min_) {
      replace();
    } else {
      pass_on_place();
    }
    if (cancelled) return;
  }
}

/// Creates a resource in the place that the caller holds.
void PoolCore::replace() noexcept {
  try {
    pass_on(create());
  } catch (...) {
    warn_of_error("Pool: a broken resource could not be replaced", std::current_exception());
  }
}

}  // namespace weft::detail
