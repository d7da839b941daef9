#include "weft/runtime.hpp"

#include <algorithm>

#include "base/assert.hpp"
#include "base/current.hpp"
#include "base/warning.hpp"
#include "runtime/fork.hpp"
#include "runtime/overflow_report.hpp"
#include "runtime/parts.hpp"
#include "runtime/process_exit.hpp"
#include "weft/error.hpp"
#include "weft/extend/choice.hpp"
#include "weft/extend/clock.hpp"

namespace weft {

Runtime::Parts::Parts(Options given) : options{std::move(given)} {
  if (current_thread.scheduler != nullptr) {
    throw MisuseError{
        "This thread has a runtime already: spawn() a coroutine instead of calling run() inside "
        "run()"};
  }
  if (current_thread.adjust_options != nullptr) current_thread.adjust_options(options);
  const Current before = current_thread;
  try {
    warnings.write = options.on_warning;
    current_thread.warnings = &warnings;
    slab.reset(Slab::create(Slab::narrow));
    wide_slab.reset(Slab::create(Slab::wide));
    Clock& clock = options.clock != nullptr ? *options.clock : Clock::real();
    reactor = std::make_unique<Reactor>(clock, options.choice);
    if (options.overflow_report) overflow.emplace(&report_overflow);
    current_thread.slab = slab.get();
    current_thread.wide_slab = wide_slab.get();
    current_thread.reactor = reactor.get();
    Driver& driver = options.driver != nullptr ? *options.driver : *reactor;
    scheduler = std::make_unique<Scheduler>(options, driver, root);
    current_thread.scheduler = scheduler.get();
    current_thread.pending = scheduler->pending_slot();
    current_thread.phase = scheduler->phase_slot();
    current_thread.countdown = scheduler->countdown_slot();
    watch_forks();
    if (!options.shutdown_signals.empty()) signals.emplace(*reactor, options.shutdown_signals);
    scheduler->start_main();
    report_std_exit();
  } catch (...) {
    ThreadMemory* const memory = current_thread.memory;
    signals.reset();
    scheduler.reset();
    current_thread = before;
    current_thread.memory = memory;
    throw;
  }
}

Runtime::Parts::~Parts() {
  signals.reset();
  if (options.choice != nullptr) options.choice->at_end(stats());
  reactor->disarm_all();
  current_thread.last = stats();
  scheduler.reset();
  current_thread.scheduler = nullptr;
  current_thread.pending = nullptr;
  current_thread.phase = nullptr;
  current_thread.countdown = nullptr;
  reactor.reset();
  current_thread.reactor = nullptr;
  current_thread.slab = nullptr;
  current_thread.wide_slab = nullptr;
  current_thread.warnings = nullptr;
}

Runtime::Runtime(Options options) : parts_{new Parts{std::move(options)}} {}

Runtime::~Runtime() {
  Scheduler& scheduler = *parts_->scheduler;
  WEFT_ASSERT(current_thread.scheduler == &scheduler, "a runtime ends on the thread that made it");
  if (scheduler.is_forked() || scheduler.is_over()) return;
  // The host destroys the Runtime without finish(): cancels all coroutines, which may clean up.
  scheduler.ending().shutdown({}, nullptr);
  scheduler.finish_main(nullptr);
  if (const std::exception_ptr error = scheduler.ending().take_error()) {
    warn_of("a runtime ended without finish(), and an error with it", error);
  }
}

void Runtime::check_thread(const char* operation) const {
  if (current_thread.scheduler == parts_->scheduler.get()) return;
  throw MisuseError{std::string{operation} +
                    " was called on another thread than the one that made the runtime"};
}

bool Runtime::tick(Wait wait) {
  check_thread("Runtime::tick()");
  Scheduler& scheduler = Scheduler::here("Runtime::tick()");
  const bool more = scheduler.tick_from_main(wait);
  if (std::exception_ptr error = scheduler.ending().take_error()) std::rethrow_exception(error);
  return more;
}

void Runtime::finish() {
  check_thread("Runtime::finish()");
  Scheduler& scheduler = *parts_->scheduler;
  if (scheduler.is_forked()) Scheduler::refuse("Runtime::finish()");
  if (!scheduler.is_over()) {
    scheduler.expect_host("Runtime::finish()");
    scheduler.finish_main(nullptr);
  }
  if (std::exception_ptr error = scheduler.ending().take_error()) std::rethrow_exception(error);
}

void Runtime::drain() {
  check_thread("Runtime::drain()");
  Scheduler& scheduler = Scheduler::here("Runtime::drain()");
  scheduler.drain_main();
  if (std::exception_ptr error = scheduler.ending().take_error()) std::rethrow_exception(error);
}

int Runtime::descriptor() {
  check_thread("Runtime::descriptor()");
  Scheduler& scheduler = *parts_->scheduler;
  // libuv tells the kernel of new handles in a turn of its loop, not before.
  scheduler.tick_reactor();
  return parts_->reactor->descriptor(scheduler.has_work(), scheduler.shutdown_limit());
}

TimePoint Runtime::next_deadline() const noexcept {
  return std::min(parts_->reactor->timers().next(), parts_->scheduler->shutdown_limit());
}

detail::MainRun::MainRun(Options options)
    : exit_throws_{options.exit_throws || !is_first_thread()},
      runtime_{new Runtime{std::move(options)}} {
  runtime_->parts_->scheduler->keep_errors();
}

detail::MainRun::~MainRun() = default;

void detail::MainRun::operator()(Function<void()> body) {
  Scheduler& scheduler = *runtime_->parts_->scheduler;
  std::exception_ptr error;
  try {
    body();
  } catch (...) {
    error = std::current_exception();
  }
  if (scheduler.is_forked()) {  // in the child of a plain fork(), which has no runtime to drain
    if (error != nullptr) std::rethrow_exception(error);
    return;
  }
  scheduler.finish_main(std::move(error));
  if (const std::exception_ptr exit_error = scheduler.ending().take_error()) end_with(exit_error);
}

void detail::MainRun::end_with(const std::exception_ptr& error) {
  if (exit_throws_) std::rethrow_exception(error);
  const ExitRequested request = exit_request(error);
  // The process ends without an exception that could carry the failures of clean-up.
  for (std::exception_ptr met = previous(error); met != nullptr; met = previous(met)) {
    warn_of("a coroutine failed while the program ended", met);
  }
  runtime_.reset();
  end_process(request);
}

void detail::MainRun::throw_cancelled() {
  if (runtime_.get() != nullptr) runtime_->parts_->scheduler->main().throw_outcome();
  throw Cancelled{};
}

void exit(int code, Place place) {
  Scheduler& scheduler = Scheduler::here("exit()");
  scheduler.exit(std::make_exception_ptr(ExitRequested{code}), PackedPlace{place});
}

void shutdown() { Scheduler::here("shutdown()").ending().shutdown({}, nullptr); }

void shutdown(std::exception_ptr cause) {
  Scheduler::here("shutdown()").ending().shutdown_with(std::move(cause));
}

void shutdown(std::string reason) {
  Scheduler::here("shutdown()").ending().shutdown(std::move(reason), nullptr);
}

}  // namespace weft
