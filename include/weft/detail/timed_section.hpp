#pragma once

#include "weft/error.hpp"
#include "weft/extend/callback.hpp"
#include "weft/extend/section.hpp"
#include "weft/time.hpp"
#include "weft/timer.hpp"

namespace weft::detail {

/// Underneath with_timeout(): a section that is cancelled when a time has passed.
class TimedSection {
 public:
  /// Throws ValueError unless `duration` is above 0.
  explicit TimedSection(TimeSpan duration);
  ~TimedSection();
  TimedSection(const TimedSection&) = delete;
  TimedSection& operator=(const TimedSection&) = delete;
  /// Call it in a handler for `cancelled`: throws TimedOut if this section caused it, else rethrows
  /// it.
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

}  // namespace weft::detail
