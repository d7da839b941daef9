#include "weft/extend/completion.hpp"

namespace weft {

bool Completion::replay(Outcome& outcome) const {
  if (!is_closed()) return false;
  outcome = this->outcome();
  return true;
}

void Completion::complete() noexcept {
  if (is_closed()) return;
  if (subscribers() == 0 && !has_notify_handler()) return close_quietly();
  try {
    notify_and_close(outcome());
  } catch (...) {  // without memory for its error, that is the error
    notify_and_close(Outcome{std::current_exception()});
  }
}

}  // namespace weft
