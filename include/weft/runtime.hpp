#pragma once

#include "weft/detail/abi.hpp"

#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "weft/coroutine.hpp"
#include "weft/detail/main_run.hpp"
#include "weft/detail/mistake.hpp"
#include "weft/detail/owned.hpp"
#include "weft/extend/driver.hpp"
#include "weft/options.hpp"
#include "weft/stats.hpp"

namespace weft {

/// One scheduler and one reactor on this thread. Most programs call run(); a program with a loop of
/// its own creates a Runtime and calls tick(). One per thread at a time.
class Runtime {
 public:
  /// The calling stack becomes the main coroutine. Throws MisuseError if this thread has a runtime.
  explicit Runtime(Options options = {});
  /// Shuts down gracefully if coroutines are left. Errors that were not read are reported as
  /// warnings: only what handles hold outlives the runtime.
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  /// Starts a coroutine, as weft::spawn() does.
  template <detail::SpawnBody F>
  auto spawn(F&& body, Place place = Place::here()) {
    check_thread("Runtime::spawn()");
    return weft::spawn(std::forward<F>(body), place);
  }

  /// Runs every ready coroutine once; with Wait::yes sleeps until one is ready. Returns whether
  /// anything is left to do. Throws the error that ended the program, if any. Only a tick that
  /// waits detects a deadlock: without a wait the caller goes on and may still wake a coroutine.
  /// Throws MisuseError if called on a stack other than the one that created the runtime.
  bool tick(Wait wait = Wait::no);
  /// Runs until every coroutine has ended. Throws the error that ended the program, and MisuseError
  /// as tick() does.
  void finish();

  /// Suspends the main coroutine until every other one has ended, and goes on: it can be called
  /// again. Meanwhile main takes no part: it is not cancelled by a shutdown and not counted by a
  /// deadlock. Throws the error that ended the program, and MisuseError as tick() does.
  void drain();

  /// A descriptor that is readable when tick() has something to do or to throw. Another loop may
  /// wait on it, but no longer than until next_deadline(). It never changes; call descriptor()
  /// before every wait nevertheless, because that prepares it. On Linux it becomes readable at the
  /// deadline by itself, unless weft was built portable.
  [[nodiscard]] int descriptor();
  /// When the next timer is due, or the deadline of a shutdown under way; `never` if there is none.
  [[nodiscard]] TimePoint next_deadline() const noexcept;

 private:
  friend class detail::MainRun;
  struct Parts;
  /// Throws MisuseError unless this thread created the runtime.
  void check_thread(const char* operation) const;
  detail::Owned<Parts> parts_;
};

template <class F>
requires(!std::invocable<F>) auto run(F&& /*body*/, const Options& /*options*/ = {}) {
  static_assert(detail::always_false<F>,
                "run() calls its body without arguments: let the body capture what "
                "it needs");
  return detail::AnyResult{};
}
/// Runs `body` as the main coroutine of a new runtime and returns its result, references included,
/// after every other coroutine has ended. Throws, after graceful shutdown, the error of `body`, an
/// unhandled error, or DeadlockError. If a shutdown cancels `body`, run() returns normally for a
/// void result, else throws that Cancelled.
template <std::invocable F>
std::invoke_result_t<F> run(F&& body, Options options = {}) {
  using R = std::invoke_result_t<F>;
  detail::MainRun run{std::move(options)};
  if constexpr (std::is_void_v<R>) {
    run([&] { std::forward<F>(body)(); });
  } else if constexpr (std::is_reference_v<R>) {
    std::remove_reference_t<R>* result = nullptr;
    run([&] {
      R&& given = std::forward<F>(body)();
      result = std::addressof(given);
    });
    if (result == nullptr) run.throw_cancelled();
    return static_cast<R>(*result);
  } else {
    std::optional<R> result;
    run([&] { result.emplace(std::forward<F>(body)()); });
    if (!result) run.throw_cancelled();  // a shutdown came before there was a value
    return std::move(*result);
  }
}

/// The counters of this thread's runtime, or of its last one.
[[nodiscard]] Stats stats() noexcept;

/// Starts graceful shutdown: cancels every coroutine; they may clean up, and run() returns when
/// they have ended. A second request does nothing.
void shutdown();
/// The same; coroutines see `reason` in their Cancelled.
void shutdown(std::string reason);
/// The same; coroutines are cancelled with `cause`, see CancelCause.
void shutdown(std::exception_ptr cause);

/// Suspends and ends the program gracefully: like shutdown(), and when every coroutine and the
/// runtime have ended, run() calls std::exit(code), or throws ExitRequested, see
/// Options::exit_throws. The first request counts, and an error that has begun a shutdown takes
/// precedence.
///
/// In a coroutine it does not return: the coroutine is cancelled; main waits until the others have
/// ended. Returns only where nothing can be thrown: in callbacks, microtasks and switch handlers,
/// and while an exception unwinds the stack.
///
/// std::exit() ends the process without unwinding the coroutines' frames. The runtime warns of it.
void exit(int code = 0, Place place = Place::here());

/// Describes every coroutine: its state, where it was spawned and suspended, what it waits for.
[[nodiscard]] std::string dump();

/// fork() for a program with a runtime: throws MisuseError while other coroutines live; the child
/// gets a loop of its own. After a plain fork() the child's runtime refuses to run.
int fork();

/// In the child of a plain fork(), in the coroutine that called it: the runtime goes on with this
/// coroutine alone and a loop of its own. The others are the parent's: they do not run here, an
/// await of one throws Cancelled, and what they have locked stays locked. If the coroutine is not
/// main, the child ends with it, with code 1. Throws MisuseError elsewhere, std::system_error if
/// the child's loop cannot be created.
void continue_alone_after_fork();

}  // namespace weft
