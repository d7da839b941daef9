#pragma once

#include <array>
#include <cstdint>

#include <uv.h>

#include "base/notify_list.hpp"
#include "reactor/loop_table.hpp"
#include "reactor/uv_handle.hpp"
#include "signal/signal_handlers.hpp"

namespace weft {

class Reactor;
class SignalEvent;

/// The signal events of one reactor, by number.
class SignalTable final : public LoopTable {
 public:
  /// The table of `reactor`.
  static SignalTable& of(Reactor& reactor);
  explicit SignalTable(Reactor& reactor) noexcept : reactor_{reactor} {}
  ~SignalTable() override;

  /// The signal arrives even if this thread has it blocked: it is unblocked while an event is
  /// armed. Throws std::system_error, and then nothing changed.
  void add(SignalEvent& event);
  void remove(SignalEvent& event) noexcept;
  /// Another user than an event needs `number`, such as a table of children. Throws
  /// std::system_error, and then nothing changed.
  void add_user(int number);
  void remove_user(int number) noexcept;
  /// Called for `number` while it has users, before its events are notified.
  class Listener {
   public:
    virtual void signal_arrived() noexcept = 0;

   protected:
    ~Listener() = default;
  };
  void set_listener(int number, Listener* listener) noexcept { row(number).listener = listener; }

  /// While on, and only one event wants `number`: if it arrives again before the loop has seen it,
  /// it has its previous effect. So a program that is busy can be ended.
  void end_at_second(int number, bool on) noexcept;
  /// Whether no other event than `event` is armed for its number.
  [[nodiscard]] bool is_only(const SignalEvent& event) noexcept;

  /// In the child of a fork, with a loop of its own: uses the same signals again.
  void after_fork() override;

 private:
  struct Row {
    NotifyList<SignalEvent> events;
    Listener* listener = nullptr;
    std::uint32_t wanted = 0;
    bool ends = false;       // see end_at_second()
    bool unblocked = false;  // by this table, in this thread, while an event is armed
  };
  Row& row(int number) noexcept { return rows_[static_cast<std::size_t>(number)]; }
  void open();
  /// On the loop's thread: notifies what has arrived.
  void deliver() noexcept;
  void notify_events(int number) noexcept;
  static void unblock(int number, Row& row) noexcept;
  static void block_again(int number, Row& row) noexcept;
  void update_end(int number) noexcept;

  Reactor& reactor_;
  SignalInbox inbox_;
  UvHandle<uv_async_t> async_;
  std::array<Row, signal_limit> rows_{};
};

/// Handles `number` while it lives.
class SignalUse {
 public:
  SignalUse(SignalTable& table, int number) : table_{table}, number_{number} {
    table.add_user(number);
  }
  ~SignalUse() { table_.remove_user(number_); }
  SignalUse(const SignalUse&) = delete;
  SignalUse& operator=(const SignalUse&) = delete;

 private:
  SignalTable& table_;
  int number_;
};

}  // namespace weft
