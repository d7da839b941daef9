#pragma once

#include <memory>
#include <ostream>
#include <vector>

#include "weft/weft.hpp"

namespace weft_test {

/// One operation that has to wait, with all it needs for that.
struct Waiting {
  weft::Function<void(weft::Token)> wait;
  weft::Function<void()> end;  ///< closes or destroys what is waited for; none if nothing can
  std::shared_ptr<void> keep;  ///< owns what the operation is about
};

/// What an operation can be given, and whether it alone keeps the program from being a deadlock.
enum class Endings {
  any,        ///< takes a token, and may be part of a deadlock
  outside,    ///< takes a token; what it waits for may come from outside
  alone,      ///< takes no token, and may be part of a deadlock
  by_itself,  ///< takes no token; it ends by itself, or from outside
};

/// A row of the table of docs/guide/errors.md, under the same name.
struct Wait {
  const char* operation;
  Endings ends;
  Waiting (*make)();  ///< in a coroutine of a runtime

  friend std::ostream& operator<<(std::ostream& out, const Wait& wait) {
    return out << wait.operation;
  }
};

[[nodiscard]] const std::vector<Wait>& waits();

/// Where docs/guide/errors.md is.
extern const char* const errors_page;

}  // namespace weft_test
