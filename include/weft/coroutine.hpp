#pragma once

#include "weft/detail/abi.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "weft/detail/bound_body.hpp"
#include "weft/detail/spawn_call.hpp"
#include "weft/detail/spawner.hpp"
#include "weft/error.hpp"
#include "weft/extend/coroutine_base.hpp"
#include "weft/ref.hpp"
#include "weft/spawn_options.hpp"

namespace weft {

/// A handle to any coroutine, whatever it returns. Copies refer to the same coroutine.
class AnyCoroutine {
 public:
  AnyCoroutine() noexcept = default;
  AnyCoroutine(const AnyCoroutine& other) noexcept : word_{other.word_} { acquire(); }
  AnyCoroutine(AnyCoroutine&& other) noexcept : word_{std::exchange(other.word_, 0)} {}
  AnyCoroutine& operator=(AnyCoroutine other) noexcept {
    std::swap(word_, other.word_);
    return *this;
  }
  ~AnyCoroutine() {
    if (word_ == 0) return;
    if (holds()) {
      base().drop_handle();
    } else {
      base().release();
    }
  }

  /// A handle that keeps the coroutine's error for a later await.
  static AnyCoroutine holding(CoroutineBase& base) noexcept { return {base, holding_bit}; }
  /// A handle that does not keep the error: without a holding handle an error is unhandled at once.
  static AnyCoroutine observing(CoroutineBase& base) noexcept { return {base, 0}; }

  operator Event&() const noexcept { return base(); }  // NOLINT(google-explicit-constructor)
  explicit operator bool() const noexcept { return word_ != 0; }
  /// The coroutine underneath; the handle must not be empty.
  [[nodiscard]] CoroutineBase& base() const noexcept {
    return *reinterpret_cast<CoroutineBase*>(word_ & ~holding_bit);
  }
  friend bool operator==(const AnyCoroutine& a, const AnyCoroutine& b) noexcept {
    return (a.word_ & ~holding_bit) == (b.word_ & ~holding_bit);
  }

  /// Makes the current or next suspension of the coroutine throw Cancelled, or the error in
  /// `cause`. A coroutine that has not started never runs its body.
  void cancel(CancelCause cause = {}) const noexcept { base().cancel(std::move(cause)); }

  /// A number that no other coroutine of this runtime has.
  [[nodiscard]] std::uint64_t id() const noexcept { return base().id(); }
  /// What SpawnOptions::name said; empty if nothing.
  [[nodiscard]] std::string_view name() const noexcept { return base().name(); }
  /// Whether its body has begun.
  [[nodiscard]] bool is_started() const noexcept { return base().is_started(); }
  /// In the run queue.
  [[nodiscard]] bool is_queued() const noexcept { return base().is_queued(); }
  /// Started and not finished, even while parked.
  [[nodiscard]] bool is_running() const noexcept { return base().is_running(); }
  /// Parked or queued.
  [[nodiscard]] bool is_suspended() const noexcept { return base().is_suspended(); }
  /// Whether it has ended, however.
  [[nodiscard]] bool is_completed() const noexcept { return base().is_completed(); }
  /// Completed after a cancellation was requested.
  [[nodiscard]] bool is_cancelled() const noexcept { return base().is_cancelled(); }
  /// Whether it was cancelled and has not ended yet.
  [[nodiscard]] bool is_cancellation_requested() const noexcept {
    return base().is_cancellation_requested();
  }
  /// The error the coroutine ended with, or null.
  [[nodiscard]] std::exception_ptr exception() const noexcept { return base().outcome_error(); }
  /// The line that spawned it.
  [[nodiscard]] Place spawn_place() const noexcept { return base().spawn_place(); }
  /// The line at which it suspended last.
  [[nodiscard]] Place suspend_place() const noexcept { return base().suspend_place(); }
  /// Descriptions of the events the coroutine waits for.
  [[nodiscard]] std::vector<std::string> awaiting() const { return base().waker().awaiting(); }
  /// "Coroutine 7 spawned at foo.cpp:10, suspended at foo.cpp:20 (name)"
  [[nodiscard]] std::string info() const { return base().info(); }

