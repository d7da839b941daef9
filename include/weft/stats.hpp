#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>
#include <cstdint>

namespace weft {

/// How stacks are protected against overflow: by `pages` that cannot be touched, by `markers` that
/// do the same without a mapping of their own (MADV_GUARD_INSTALL), by a `canary` that is compared,
/// or not (`none`).
enum class GuardKind : std::uint8_t { none, markers, pages, canary };

/// A snapshot of a runtime's counters. The first block must be back at zero when a runtime ends.
struct Stats {
  std::size_t coroutines = 0;         ///< registered and not finished, main included
  std::size_t active_coroutines = 0;  ///< the same without zombies
  std::size_t queued = 0;             ///< in the run queue
  std::size_t microtasks = 0;         ///< posted and not run
  std::size_t deferred_cleanups = 0;  ///< unread errors without a handle, for the next pass
  std::size_t active_events = 0;      ///< armed and visible: can still wake a coroutine
  std::size_t hidden_events = 0;      ///< armed and hidden
  std::size_t armed_timers = 0;       ///< timers in the loop
  std::size_t contexts_in_use = 0;    ///< contexts that belong to a coroutine now

  std::uint64_t coroutines_spawned = 0;  ///< so far
  std::uint64_t suspensions = 0;         ///< so far
  std::uint64_t switches = 0;            ///< context switches, all
  std::uint64_t scheduler_switches = 0;  ///< of these, into the scheduler coroutine
  std::uint64_t contexts_created = 0;    ///< contexts with a new stack
  std::uint64_t contexts_reused = 0;     ///< contexts that were taken from the pool
  std::size_t contexts_pooled = 0;       ///< contexts in the pool, ready to be used again
  std::size_t pool_target = 0;           ///< contexts the pool aims to keep, from recent demand
  std::size_t pool_capacity = 0;         ///< contexts that the reserved address space has room for
  std::size_t pool_minimum = 0;          ///< contexts the pool keeps whatever the demand
  std::size_t stack_size = 0;            ///< default size of a stack in bytes
  std::size_t stack_bytes_reserved = 0;  ///< address space, not memory
  std::size_t pooled_bytes = 0;          ///< the part of it that is in the pool
  GuardKind guards = GuardKind::none;    ///< what guards the stacks
  std::uint64_t reactor_ticks = 0;       ///< non-blocking polls
  std::uint64_t reactor_waits = 0;       ///< blocking polls
};

}  // namespace weft
