#include <algorithm>
#include <vector>

#include "scheduler/scheduler.hpp"
#include "weft/extend/embed.hpp"
#include "weft/ref.hpp"
#include "weft/runtime.hpp"

namespace weft {

std::string Scheduler::describe_state(const CoroutineBase& coroutine) {
  if (coroutine.is_completed()) return "completed";
  if (!coroutine.is_started()) return "not started";
  if (coroutine.is_queued()) return "queued";
  if (coroutine.is_suspended()) return "waiting";
  return "running";
}

std::string Scheduler::dump() const {
  std::string text = std::to_string(registry_.size()) + " coroutines, " +
                     std::to_string(driver_.active_events()) + " active events";
  for (CoroutineBase* c = registry_.first(); c != nullptr; c = next_registered(*c)) {
    text += "\n  " + c->info() + ": " + describe_state(*c);
    if (c->is_cancellation_requested()) text += ", cancellation requested";
    for (const std::string& event : c->waker().awaiting()) text += "\n    waits for " + event;
  }
  return text;
}

void for_each_coroutine(Function<void(CoroutineBase&)> visit) {
  const Registry& registry = Scheduler::here("for_each_coroutine()").registry();
  std::vector<Ref<CoroutineBase>> all;  // `visit` may spawn and cancel
  all.reserve(registry.size());
  for (CoroutineBase* c = registry.first(); c != nullptr; c = Scheduler::next_registered(*c)) {
    all.emplace_back(c);
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a->id() < b->id(); });
  for (const Ref<CoroutineBase>& coroutine : all) visit(*coroutine);
}

std::string dump() { return Scheduler::here("dump()").dump(); }

}  // namespace weft
