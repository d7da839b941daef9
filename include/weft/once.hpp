#pragma once

#include <concepts>
#include <functional>
#include <utility>

#include "weft/holder.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"
#include "weft/wait_list.hpp"

namespace weft {

/// Does something once, however many ask for it. Needs no memory.
class Once {
 public:
  Once() noexcept = default;
  Once(const Once&) = delete;
  Once& operator=(const Once&) = delete;

  /// Suspends until it is done: the first caller calls `body`, which may suspend, the others wait.
  /// If `body` throws, also Cancelled, its caller gets that and the oldest waiter tries with its
  /// own body. Throws Cancelled, OperationCancelled when `token` comes while we wait for another,
  /// and MisuseError if `body` calls again: it would wait for itself.
  template <std::invocable F>
  void call(F&& body, Token token = {}, Place place = Place::here()) {
    if (done_) return;
    if (!begin(token, place)) return;
    Turn turn{*this};
    std::invoke(std::forward<F>(body));
    turn.once.done_ = true;
  }
  [[nodiscard]] bool is_done() const noexcept { return done_; }

 private:
  class InLine;
  /// Ends the turn however the body ends.
  struct Turn {
    Once& once;
    ~Turn() { once.end(); }
  };
  /// Whether it is our turn; else it is done.
  bool begin(Token token, Place place);
  void end() noexcept;

  bool done_ = false;
  Holder runner_ = nullptr;
  WaitList waiters_;
};

}  // namespace weft
