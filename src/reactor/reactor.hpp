#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <uv.h>

#include "base/for_siblings.hpp"
#include "reactor/descriptor.hpp"
#include "reactor/loop_table.hpp"
#include "reactor/mailbox.hpp"
#include "reactor/readiness.hpp"
#include "reactor/timer_queue.hpp"
#include "weft/extend/clock.hpp"
#include "weft/extend/driver.hpp"
#include "weft/extend/loop_event.hpp"

namespace weft {

class Choice;
class HostDescriptor;

/// Turns readiness, timers and completions into notifications of events: a libuv loop, and beside
/// it timers and the readiness of descriptors, which libuv would do at a higher cost. Knows no
/// coroutines. The loop is made when first needed: a program of timers on a virtual clock has none.
class Reactor final : public Driver {
 public:
  Reactor(Clock& clock, Choice* choice) noexcept;
  ~Reactor() override;
  Reactor(const Reactor&) = delete;
  Reactor& operator=(const Reactor&) = delete;

  bool poll(Wait wait, TimePoint limit) noexcept override;
  [[nodiscard]] TimePoint now() noexcept override { return clock_.now(); }
  void passed(unsigned passes) noexcept override { clock_.passed(passes); }
  [[nodiscard]] std::size_t active_events() const noexcept override { return active_; }
  void interrupt() noexcept override;

  Clock& clock() noexcept { return clock_; }
  TimerQueue& timers() noexcept { return timers_; }
  DescriptorTable& descriptors() noexcept { return descriptors_; }
  /// Called before something is armed: makes the loop to sleep in, unless time is virtual. Throws
  /// std::system_error.
  void open() {
    if (loop_ == nullptr && !clock_.is_virtual()) make_loop();
  }
  /// Made if needed. Throws std::system_error.
  WEFT_FOR_SIBLINGS uv_loop_t& loop();
  Readiness& readiness() {
    if (loop_ == nullptr) make_loop();
    return readiness_;
  }
  Mailbox& mailbox();
  /// The table that another room keeps for this loop, made at the first call. Throws what its
  /// constructor throws.
  template <std::derived_from<LoopTable> Table>
  Table& table() {
    for (const std::unique_ptr<LoopTable>& made : tables_) {
      if (auto* const found = dynamic_cast<Table*>(made.get())) return *found;
    }
    auto made = std::make_unique<Table>(*this);
    Table& table = *made;
    tables_.push_back(std::move(made));
    return table;
  }

  /// An event enters or leaves the loop, or changes its visibility while armed.
  void armed(LoopEvent& event) noexcept;
  void disarmed(LoopEvent& event) noexcept;
  void visibility_changes(bool hidden) noexcept;
  /// A coroutine begins or ends a wait for a descriptor without an armed event.
  void add_active_wait() noexcept { ++active_; }
  void remove_active_wait() noexcept { --active_; }
  /// The same for a ReadinessWaiter.
  void wait_begins(bool hidden) noexcept {
    if (hidden) [[unlikely]] {
      ++hidden_;
    } else {
      ++active_;
    }
  }
  void wait_ends(bool hidden) noexcept {
    if (hidden) [[unlikely]] {
      --hidden_;
    } else {
      --active_;
    }
  }
  /// A background operation begins or ends: no event waits for it, but its completion is reported
  /// and may wake a coroutine. So there is no deadlock meanwhile; it keeps no runtime alive.
  void background_op_begins() noexcept { ++background_ops_; }
  void background_op_ends() noexcept { --background_ops_; }
  /// An event was notified of something from outside.
  void delivered() noexcept { ++deliveries_; }
  /// Something takes real time and surely ends, such as work on a worker thread or a child: until
  /// release_time(), the loop turns for it and virtual time does not advance. Calls nest.
  void hold_time() noexcept { ++time_holds_; }
  void release_time() noexcept { --time_holds_; }
  /// Until release_loop(), the loop turns for something that no event waits for, such as a child to
  /// collect. Calls nest.
  void hold_loop() noexcept { ++loop_holds_; }
  void release_loop() noexcept { --loop_holds_; }

  /// A watched descriptor is ready; `key` may belong to one that is gone.
  void report(Readiness::Key key, unsigned mask) noexcept;

  /// The runtime ends: disarms everything.
  void disarm_all() noexcept;
  /// A descriptor that becomes readable when poll() has something to do, timers included: at once
  /// if the caller is `busy`, at the latest at `limit`.
  int descriptor(bool busy, TimePoint limit);
  /// Gives the child of a fork a loop of its own.
  void after_fork();
  /// A child must not touch the loop it inherited: it shares the kernel's part with its parent.
  void forget_loop() noexcept { forgotten_ = true; }
  [[nodiscard]] bool is_forgotten() const noexcept { return forgotten_; }

  [[nodiscard]] std::size_t hidden_events() const noexcept { return hidden_; }
  [[nodiscard]] std::uint64_t ticks() const noexcept { return ticks_; }
  [[nodiscard]] std::uint64_t waits() const noexcept { return waits_; }

 private:
  struct Loop;
  WEFT_FOR_SIBLINGS void make_loop();
  void wait_in_loop(TimePoint limit) noexcept;
  /// One turn without waiting.
  void poll_now() noexcept;
  /// One turn, which waits until `deadline` for something from outside.
  void sleep_until(TimePoint deadline) noexcept;
  void close_loop() noexcept;
  /// Whether anything but a timer can notify.
  [[nodiscard]] bool outside_possible() const noexcept;

  Clock& clock_;
  Choice* choice_;
  TimerQueue timers_;
  Readiness readiness_;
  DescriptorTable descriptors_;
  std::unique_ptr<Loop> loop_;
  std::unique_ptr<HostDescriptor> host_;
  std::unique_ptr<Mailbox> mailbox_;
  std::vector<std::unique_ptr<LoopTable>> tables_;
  detail::SlimList<LoopEvent> armed_;  // of those that it lists
  std::size_t active_ = 0;
  std::size_t hidden_ = 0;
  std::size_t background_ops_ = 0;
  std::uint64_t deliveries_ = 0;
  std::size_t time_holds_ = 0;
  std::size_t loop_holds_ = 0;
  std::uint64_t ticks_ = 0;
  std::uint64_t waits_ = 0;
  bool polling_ = false;
  bool forgotten_ = false;
  bool inherited_ = false;  // from the parent, whose workers are not in this process
};

}  // namespace weft
