#pragma once

#include "weft/detail/abi.hpp"

#include "weft/channel.hpp"
#include "weft/detail/held.hpp"
#include "weft/extend/host_future.hpp"
#include "weft/future.hpp"
#include "weft/pool.hpp"
#include "weft/task_group.hpp"
#include "weft/task_set.hpp"
#include "weft/values.hpp"

// For the collector of cycles of a host: the values that an object of the runtime holds. `visit`
// gets each value once, and only if this object is its sole owner. A host that counts references
// may treat it as one reference from the object; reporting a shared value would make the collector
// free it while in use. Values on the stack of a coroutine are not among them.
//
// Everything here is called on the thread of the runtime, also in the scheduler phase. `visit` must
// neither throw nor change the object.
namespace weft {

/// Calls `visit` with each value in the buffer, the oldest first. The values that parked senders
/// offer belong to those.
template <class T, class Visit>
void for_each_held(const Channel<T>& channel, Visit&& visit) {
  detail::Held::in_channel(channel, visit);
}

/// Calls `visit` with each idle resource. Those on loan belong to their leases.
template <class T, class Visit>
void for_each_held(const Pool<T>& pool, Visit&& visit) {
  detail::Held::in_pool(pool, visit);
}

/// Calls `visit` with the result of each task that has ended and was not delivered, unless a task
/// that runs, or a future of the group, holds the group too.
template <class T, class Visit>
void for_each_held(const TaskGroup<T>& tasks, Visit&& visit) {
  detail::Held::results(tasks, visit);
}
/// The same for a set.
template <class T, class Visit>
void for_each_held(const TaskSet<T>& tasks, Visit&& visit) {
  detail::Held::results(tasks, visit);
}
/// Calls `visit` with the body of each task that is queued, if its class is `Body`: the object of
/// the group destroys those.
template <class Body, class T, class Visit>
void for_each_queued(const TaskGroup<T>& tasks, Visit&& visit) {
  detail::Held::queued<Body>(tasks, visit);
}
/// The same for a set.
template <class Body, class T, class Visit>
void for_each_queued(const TaskSet<T>& tasks, Visit&& visit) {
  detail::Held::queued<Body>(tasks, visit);
}

/// Calls `visit` with the value of a completed future, if this handle is the only reference to it:
/// no other handle, promise, chain or waiter has it.
template <class T, class Visit>
void for_each_held(const Future<T>& future, Visit&& visit) {
  if (!future || !future.state().has_single_reader()) return;
  if (const auto& value = future.state().outcome().stored()) visit(*value);
}
/// Calls `visit` with the value of a completed future that is part of an object of the host.
template <class T, class Visit>
void for_each_held(const HostFuture<T>& future, Visit&& visit) {
  if (const auto& value = future.outcome().stored()) visit(*value);
}

/// Calls `visit` with each value of type T, set by any key.
template <class T, class Visit>
void for_each_held(const Values& values, Visit&& visit) {
  detail::Held::in_values<T>(values, visit);
}

}  // namespace weft
