#pragma once

#include "base/for_siblings.hpp"
#include "weft/stats.hpp"

namespace weft {

struct Options;
class Reactor;
class Scheduler;
class Slab;
class SpareSlab;
class SpareStacks;
struct PendingErrors;
struct ThreadMemory;
struct WarningSink;
namespace testing {
class Choices;
}

/// The runtime that the code of this thread runs in, a thread-local. Plain pointers, so that
/// reaching it costs one instruction. The other thread-locals are no part of a runtime: the bounds
/// of the thread's own stack (src/context/context.cpp), and what the bridge keeps of a thread.
struct Current {
  Scheduler* scheduler = nullptr;
  Reactor* reactor = nullptr;
  Slab* slab = nullptr;              // where coroutine objects come from
  Slab* wide_slab = nullptr;         // the same for larger ones, such as tasks
  PendingErrors* pending = nullptr;  // where code in the scheduler phase leaves errors
  unsigned* phase = nullptr;         // above 0: suspending is not allowed
  unsigned* countdown = nullptr;     // set to 1 to have the next pass call run_due_work()
  void* borrowed_call = nullptr;     // the call to make on a borrowed stack
  const WarningSink* warnings = nullptr;
  ThreadMemory* memory = nullptr;  // kept between runtimes
  // Slabs, and stacks, that this runtime leaves to the next one; null if they are not kept.
  SpareSlab* spare_slab = nullptr;
  SpareStacks* spare_stacks = nullptr;
  void (*adjust_options)(Options&) = nullptr;  // tests: changes the Options of every runtime
  testing::Choices* explored = nullptr;        // the choices of the exploration under way
  Stats last;                                  // counters of the last runtime that ended here
};

WEFT_FOR_SIBLINGS extern constinit thread_local Current current_thread;

}  // namespace weft
