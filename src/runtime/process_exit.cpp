#include "runtime/process_exit.hpp"

#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>

#include "base/current.hpp"
#include "base/warning.hpp"
#include "scheduler/scheduler.hpp"

namespace weft {
namespace {

// Initialised before main(), or when the library is loaded.
const std::thread::id first_thread = std::this_thread::get_id();

void report_living() noexcept {
  const Scheduler* scheduler = current_thread.scheduler;
  if (scheduler == nullptr || scheduler->is_forked() || scheduler->is_over()) return;
  const std::size_t living = scheduler->registry().size();
  const bool by_main = scheduler->has_current() && &scheduler->current() == &scheduler->main();
  if (by_main && living == 1) return;  // only main runs: nothing is cut off
  try {
    warn("std::exit() was called inside a runtime: " + std::to_string(living) +
         " coroutines were not ended and their frames not unwound; use weft::exit(code)");
  } catch (...) {
    warn("std::exit() was called inside a runtime; use weft::exit(code)");
  }
}

}  // namespace

bool is_first_thread() noexcept { return std::this_thread::get_id() == first_thread; }

ExitRequested exit_request(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const ExitRequested& request) {
    return request;
  }
}

void end_process(const ExitRequested& request) {
  if (request.signal() == 0) std::exit(request.code());
  // Its disposition is again that from before the runtime: by default it ends the process.
  ::raise(request.signal());
}

void report_std_exit() noexcept {
  static const bool registered = std::atexit(&report_living) == 0;
  static_cast<void>(registered);
}

}  // namespace weft
