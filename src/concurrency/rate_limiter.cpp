#include "weft/rate_limiter.hpp"

#include "weft/await.hpp"
#include "weft/delay.hpp"
#include "weft/error.hpp"
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

RateLimiter::RateLimiter(std::ptrdiff_t permits, Duration per)
    : per_{per}, free_at_(checked(permits, per), TimePoint::min()) {}

bool RateLimiter::take() noexcept {
  const TimePoint moment = now();
  if (moment < free_at_[next_]) return false;
  free_at_[next_] = after(moment, per_);
  next_ = next_ + 1 < free_at_.size() ? next_ + 1 : 0;
  return true;
}

bool RateLimiter::try_acquire() noexcept { return !led_ && take(); }

/// The head of the line: the one who waits for the clock. Goes to the next when it leaves.
class RateLimiter::Lead {
 public:
  Lead(RateLimiter& limiter, Token token, Place place) : limiter_{limiter} {
    if (limiter_.led_) {
      Waiter waiter{"RateLimiter"};
      limiter_.waiters_.push_back(waiter);
      try {
        waiter.wait(token, place);
      } catch (...) {
        if (waiter.is_granted()) hand_on();
        throw;
      }
    }
    limiter_.led_ = true;
  }
  ~Lead() { hand_on(); }
  Lead(const Lead&) = delete;
  Lead& operator=(const Lead&) = delete;

 private:
  void hand_on() noexcept { limiter_.led_ = limiter_.waiters_.grant_first(); }
  RateLimiter& limiter_;
};

void RateLimiter::acquire(Token token, Place place) {
  if (try_acquire()) return;
  const Lead lead{*this, token, place};
  while (!take()) {
    Timer timer{free_at_[next_] - now()};
    await(timer, token, place);
  }
}

}  // namespace weft
