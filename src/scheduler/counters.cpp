#include "scheduler/scheduler.hpp"

namespace weft {

void Scheduler::fill(Stats& stats) const noexcept {
  stats.coroutines = registry_.size();
  stats.active_coroutines = registry_.active();
  stats.queued = queue_.size();
  stats.microtasks = microtasks_.size();
  stats.deferred_cleanups = failures_.dropped();
  stats.contexts_in_use = stacks_.in_use() - 1;  // without that of the scheduler coroutine
  stats.coroutines_spawned = registry_.entered();
  stats.suspensions = suspensions_;
  stats.switches = switches_;
  stats.scheduler_switches = scheduler_switches_;
  stats.contexts_created = stacks_.created() - 1;
  stats.contexts_reused = stacks_.reused();
  stats.contexts_pooled = stacks_.pooled();
  stats.pool_target = stacks_.target();
  stats.pool_capacity = stacks_.capacity() - 1;
  stats.pool_minimum = stacks_.minimum();
  stats.stack_size = stacks_.default_size();
  stats.stack_bytes_reserved = stacks_.bytes_reserved();
  stats.pooled_bytes = stacks_.pooled_bytes();
  stats.guards = stacks_.guard_kind();
}

}  // namespace weft
