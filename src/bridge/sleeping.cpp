#include <cerrno>
#include <chrono>
#include <ctime>

#include "bridge/hooks.hpp"
#include "bridge/outside.hpp"
#include "bridge/timespec.hpp"
#include "bridge/wait.hpp"
#include "weft/bridge.hpp"

namespace weft::bridge {
namespace {

/// 0, or an error number; `left` is what remains then. Leaves errno alone.
int sleep_for(const char* function, Duration duration, timespec* left) noexcept {
  const ErrnoBefore before;
  const TimePoint deadline = deadline_after(duration);
  const Ended ended = sleep_until(function, deadline, Restart::never);
  if (ended == Ended::timed_out) return before.after(0);
  if (left != nullptr) *left = time_of(time_until(deadline, clock_now()));
  return before.after(errno_of(ended, 0));
}

int hooked_nanosleep(const timespec* wanted, timespec* left) {
  if (!may_suspend() || wanted == nullptr || !is_valid(*wanted)) {
    return real.nanosleep(wanted, left);
  }
  const int error = sleep_for("nanosleep", duration_of(*wanted), left);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

int hooked_clock_nanosleep(clockid_t clock, int flags, const timespec* wanted, timespec* left) {
  const bool is_known = clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
  if (!may_suspend() || !is_known || wanted == nullptr || !is_valid(*wanted)) {
    return real.clock_nanosleep(clock, flags, wanted, left);
  }
  if ((flags & TIMER_ABSTIME) == 0) {
    return sleep_for("clock_nanosleep", duration_of(*wanted), left);
  }
  timespec now{};
  ::clock_gettime(clock, &now);
  const Duration until = duration_of(*wanted) - duration_of(now);
  if (until <= Duration::zero()) return 0;
  return sleep_for("clock_nanosleep", until, nullptr);
}

int hooked_usleep(useconds_t wanted) {
  if (!may_suspend()) return real.usleep(wanted);
  const int error = sleep_for("usleep", std::chrono::microseconds{wanted}, nullptr);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

unsigned hooked_sleep(unsigned wanted) {
  if (!may_suspend()) return real.sleep(wanted);
  timespec left{};
  const int error = sleep_for("sleep", std::chrono::seconds{wanted}, &left);
  if (error == 0) return 0;
  errno = error;
  return static_cast<unsigned>(left.tv_sec);  // as libc has it: whole seconds
}

}  // namespace

void add_sleeping(Hooks& hooks) {
  hooks.push_back(hook("sleep", outside<&hooked_sleep, &Real::sleep>, real.sleep, sleeping));
  hooks.push_back(hook("usleep", outside<&hooked_usleep, &Real::usleep>, real.usleep, sleeping));
  hooks.push_back(
      hook("nanosleep", outside<&hooked_nanosleep, &Real::nanosleep>, real.nanosleep, sleeping));
  hooks.push_back(
      hook("__nanosleep", outside<&hooked_nanosleep, &Real::nanosleep>, real.nanosleep, sleeping));
  hooks.push_back(hook("clock_nanosleep", &hooked_clock_nanosleep, real.clock_nanosleep, sleeping));
}

}  // namespace weft::bridge
