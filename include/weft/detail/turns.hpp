#pragma once

#include "weft/extend/wait_list.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"

namespace weft::detail {

/// One direction of a stream: who reads or writes has it to himself until he is done, the others
/// stand in line. That is why what two coroutines write never mixes.
class Turns {
 public:
  [[nodiscard]] bool is_taken() const noexcept { return taken_; }
  /// Suspends until it is ours. Throws Cancelled, what refuse_all() was given, and for `token`
  /// TimedOut or OperationCancelled; then it is not ours.
  void take(Token token, Place place) {
    if (!taken_) [[likely]] {
      taken_ = true;
      return;
    }
    stand_in_line(token, place);
  }
  /// For one who cannot suspend: false if it stands in line now, and will be granted.
  bool take_or_line_up(Waiter& waiter) noexcept;
  /// Whoever has it gives it back only at the end of the stream. Who stands in line may wait in
  /// vain.
  void keep() noexcept { kept_ = true; }
  void give_back() noexcept {
    taken_ = false;
    kept_ = false;
    if (!line_.is_empty()) hand_on();
  }
  /// For good: also whoever was given it, and has not run since, throws that the stream was closed.
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
  bool handing_on_ = false;  // one who needs it only for a moment gives it back inside his grant
  WaitList line_;
};

/// Has a turn while it lives.
class Turn {
 public:
  Turn(Turns& turns, Token token, Place place) : turns_{&turns} { turns.take(token, place); }
  ~Turn() {
    if (turns_ != nullptr) turns_->give_back();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  /// Somebody else gives it back.
  void leave() noexcept { turns_ = nullptr; }

 private:
  Turns* turns_;
};

}  // namespace weft::detail
