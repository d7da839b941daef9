#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "weft/error.hpp"
#include "weft/mistake.hpp"
#include "weft/section.hpp"
#include "weft/time.hpp"
#include "weft/timer.hpp"

namespace weft {

/// Underneath with_timeout(): a section that is cancelled when a time has passed.
class TimedSection {
 public:
  /// Throws ValueError unless `duration` is above 0.
  explicit TimedSection(TimeSpan duration);
  ~TimedSection();
  TimedSection(const TimedSection&) = delete;
  TimedSection& operator=(const TimedSection&) = delete;
  /// Inside a handler for `cancelled`: throws TimedOut if it is ours, else goes on with it.
  [[noreturn]] void pass_on(const Cancelled& cancelled) const;

 private:
  class Alarm final : public Callback {
   public:
    explicit Alarm(Section& section) noexcept : section_{section} {}
    ~Alarm() override = default;
    void on_notify(Event& /*event*/, const Outcome& /*outcome*/) noexcept override {
      section_.cancel();
    }

   private:
    Section& section_;
  };

  Section section_{"with_timeout()"};
  Alarm alarm_{section_};
  Timer timer_;
};

/// Runs `body` in this coroutine and returns what it returns. When `duration` has passed, the
/// present or next suspension inside throws Cancelled, and TimedOut leaves this call. Deadlines
/// nest; the nearest counts. A body that ends in time, or never suspends, keeps its result.
/// A protect() inside the body is waited for; one around this call is not.
template <std::invocable F>
std::invoke_result_t<F> with_timeout(TimeSpan duration, F&& body) {
  const TimedSection section{duration};
  try {
    return std::forward<F>(body)();
  } catch (const Cancelled& cancelled) {
    section.pass_on(cancelled);
  }
}
template <class F>
requires(!std::invocable<F>) AnyResult with_timeout(TimeSpan /*duration*/, F&& /*body*/) {
  static_assert(always_false<F>,
                "with_timeout() calls its body without arguments: let the body "
                "capture what it needs");
  return {};
}

}  // namespace weft