  /// Runs `handler` in a coroutine of its own after this coroutine has ended, with or without an
  /// error; at once if it has ended already. Handlers run in the order of registration and may
  /// suspend. `handler` takes nothing or the AnyCoroutine.
  template <class F>
  void on_finally(F handler) const {
    base().on_finally([handler = std::move(handler)](CoroutineBase& base) mutable {
      if constexpr (std::is_invocable_v<F&, AnyCoroutine>) {
        handler(observing(base));
      } else {
        handler();
      }
    });
  }

  /// Calls `handler` whenever this coroutine is entered, left or finished; it returns whether to
  /// keep it. `handler` takes a Switch, or the AnyCoroutine and a Switch. It must neither suspend
  /// nor throw. Returns false, with a warning, if handlers are running.
  template <class F>
  bool add_switch_handler(F handler) const {
    return base().add_switch_handler(
        [handler = std::move(handler)](CoroutineBase& base, Switch what) mutable -> bool {
          if constexpr (std::is_invocable_v<F&, AnyCoroutine, Switch>) {
            return handler(observing(base), what);
          } else {
            return handler(what);
          }
        });
  }

 protected:
  /// The lowest bit of the address: set in a handle that holds its coroutine, not in one that only
  /// observes it.
  static constexpr std::uintptr_t holding_bit = 1;

  /// A handle of `base` that holds it (holding_bit) or only observes it (0).
  AnyCoroutine(CoroutineBase& base, std::uintptr_t holding) noexcept
      : word_{reinterpret_cast<std::uintptr_t>(&base) | holding} {
    acquire();
  }
  /// Says that a reference is taken over.
  struct Adopted {};
  /// Takes over the reference that a new coroutine was created with.
  AnyCoroutine(CoroutineBase& made, Adopted /*tag*/) noexcept
      : word_{reinterpret_cast<std::uintptr_t>(&made) | holding_bit} {
    made.adopt_handle();
  }

 private:
  [[nodiscard]] bool holds() const noexcept { return (word_ & holding_bit) != 0; }
  void acquire() const noexcept {
    if (word_ == 0) return;
    if (holds()) {
      base().add_handle();
    } else {
      base().retain();
    }
  }

  std::uintptr_t word_ = 0;
};

/// A handle to a coroutine that returns a T. Copies refer to the same coroutine; if it failed and
/// the last handle is destroyed before its error was read, the error counts as unhandled.
template <class T>
class Coroutine : public AnyCoroutine {
 public:
  using value_type = T;
  /// The class that handles refer to, for code that makes coroutine kinds of its own.
  using Base = detail::ResultCoroutine<T>;

  Coroutine() noexcept = default;
  /// A handle of `base`; programs get one from spawn().
  explicit Coroutine(Base& base) noexcept : AnyCoroutine{base, holding_bit} {}
  /// The first handle, which takes over the reference that `made` was created with.
  static Coroutine adopt(Base& made) noexcept { return Coroutine{made, Adopted{}}; }

  /// The value if the coroutine completed without an error; for void whether it did. Never
  /// suspends, never throws.
  [[nodiscard]] auto result() const {
    if constexpr (std::is_void_v<T>) {
      return is_completed() && !exception();
    } else {
      return typed().stored();
    }
  }
  /// The coroutine underneath, with its type.
  [[nodiscard]] Base& typed() const noexcept { return static_cast<Base&>(base()); }

