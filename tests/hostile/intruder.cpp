#include "intruder.hpp"

#include <cstdlib>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

#include "base/current.hpp"
#include "program.hpp"
#include "scheduler/scheduler.hpp"
#include "surroundings.hpp"
#include "weft/weft.hpp"

namespace weft_hostile {
namespace {

Intruder* installed = nullptr;

/// The child of a plain fork has no runtime: operations must throw, not crash or hang.
void fork_in_a_coroutine() {
  weft::spawn([] {
    const pid_t child = ::fork();
    if (child == 0) {
      try {
        weft::suspend();
      } catch (const weft::MisuseError&) {
        ::_exit(0);
      } catch (...) {
      }
      ::_exit(1);
    }
    int status = 0;
    if (child > 0 && (::waitpid(child, &status, 0) != child || status != 0))
      std::_Exit(child_went_wrong);
  });
}

}  // namespace

void Intruder::at_suspension(weft::CoroutineBase& coroutine) noexcept {
  if (++suspensions_ != point_) return;
  weft::Scheduler& scheduler = *weft::current_thread.scheduler;
  switch (attack_) {
    case Attack::none:
      return;
    case Attack::shutdown:
      return scheduler.ending().shutdown("hostile", nullptr);
    case Attack::deadlock:
      return scheduler.ending().resolve_deadlock();
    case Attack::cancel:
      return scheduler.cancel(scheduler.main(), weft::CancelReason::coroutine, {});
    case Attack::error:
      return scheduler.resume(coroutine,
                              std::make_exception_ptr(std::runtime_error{"hostile error"}));
    case Attack::fork:
      return fork_in_a_coroutine();
    case Attack::leave_directory:
      return leave_directory();
  }
}

void let_in(Intruder& intruder) noexcept {
  installed = &intruder;
  weft::current_thread.adjust_options = [](weft::Options& options) {
    if (options.choice == nullptr) options.choice = installed;
  };
}

}  // namespace weft_hostile
