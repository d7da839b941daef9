#pragma once

#include <memory>
#include <string>
#include <vector>

#include "weft/weft.hpp"

namespace weft_test {

/// How often an event happens, and what it says afterwards.
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
  loop,     ///< counts in the event, and as something that could wake a coroutine
};

/// One event of one kind, with all it needs to happen.
struct Specimen {
  weft::Event* event = nullptr;
  weft::Function<void()> happen;  ///< makes it happen, soon
  weft::Function<void()> end;     ///< closes it without its happening; none if nothing can
  std::shared_ptr<void> keep;     ///< owns what the event lives in
};

/// A row: one for every kind of event there is. A kind added later gets a line in `kinds()`, and
/// all of the contract is tested with it.
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
