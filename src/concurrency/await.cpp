#include "weft/await.hpp"

#include "base/current.hpp"
#include "base/warning.hpp"
#include "scheduler/scheduler.hpp"
#include "weft/error.hpp"

namespace weft {
namespace {

/// A closed event never notifies again: its stored outcome is the answer.
void answer_closed(Event& event) {
  event.set(Event::result_used_flag);
  Outcome outcome;
  if (!event.replay(outcome)) {
    warn("await() of a closed event that keeps no outcome returns at once: " + event.info());
    return;
  }
  if (outcome.error() != nullptr) {
    event.set(Event::error_caught_flag);
    std::rethrow_exception(outcome.error());
  }
}

}  // namespace

void await(Event& awaited, Place place) {
  Event& event = resolve(awaited);
  if (event.is_closed()) return answer_closed(event);
  Waker& waker = Scheduler::renewed_waker("await()");
  event.set(Event::result_used_flag);
  waker.resume_when(event, Wake::resolve);
  suspend(waker, place);
}

void await(Event& awaited, Token given, Place place) {
  if (!given) return await(awaited, place);
  Event& event = resolve(awaited);
  Event& token = resolve(*given.event());
  token.set(Event::result_used_flag);
  if (event.is_closed()) return answer_closed(event);
  if (&event == &token) return await(event, place);
  if (token.is_closed()) {
    Outcome outcome;
    token.replay(outcome);
    token.set(Event::error_caught_flag);
    throw OperationCancelled{"Operation has been cancelled", outcome.error()};
  }
  Waker& waker = Scheduler::renewed_waker("await()");
  event.set(Event::result_used_flag);
  waker.resume_when(event, Wake::resolve);
  waker.resume_when(token, Wake::cancel);
  suspend(waker, place);
}

}  // namespace weft
