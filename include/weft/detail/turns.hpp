#pragma once

#include "weft/extend/wait_list.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"

namespace weft::detail {

/// The lock of one direction of a stream: a coroutine that reads or writes holds it until it is
/// done, the others queue. So what two coroutines write never mixes.
class Turns {
 public:
  [[nodiscard]] bool is_taken() const noexcept { return taken_; }
  /// Suspends until the caller has the turn. Throws Cancelled, what refuse_all() was given, and for
  /// `token` TimedOut or OperationCancelled; then the caller does not have it.
  void take(Token token, Place place) {
    if (!taken_) [[likely]] {
      taken_ = true;
      return;
    }
    stand_in_line(token, place);
  }
  /// For a waiter that cannot suspend: false if it is in the queue now, and will be granted.
  bool take_or_line_up(Waiter& waiter) noexcept;
  /// The holder gives the turn back only at the end of the stream. Waiters may never be granted.
  void keep() noexcept { kept_ = true; }
  void give_back() noexcept {
    taken_ = false;
    kept_ = false;
    if (!line_.is_empty()) hand_on();
  }
  /// Permanently: a waiter that was granted and has not run since also throws that the stream was
  /// closed.
  void refuse_all(const std::exception_ptr& error) noexcept {
    refused_ = true;
    line_.refuse_all(error);
  }
  /// The same, with the error that the stream was closed.
  void refuse_all() noexcept;

 private:
  void stand_in_line(Token token, Place place);
  void hand_on() noexcept;

  bool taken_ = false;
  bool kept_ = false;
  bool refused_ = false;
  bool handing_on_ = false;  // a short-time holder gives it back inside its grant
  WaitList line_;
};

/// Holds a turn while it lives.
class Turn {
 public:
  Turn(Turns& turns, Token token, Place place) : turns_{&turns} { turns.take(token, place); }
  ~Turn() {
    if (turns_ != nullptr) turns_->give_back();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  /// Other code gives it back.
  void leave() noexcept { turns_ = nullptr; }

 private:
  Turns* turns_;
};

}  // namespace weft::detail
