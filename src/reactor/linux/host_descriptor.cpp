#include "reactor/host_descriptor.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <system_error>
#include <unistd.h>

#include "base/real_calls.hpp"

namespace weft {

/// An epoll descriptor that contains the one of Readiness and a timer.
struct HostDescriptor::Native {
  Native() = default;
  ~Native() {
    if (timer >= 0) real_calls.close(timer);
    if (both >= 0) real_calls.close(both);
  }
  Native(const Native&) = delete;
  Native& operator=(const Native&) = delete;
  int timer = -1;
  int both = -1;
};

HostDescriptor::HostDescriptor(uv_loop_t& /*loop*/, int turns)
    : native_{std::make_unique<Native>()} {
  const auto check = [](int result) {
    if (result >= 0) return result;
    throw std::system_error{errno, std::generic_category(), "cannot make the runtime's descriptor"};
  };
  native_->both = check(::epoll_create1(EPOLL_CLOEXEC));
  native_->timer = check(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  for (const int part : {turns, native_->timer}) {
    epoll_event event{};
    event.events = EPOLLIN;
    check(::epoll_ctl(native_->both, EPOLL_CTL_ADD, part, &event));
  }
}

HostDescriptor::~HostDescriptor() = default;

bool HostDescriptor::needs_turn() const noexcept { return false; }

int HostDescriptor::prepare(TimePoint next, TimePoint now) noexcept {
  struct itimerspec alarm {};
  if (next != never) {
    const Duration wait = std::max(next - now, Duration{1});
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(wait);
    alarm.it_value.tv_sec = seconds.count();
    alarm.it_value.tv_nsec = (wait - seconds).count();
  }
  ::timerfd_settime(native_->timer, 0, &alarm, nullptr);
  return native_->both;
}

void HostDescriptor::abandon() noexcept {}

}  // namespace weft
