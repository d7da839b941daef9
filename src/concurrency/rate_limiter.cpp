#include "weft/rate_limiter.hpp"

#include "scheduler/scheduler.hpp"
#include "wait/await_as.hpp"
#include "weft/delay.hpp"
#include "weft/error.hpp"
#include "weft/suspend.hpp"
#include "weft/timer.hpp"

namespace weft {
namespace {

std::size_t checked(std::ptrdiff_t permits, Duration per) {
  if (permits < 1) throw ValueError{"The permits of a rate limiter must be >= 1"};
  if (per <= Duration::zero()) {
    throw ValueError{"The time span of a rate limiter must be greater than 0"};
  }
  return static_cast<std::size_t>(permits);
}

}  // namespace

RateLimiter::RateLimiter(std::ptrdiff_t permits, TimeSpan per, Place place)
    : per_{per},
      free_at_(checked(permits, per), TimePoint::min()),
      leader_{place},
      waiters_{place} {}

bool RateLimiter::take() noexcept {
  const TimePoint moment = now();
  if (moment < free_at_[next_]) return false;
  free_at_[next_] = after(moment, per_);
  next_ = next_ + 1 < free_at_.size() ? next_ + 1 : 0;
  return true;
}

bool RateLimiter::try_acquire() noexcept { return !has_leader_ && take(); }

/// The head of the queue, which waits for the clock. The next waiter follows when it leaves.
class RateLimiter::Leader {
 public:
  Leader(RateLimiter& limiter, Token token, Place place) : limiter_{limiter} {
    if (limiter_.has_leader_) wait_in_queue(token, place);
    limiter_.has_leader_ = true;
    limiter_.leader_.push_back(here_);
  }
  ~Leader() {
    if (!here_.is_abandoned()) grant_next();
  }
  Leader(const Leader&) = delete;
  Leader& operator=(const Leader&) = delete;

  /// Suspends until the time of the next permit has come. Throws as acquire() does.
  void wait_for_next_permit(Token token, Place place) {
    Timer timer{limiter_.free_at_[limiter_.next_] - now()};
    if (token && resolve(*token.event()).is_closed()) {
      return await_as("RateLimiter::acquire()", timer, token, place);
    }
    Waker& waker = Scheduler::renewed_waker("RateLimiter::acquire()");
    waker.resume_when(timer);
    waker.resume_when(here_);  // as a direct wait
    if (token) {
      token.mark_used();
      waker.resume_when(*token.event(), Wake::cancel);
    }
    suspend(waker, place);
    if (here_.is_abandoned()) here_.throw_destroyed();
  }

 private:
  void wait_in_queue(Token token, Place place) {
    Waiter waiter{"RateLimiter"};
    limiter_.waiters_.push_back(waiter);
    try {
      waiter.wait("RateLimiter::acquire()", token, place);
    } catch (...) {
      if (waiter.is_granted()) grant_next();
      throw;
    }
    if (waiter.is_abandoned()) waiter.throw_destroyed();
  }
  void grant_next() noexcept { limiter_.has_leader_ = limiter_.waiters_.grant_first(); }

  RateLimiter& limiter_;
  Waiter here_{"RateLimiter"};  // never granted: ends the wait if the limiter is destroyed
};

void RateLimiter::acquire(Token token, Place place) {
  if (try_acquire()) return;
  Leader leader{*this, token, place};
  while (!take()) leader.wait_for_next_permit(token, place);
}

}  // namespace weft
