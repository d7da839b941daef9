#pragma once

#include <ostream>
#include <stdexcept>
#include <utility>

#include "support.hpp"

namespace weft_test {

using weft::testing::every_point;

/// A small program of two or three coroutines, to be run under every schedule. Each coroutine may
/// be cancelled at any point, even before its start, and must not leave another waiting for ever.
/// Objects that outlive a frame which may unwind are captured as shared pointers.
struct Scenario {
  const char* name;
  void (*body)();
  weft::testing::Cancel cancel = every_point;
  /// The scenario affects all coroutines (a shutdown, a jump of the clock): no other may run beside
  /// it.
  bool alone = false;
};

inline std::ostream& operator<<(std::ostream& out, const Scenario& scenario) {
  return out << scenario.name;
}

/// Throws unless `holds`, which must be so in every schedule. Callbacks, handlers and destructors,
/// which may not throw, use WEFT_ASSERT instead.
inline void require(bool holds, const char* sentence) {
  if (!holds) throw std::logic_error{sentence};
}

/// Counts the coroutines inside a section, and throws if there are more than `most`.
class Inside {
 public:
  Inside(int& count, int most) : count_{count} { require(++count_ <= most, "too many are inside"); }
  ~Inside() { --count_; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  int& count_;
};

/// Calls a function when it is destroyed: captured by a body, however the coroutine ends, even if
/// the body never ran.
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

/// A Doorbell that remembers that it has rung, so that a late coroutine need not wait.
struct Door {
  Doorbell bell;
  bool open = false;
  void open_it() noexcept {
    open = true;
    bell.ring();
  }
};

}  // namespace weft_test
