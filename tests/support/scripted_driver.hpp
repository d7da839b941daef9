#pragma once

#include <chrono>
#include <cstddef>
#include <utility>

#include "weft/extend/embed.hpp"

namespace weft_test {

/// A Driver without a loop: the test says what happens outside when the scheduler polls. Only
/// advance() moves its clock.
class ScriptedDriver final : public weft::Driver {
 public:
  int looks = 0;  ///< polls that did not wait
  int waits = 0;  ///< polls that waited

  /// From now on `script` is called at each poll, in the scheduler phase. Until end(), something
  /// outside could still wake a coroutine.
  void play(weft::Function<void(weft::Wait)> script) {
    script_ = std::move(script);
    playing_ = true;
  }
  /// Ends the script: nothing happens outside any more. May be called by the script.
  void end() noexcept { playing_ = false; }

  bool poll(weft::Wait wait, weft::TimePoint) noexcept override {
    ++(wait == weft::Wait::yes ? waits : looks);
    if (playing_) script_(wait);
    return playing_;
  }
  [[nodiscard]] weft::TimePoint now() noexcept override { return now_; }
  void passed(unsigned) noexcept override {}
  [[nodiscard]] std::size_t active_events() const noexcept override { return playing_ ? 1 : 0; }

  /// Moves the clock, as if a coroutine had worked for `duration`.
  void advance(weft::Duration duration) noexcept { now_ += duration; }

  /// Options with this driver, and a poll in every pass.
  [[nodiscard]] weft::Options options() noexcept {
    weft::Options options;
    options.driver = this;
    options.reactor_every_switches = 1;
    options.reactor_every = std::chrono::microseconds{1};
    return options;
  }

 private:
  weft::Function<void(weft::Wait)> script_;
  bool playing_ = false;
  weft::TimePoint now_{std::chrono::seconds{1'000}};
};

}  // namespace weft_test
