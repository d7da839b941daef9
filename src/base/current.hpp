#pragma once

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

/// What this thread's code stands in. The only thread-local of the library; plain pointers, so that
/// reaching it costs one instruction.
struct Current {
  Scheduler* scheduler = nullptr;
  Reactor* reactor = nullptr;
  Slab* slab = nullptr;              // where coroutine objects come from
  Slab* wide_slab = nullptr;         // the same for those that keep more, as tasks do
  PendingErrors* pending = nullptr;  // where the scheduler phase leaves a failure
  unsigned* phase = nullptr;         // above 0: nobody may suspend
  unsigned* countdown = nullptr;     // set to 1 to have the scheduler attend to something
  void* errand = nullptr;            // what to run on a borrowed stack
  const WarningSink* warnings = nullptr;
  ThreadMemory* memory = nullptr;              // kept between runtimes
  SpareSlab* spare_slab = nullptr;             // who keeps the memory of one runtime...
  SpareStacks* spare_stacks = nullptr;         // ...for the next
  void (*adjust_options)(Options&) = nullptr;  // tests: has a say in every runtime made here
  testing::Choices* explored = nullptr;        // who answers for the runs of an exploration
  Stats last;                                  // figures of the last runtime that ended here
};

extern constinit thread_local Current current_thread;

}  // namespace weft
