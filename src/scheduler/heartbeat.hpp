#pragma once

#include <utility>

#include "weft/function.hpp"
#include "weft/ref.hpp"

namespace weft {

/// The hook of every tick. It may replace itself while it runs, so beat() holds a reference.
class Heartbeat {
 public:
  explicit operator bool() const noexcept { return static_cast<bool>(hook_); }

  void beat() {
    const Ref<Hook> running = hook_;
    running->body();
  }
  /// Installs `body`, or nothing if it is empty; returns what was there before. Throws
  /// std::bad_alloc, and then nothing changed.
  Function<void()> replace(Function<void()> body) {
    Ref<Hook> next = body ? make_ref<Hook>(std::move(body)) : nullptr;
    Ref<Hook> previous = std::exchange(hook_, std::move(next));
    if (!previous) return {};
    if (previous->references() > 1) {  // the hook runs now and stays where it is
      return [previous] { previous->body(); };
    }
    return std::move(previous->body);
  }

 private:
  struct Hook : Counted<Hook> {
    explicit Hook(Function<void()> given) noexcept : body{std::move(given)} {}
    Function<void()> body;
  };

  Ref<Hook> hook_;
};

}  // namespace weft
