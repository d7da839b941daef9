#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "reactor/timer_table.hpp"
#include "weft/time.hpp"

namespace weft {

/// Timers that are not due soon, in slots by their deadline, unordered within a slot. Time is
/// counted in ticks of about a millisecond; a slot of the first level is one tick wide, one of each
/// further level as wide as the whole level before. A timer is in the level in which its tick first
/// differs from the present one, so it moves down a level when its slot begins.
class TimerWheel {
 public:
  using Tick = std::uint64_t;
  using Number = TimerTable::Number;

  explicit TimerWheel(TimerTable& rows) noexcept : rows_{rows} { slots_.fill(TimerTable::none); }

  [[nodiscard]] static Tick tick_of(TimePoint moment) noexcept {
    return static_cast<Tick>(moment.time_since_epoch().count()) >> tick_bits;
  }
  /// Whether a timer of this deadline belongs here; otherwise it is due soon.
  [[nodiscard]] bool is_far(TimePoint deadline) const noexcept {
    return tick_of(deadline) > present_;
  }
  void add(Number number) noexcept;
  void remove(Number number) noexcept;
  /// Any timer; there must be one.
  [[nodiscard]] Number any() const noexcept { return slots_[*first()]; }
  /// The first deadline; `never` if there is none.
  [[nodiscard]] TimePoint next() const noexcept;

  /// Advances to `moment`, but not beyond the first slot whose timers become due soon. Those are
  /// taken out and returned as a list; `none` if `moment` is reached and there are none.
  Number advance(TimePoint moment) noexcept;

 private:
  static constexpr unsigned tick_bits = 20;  // of the nanoseconds
  static constexpr unsigned level_bits = 8;
  static constexpr std::size_t slots_per_level = std::size_t{1} << level_bits;
  static constexpr std::size_t levels = (64 - tick_bits + level_bits - 1) / level_bits;
  static constexpr std::size_t bits_per_word = 64;

  static constexpr std::size_t slot_count = levels * slots_per_level;

  using Slot = std::size_t;  // slots of the first level come first
  [[nodiscard]] Slot slot_of(Tick tick) const noexcept;
  /// The first slot in use.
  [[nodiscard]] std::optional<Slot> first() const noexcept;
  [[nodiscard]] Tick begin_of(Slot slot) const noexcept;
  void mark_used(Slot slot) noexcept {
    used_[slot / bits_per_word] |= std::uint64_t{1} << (slot % bits_per_word);
  }
  void mark_empty(Slot slot) noexcept {
    used_[slot / bits_per_word] &= ~(std::uint64_t{1} << (slot % bits_per_word));
  }
  Number take_all(Slot slot) noexcept;

  TimerTable& rows_;
  Tick present_ = 0;
  mutable std::optional<TimePoint> next_;  // if it is known
  std::array<std::uint64_t, slot_count / bits_per_word> used_{};
  std::array<Number, slot_count> slots_;  // the first timer of each
};

}  // namespace weft