 private:
  Coroutine(Base& made, Adopted tag) noexcept : AnyCoroutine{made, tag} {}
};

/// Starts `body` as a coroutine: spawn() enters it into the run queue and returns before it runs.
/// It belongs to the scope of the current coroutine; from a callback, microtask or switch handler
/// to the main scope. Throws MisuseError outside a runtime and std::bad_alloc.
template <detail::SpawnBody F>
auto spawn(F&& body, Place place = Place::here()) {
  return detail::Spawner::spawn(nullptr, std::forward<F>(body), place);
}
template <detail::SpawnBody F>
auto spawn(const SpawnOptions& options, F&& body, Place place = Place::here()) {
  return detail::Spawner::spawn(nullptr, options, std::forward<F>(body), place);
}

// Up to four arguments: a Place after a parameter pack could not be deduced.
template <class F, class A>
requires detail::SpawnBody<F, A>
auto spawn(F&& f, A&& a, Place place = Place::here()) {
  return detail::Spawner::spawn(nullptr, detail::bind_body(std::forward<F>(f), std::forward<A>(a)),
                                place);
}
template <class F, class A, class B>
requires detail::SpawnBody<F, A, B>
auto spawn(F&& f, A&& a, B&& b, Place place = Place::here()) {
  return detail::Spawner::spawn(
      nullptr, detail::bind_body(std::forward<F>(f), std::forward<A>(a), std::forward<B>(b)),
      place);
}
template <class F, class A, class B, class C>
requires detail::SpawnBody<F, A, B, C>
auto spawn(F&& f, A&& a, B&& b, C&& c, Place place = Place::here()) {
  return detail::Spawner::spawn(nullptr,
                                detail::bind_body(std::forward<F>(f), std::forward<A>(a),
                                                  std::forward<B>(b), std::forward<C>(c)),
                                place);
}
template <class F, class A, class B, class C, class D>
requires detail::SpawnBody<F, A, B, C, D>
auto spawn(F&& f, A&& a, B&& b, C&& c, D&& d, Place place = Place::here()) {
  return detail::Spawner::spawn(
      nullptr,
      detail::bind_body(std::forward<F>(f), std::forward<A>(a), std::forward<B>(b),
                        std::forward<C>(c), std::forward<D>(d)),
      place);
}
template <class F, class A>
requires detail::SpawnBody<F, A>
auto spawn(const SpawnOptions& options, F&& f, A&& a, Place place = Place::here()) {
  return detail::Spawner::spawn(nullptr, options,
                                detail::bind_body(std::forward<F>(f), std::forward<A>(a)), place);
}
template <class F, class A, class B>
requires detail::SpawnBody<F, A, B>
auto spawn(const SpawnOptions& options, F&& f, A&& a, B&& b, Place place = Place::here()) {
  return detail::Spawner::spawn(
      nullptr, options,
      detail::bind_body(std::forward<F>(f), std::forward<A>(a), std::forward<B>(b)), place);
}
template <class F, class A, class B, class C>
requires detail::SpawnBody<F, A, B, C>
auto spawn(const SpawnOptions& options, F&& f, A&& a, B&& b, C&& c, Place place = Place::here()) {
  return detail::Spawner::spawn(nullptr, options,
                                detail::bind_body(std::forward<F>(f), std::forward<A>(a),
                                                  std::forward<B>(b), std::forward<C>(c)),
                                place);
}
template <class F, class A, class B, class C, class D>
requires detail::SpawnBody<F, A, B, C, D>
auto spawn(const SpawnOptions& options, F&& f, A&& a, B&& b, C&& c, D&& d,
           Place place = Place::here()) {
  return detail::Spawner::spawn(
      nullptr, options,
      detail::bind_body(std::forward<F>(f), std::forward<A>(a), std::forward<B>(b),
                        std::forward<C>(c), std::forward<D>(d)),
      place);
}

/// For arguments that cannot be spawned: a static_assert says why.
template <class... Given>
requires detail::MistakenSpawn<Given...> Coroutine<void> spawn(Given&&... /*given*/) {
  detail::explain_spawn<detail::spawn_mistake<Given...>>();
  return {};
}

/// An observing handle to the running coroutine. Throws MisuseError outside a coroutine.
[[nodiscard]] AnyCoroutine current();

/// Calls `handler` for the main coroutine of the next runtimes of this thread, first with
/// Switch::enter when it starts. For subsystems that are set up before run(). It takes a Switch and
/// returns whether to keep it.
void on_main_start(Function<bool(CoroutineBase&, Switch)> handler);
template <class F, std::enable_if_t<std::is_invocable_r_v<bool, F&, Switch>, int> = 0>
void on_main_start(F handler) {
  on_main_start(Function<bool(CoroutineBase&, Switch)>{
      [handler = std::move(handler)](CoroutineBase&, Switch what) mutable {
        return handler(what);
      }});
}
/// The same for a function and its data, which can be compared: false if the pair is registered.
bool on_main_start(bool (*handler)(CoroutineBase&, Switch, void*), void* data);
/// Removes all main-start handlers of this thread.
void clear_main_start() noexcept;

/// Adds a switch handler to the current coroutine, or, if none runs, to the main coroutine of the
/// next runtimes of this thread.
bool add_switch_handler(Function<bool(CoroutineBase&, Switch)> handler);

}  // namespace weft
