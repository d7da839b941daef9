#include "weft/await.hpp"

#include "base/current.hpp"
#include "base/warning.hpp"
#include "scheduler/scheduler.hpp"
#include "scheduler/token_error.hpp"
#include "wait/await_as.hpp"
#include "wait/live_token.hpp"

namespace weft {
namespace {

/// A closed event never notifies again: replays its stored outcome. A ready one has no outcome.
void answer_at_once(Event& event) {
  event.set(Event::result_used_flag);
  if (event.has(Event::hint_flag)) return;  // a hint has no outcome
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

/// Whether await() returns at once: the event is closed, or its hint event is ready.
bool is_there(const Event& event) noexcept {
  return event.is_closed() || (event.has(Event::hint_flag) && event.is_ready());
}

}  // namespace

Event& live_event_of(const Token& token) {
  Event& event = resolve(*token.event());
  event.set(Event::result_used_flag);
  if (!event.is_closed()) return event;
  Outcome outcome;
  event.replay(outcome);
  event.set(Event::error_caught_flag);
  throw_token_error(outcome.error());
}

namespace {

[[gnu::always_inline]] inline void wait_for(const char* operation, Event& awaited, Place place) {
  Event& event = resolve(awaited);
  if (is_there(event)) return answer_at_once(event);
  Waker& waker = Scheduler::renewed_waker(operation);
  event.set(Event::result_used_flag);
  waker.resume_when(event, Wake::resolve);
  suspend(waker, place);
}

}  // namespace

void await(Event& event, Place place) { wait_for("await()", event, place); }

void await(Event& event, Token token, Place place) { await_as("await()", event, token, place); }

void expect_to_suspend(const char* operation) { Scheduler::expect_to_suspend(operation); }

void await_as(const char* operation, Event& awaited, Token given, Place place) {
  if (!given) return wait_for(operation, awaited, place);
  Event& event = resolve(awaited);
  given.mark_used();
  if (is_there(event)) return answer_at_once(event);
  Event& token = live_event_of(given);
  if (&event == &token) return wait_for(operation, event, place);
  Waker& waker = Scheduler::renewed_waker(operation);
  event.set(Event::result_used_flag);
  waker.resume_when(event, Wake::resolve);
  waker.resume_when(token, Wake::cancel);
  suspend(waker, place);
}

}  // namespace weft
