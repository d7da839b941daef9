#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>
#include <exception>

#include "weft/coroutine.hpp"
#include "weft/extend/driver.hpp"
#include "weft/extend/event.hpp"
#include "weft/extend/stack_policy.hpp"
#include "weft/function.hpp"
#include "weft/microtask.hpp"
#include "weft/options.hpp"

namespace weft {

/// A number for `CoroutineBase::set_internal_value`, the same for the same name pointer in one
/// runtime. Throws MisuseError outside a runtime.
[[nodiscard]] unsigned internal_key(const char* name);

/// Called once per scheduler tick, before microtasks. Returns the previous hook. The hook must not
/// throw; it may call this to replace itself.
Function<void()> set_heartbeat(Function<void()> hook);

/// Polls the reactor now, without waiting: woken coroutines are queued, none is switched to.
void tick_reactor();

/// For a signal handler, in which only this function of weft may be called: ends the sleep of this
/// thread's runtime, so that the heartbeat hook is called soon after. Does nothing on a thread
/// without one.
void interrupt() noexcept;

/// The ends of a stack, for a host that checks how much is left of it.
struct StackBounds {
  /// The lowest address that may be used.
  void* low;
  /// The address behind the highest.
  void* high;
};

/// The stack that this code runs on, of a coroutine or of the thread. For the thread's stack the C
/// library may read a file: keep what it returns. Throws MisuseError outside a runtime.
[[nodiscard]] StackBounds current_stack();

/// Returns the memory of all unused stacks to the system now. The idle scheduler does that only for
/// stacks beyond recent demand. Throws MisuseError outside a runtime.
void trim_stacks();

/// Suspends to call `body` on the main coroutine's stack, for foreign code that checks the stack
/// pointer; a plain call on the main coroutine. Throws what `body` throws.
void run_on_main_stack(Function<void()> body);

/// Wakes a suspended coroutine without an event; `error`, if given, is thrown at its suspension
/// point. Throws MisuseError if it is not suspended.
void resume(CoroutineBase& coroutine, std::exception_ptr error = {});

/// Calls `visit` with every coroutine that has not ended, main included, in the order in which they
/// were spawned. Throws std::bad_alloc, and MisuseError outside a runtime.
void for_each_coroutine(Function<void(CoroutineBase&)> visit);

}  // namespace weft
