#include "weft/timer.hpp"

#include "c/guard.hpp"
#include "weft/await.hpp"

using weft::c::guarded;
using weft::c::milliseconds;

struct weft_timer {
  explicit weft_timer(weft::Duration every) : timer{every, weft::Timer::Kind::periodic} {}
  weft::Timer timer;
};

extern "C" {

int weft_timer_create(weft_timer** timer, uint64_t time) {
  *timer = nullptr;
  return guarded([&] { *timer = new weft_timer{milliseconds(time)}; });
}

int weft_timer_await_at(weft_timer* timer, const char* file, unsigned line) {
  return guarded([&] { weft::await(timer->timer, weft::Place{file, line}); });
}

int weft_timer_await(weft_timer* timer) { return weft_timer_await_at(timer, nullptr, 0); }

void weft_timer_release(weft_timer* timer) { delete timer; }

}  // extern "C"
