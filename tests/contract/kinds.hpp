#pragma once

#include <memory>
#include <string>
#include <vector>

#include "weft/weft.hpp"

namespace weft_test {

/// How often an event happens, and what late subscribers get.
enum class Life {
  once,    ///< closes with its outcome, and replays it
  silent,  ///< closes and keeps nothing: a late wait returns with a warning
  again,   ///< happens any number of times and stays open
  hint,    ///< hints that trying would succeed; ready or closed, a wait ends at once
};

/// What a start does.
enum class Counting {
  nothing,  ///< succeeds, and changes no count
  own,      ///< counts in the event only
  loop,     ///< counts in the event, and as an active event
};

/// One event of one kind, with all it needs to happen.
struct Specimen {
  weft::Event* event = nullptr;
  weft::Function<void()> fire;  ///< makes it happen, soon
  weft::Function<void()> end;   ///< closes it before it happens; none if that is impossible
  std::shared_ptr<void> keep;   ///< owns the object that contains the event
};

/// A row for an event kind. A new kind gets a line in `kinds()`, and all tests of the contract run
/// with it.
struct Kind {
  const char* name;
  const char* info;  ///< the form of R-OBS-3, as a regular expression
  Life life;
  Counting counting;
  Specimen (*make)();  ///< in a coroutine of a runtime
  bool fails = false;  ///< it happens with an error
};

[[nodiscard]] const std::vector<Kind>& kinds();

}  // namespace weft_test
