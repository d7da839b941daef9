#include "blocking_calls.hpp"

#include <csignal>
#include <sstream>

#include "boundary.hpp"
#include "classes.hpp"
#include "no_suspension.hpp"
#include "place.hpp"
#include "settings.hpp"
#include "streams_in_use.hpp"
#include "wait.hpp"
#include "weft/bridge.hpp"
#include "weft/extend/bridge_host.hpp"

namespace weft_php {
namespace {

/// The handle of the PHP object of the coroutine with this id; 0 if it has none.
std::uint32_t handle_of(std::uint64_t id) {
  std::uint32_t found = 0;
  weft::for_each_coroutine([&](weft::CoroutineBase& base) {
    if (base.id() != id) return;
    if (const CoroutineRecord* const record = CoroutineRecord::of(base)) {
      found = record->self()->handle;
    }
  });
  return found;
}

/// Does what the virtual machine does between two opcodes when EG(vm_interrupt) is set.
void run_interrupts() {
  if (!zend_atomic_bool_load_ex(&EG(vm_interrupt))) return;  // another coroutine did it
  zend_atomic_bool_store_ex(&EG(vm_interrupt), false);
  if (zend_atomic_bool_load_ex(&EG(timed_out))) {
    zend_timeout();
  } else if (zend_interrupt_function != nullptr) {
    zend_interrupt_function(EG(current_execute_data));
  }
}

class EngineHost final : public weft::bridge::Host {
 public:
  /// False while PHP compiles or prints, while the VM state is saved, and where no PHP frame could
  /// receive an exception.
  bool may_suspend() noexcept override {
    if (request == nullptr || no_suspension != 0) return false;
    const CoroutineRecord* const me = request->current;
    return me != nullptr && me->in_engine && me->vm.is_loaded() &&
           EG(current_execute_data) != nullptr;
  }
  bool before_wait(const char* /*call*/) noexcept override {
    if (EG(exception) != nullptr && is_call_cancelled()) return false;
    begin_use_of_streams(EG(current_execute_data));
    request->current->vm.save();
    return true;
  }
  weft::Place place() noexcept override { return place_here(); }
  void after_wait(weft::bridge::Ended ended) noexcept override {
    CoroutineRecord& me = CoroutineRecord::of_current();
    request->current = &me;
    me.vm.load();
    end_use_of_streams(EG(current_execute_data));
    if (request->has_bailed()) {
      // A bailout here would skip destructors in the frames of the bridge: the unwind exit lets the
      // function return first.
      if (EG(exception) == nullptr) zend_throw_unwind_exit();
    } else if (ended == weft::bridge::Ended::cancelled) {
      request->throw_from_wait(me, own_cancellation());
    }
  }
  bool refused(const weft::bridge::Refusal& refusal) noexcept override {
    if (EG(exception) == nullptr) {
      throw_already_in_use(handle_of(refusal.waiter));
    }
    return true;
  }
  void left_behind(int child) noexcept override { ::kill(child, SIGTERM); }
  /// The engine calls handlers of pcntl_signal() between two opcodes. All coroutines may be
  /// waiting, so one is spawned that calls them.
  void handlers_have_run() noexcept override {
    if (request == nullptr || !zend_atomic_bool_load_ex(&EG(vm_interrupt))) return;
    try {
      weft::spawn([] { in_engine(run_interrupts); }, weft::Place{});
    } catch (...) {  // without memory they run when a coroutine resumes
    }
  }
};
EngineHost host;

decltype(zend_error_cb) report_error = nullptr;

/// Drops the warnings of a function whose wait was cancelled or refused: the exception in flight
/// says it already.
void report_unless_cancelled(int type, zend_string* file, std::uint32_t line, zend_string* text) {
  constexpr int soft = E_WARNING | E_NOTICE | E_DEPRECATED;
  if ((type & soft) != 0 && request != nullptr && EG(exception) != nullptr &&
      (is_call_cancelled() || EG(exception)->ce == ce_Async_AsyncException)) {
    return;
  }
  report_error(type, file, line, text);
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream{text};
  return {std::istream_iterator<std::string>{stream}, {}};
}

}  // namespace

bool is_call_cancelled() noexcept {
  zend_object* const exception = EG(exception);
  if (zend_is_unwind_exit(exception) || zend_is_graceful_exit(exception)) return true;
  return cancellation_in(*exception) != nullptr;
}

void bridge_blocking_calls() {
  report_error = std::exchange(zend_error_cb, report_unless_cancelled);
  if (!settings.bridge) return;
  weft::bridge::Options options;
  options.leave_alone = words(settings.leave_alone);
  weft::bridge::install(std::move(options));
}

void leave_blocking_calls() noexcept { weft::bridge::uninstall(); }

void take_part_in_blocking_calls(bool on) noexcept { weft::bridge::set_host(on ? &host : nullptr); }

std::string bridged_calls() {
  if (!weft::bridge::is_installed()) return "no: weft.bridge is off";
  const weft::bridge::Report report = weft::bridge::report();
  return std::to_string(report.slots()) + " in " + std::to_string(report.objects.size()) +
         " objects";
}

}  // namespace weft_php
