#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "weft/extend/callback.hpp"
#include "weft/extend/event.hpp"
#include "weft/timer.hpp"

namespace weft {

/// Warnings that remote peers can cause: a few are written as they come, the rest of the same ten
/// seconds is counted and written as one line when they have passed, or by the destructor.
class LimitedWarnings {
 public:
  static constexpr std::size_t at_once = 5;
  static constexpr std::chrono::seconds period{10};

  /// `source` begins each line and must live as long as the program.
  explicit LimitedWarnings(const char* source);
  ~LimitedWarnings();
  LimitedWarnings(const LimitedWarnings&) = delete;
  LimitedWarnings& operator=(const LimitedWarnings&) = delete;

  void write(std::string_view text) noexcept;

 private:
  class PeriodEnds final : public Callback {
   public:
    explicit PeriodEnds(LimitedWarnings& warnings) noexcept : warnings_{warnings} {}
    ~PeriodEnds() override = default;
    void on_notify(Event& /*event*/, const Outcome& /*outcome*/) noexcept override {
      warnings_.end_period();
    }

   private:
    LimitedWarnings& warnings_;
  };

  void end_period() noexcept;
  void warn_of_left_out() noexcept;

  const char* source_;
  std::size_t written_ = 0;   // in this period
  std::size_t left_out_ = 0;  // in this period
  std::string last_;          // the last of those left out
  Timer timer_ = Timer::multishot(Duration::zero());
  PeriodEnds period_ends_{*this};
};

}  // namespace weft
