#include "concurrency/describe_lock.hpp"

#include "scheduler/scheduler.hpp"

namespace weft {
namespace {

// With more coroutines a report would search too long for the owner of each lock.
constexpr std::size_t most_searched = 4'096;

/// Null if no living coroutine is `owner`: it may have ended with the lock.
const CoroutineBase* find_lock_owner(detail::LockOwner owner) noexcept {
  const Scheduler* scheduler = current_thread.scheduler;
  if (scheduler == nullptr || scheduler->registry().size() > most_searched) return nullptr;
  const CoroutineBase* found = scheduler->registry().first();
  while (found != nullptr && found != owner) found = Scheduler::next_registered(*found);
  return found;
}

}  // namespace

std::string describe_lock(const char* kind, Place created) {
  return created.is_of_standard_library() ? kind
                                          : std::string{kind} + " created at " + created.text();
}

std::string describe_lock_owner(detail::LockOwner owner, Place locked_at) {
  const CoroutineBase* coroutine = find_lock_owner(owner);
  std::string text = coroutine == nullptr ? "code that is no coroutine any more"
                                          : "Coroutine " + std::to_string(coroutine->id());
  if (coroutine != nullptr && !coroutine->name().empty()) {
    text += " (" + std::string{coroutine->name()} + ")";
  }
  if (!locked_at.is_of_standard_library()) text += ", which locked it at " + locked_at.text();
  return text;
}

}  // namespace weft
