#pragma once

#include <ostream>
#include <stdexcept>
#include <utility>

#include "support.hpp"

namespace weft_test {

using weft::testing::every_point;

/// A small program of two or three coroutines, to be run under every schedule. A coroutine that may
/// be cancelled at any point, before its start too, must leave none waiting for ever; what outlives
/// a frame that may unwind is counted and captured.
struct Scenario {
  const char* name;
  void (*body)();
  weft::testing::Cancel cancel = every_point;
  /// It affects all coroutines (shuts down, lets time pass), so no scenario may run beside it.
  bool alone = false;
};

inline std::ostream& operator<<(std::ostream& out, const Scenario& scenario) {
  return out << scenario.name;
}

/// What must hold in every schedule. Where nothing may be thrown, that is in callbacks, handlers
/// and destructors, WEFT_ASSERT says the same.
inline void require(bool holds, const char* sentence) {
  if (!holds) throw std::logic_error{sentence};
}

/// Counts the coroutines inside, however they leave.
class Inside {
 public:
  Inside(int& count, int most) : count_{count} { require(++count_ <= most, "too many are inside"); }
  ~Inside() { --count_; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  int& count_;
};

/// Acts when it is destroyed. Captured by a body it does so however the coroutine ends, even if the
/// body never ran.
class AtEnd {
 public:
  explicit AtEnd(weft::Function<void()> action) : action_{std::move(action)} {}
  AtEnd(AtEnd&& other) noexcept = default;
  AtEnd& operator=(AtEnd&&) = delete;
  AtEnd(const AtEnd&) = delete;
  AtEnd& operator=(const AtEnd&) = delete;
  ~AtEnd() {
    if (action_) action_();
  }

 private:
  weft::Function<void()> action_;
};

/// A bell, and whether it has rung: a late coroutine need not wait.
struct Door {
  Doorbell bell;
  bool open = false;
  void open_it() noexcept {
    open = true;
    bell.ring();
  }
};

}  // namespace weft_test
