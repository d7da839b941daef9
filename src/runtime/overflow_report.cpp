#include "runtime/overflow_report.hpp"

#include "base/current.hpp"
#include "context/overflow.hpp"
#include "scheduler/scheduler.hpp"

namespace weft {

bool report_overflow(const void* address) noexcept {
  Scheduler* scheduler = current_thread.scheduler;
  if (scheduler == nullptr) return false;
  void* low = nullptr;
  if (!scheduler->stacks().in_guard(address, low)) return false;
  write_safely("weft: stack overflow");
  if (scheduler->has_current()) {
    const CoroutineBase& coroutine = scheduler->current();
    write_safely(" in coroutine ");
    write_safely(coroutine.id());
    if (!coroutine.name().empty()) {
      write_safely(" '");
      write_safely(coroutine.name().data());
      write_safely("'");
    }
    const Place place = coroutine.spawn_place();
    if (place.line != 0) {
      write_safely(", spawned at ");
      write_safely(place.file);
      write_safely(":");
      write_safely(static_cast<unsigned long>(place.line));
    }
    write_safely(", its stack has ");
    write_safely(static_cast<unsigned long>(scheduler->stack_size_of(coroutine)));
    write_safely(" bytes (SpawnOptions::stack_size or Options::stack_size set it)");
  }
  write_safely("\n");
  write_frames();
  return true;
}

}  // namespace weft
