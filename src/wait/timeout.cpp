#include "weft/timeout.hpp"

#include <new>

#include "wait/time_limit.hpp"
#include "weft/delay.hpp"

namespace weft {

Timeout::Timeout(TimeSpan duration) : duration_{checked_limit(duration)}, timer_{*this, duration} {
  timer_.add_callback(alarm_);
}

Timeout::~Timeout() {
  fail_waiters();
  timer_.close();
  timer_.remove_callback(alarm_);
}

bool Timeout::start() {
  if (is_closed()) return true;
  if (loop_references() == 0) {
    const TimePoint moment = now();
    if (deadline_ == never) deadline_ = after(moment, duration_);
    if (!timer_.rearm(deadline_ - moment)) throw std::bad_alloc{};
  }
  add_loop_reference();
  return true;
}

bool Timeout::stop() noexcept {
  if (loop_references() > 0 && drop_loop_reference() == 0) timer_.stop();
  return true;
}

void Timeout::cancel() noexcept { notify_and_close(); }

std::exception_ptr Timeout::error() const noexcept {
  try {
    throw timed_out_after(duration_);
  } catch (...) {  // or std::bad_alloc while making it
    return std::current_exception();
  }
}

void Timeout::notified(const Outcome& outcome) noexcept {
  notify_callbacks(expired_ ? Outcome{error()} : outcome);
}

void Timeout::Alarm::on_notify(Event& /*event*/, const Outcome& /*outcome*/) noexcept {
  timeout_.expired_ = true;
  timeout_.notify_and_close();
}

bool Timeout::replay(Outcome& outcome) const {
  if (!is_closed()) return false;
  if (expired_) outcome = Outcome{error()};
  return true;
}

void Timeout::set_hidden(bool hidden) noexcept {
  Event::set_hidden(hidden);
  timer_.set_hidden(hidden);
}

std::string Timeout::info() const { return "Timeout(" + in_milliseconds(duration_) + "ms)"; }

}  // namespace weft
