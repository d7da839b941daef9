#pragma once

#include <exception>

#include "weft/stats.hpp"

namespace weft {

class MainStartList;
class Reactor;
class Scheduler;
class Slab;
struct WarningSink;

/// What this thread's code stands in. The only thread-local of the library; plain pointers, so that
/// reaching it costs one instruction.
struct Current {
  Scheduler* scheduler = nullptr;
  Reactor* reactor = nullptr;
  Slab* slab = nullptr;                   // where coroutine objects come from
  std::exception_ptr* pending = nullptr;  // where the scheduler phase leaves a failure
  const WarningSink* warnings = nullptr;
  MainStartList* main_start = nullptr;
  Stats last;  // figures of the last runtime that ended here
};

extern constinit thread_local Current current_thread;

}  // namespace weft
