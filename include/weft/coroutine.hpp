#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "weft/detail/move_out.hpp"
#include "weft/detail/spawn_call.hpp"
#include "weft/error.hpp"
#include "weft/extend/coroutine_base.hpp"
#include "weft/ref.hpp"

namespace weft {

/// Options of spawn(). `stack_size` 0 means the default of the runtime's Options; a runtime has
/// stacks of at most 256 different sizes.
struct SpawnOptions {
  /// Shown in reports and by name().
  std::string_view name = {};
  /// Where the coroutine enters the run queue.
  Priority priority = Priority::normal;
  /// In bytes; 0 means Options::stack_size.
  std::size_t stack_size = 0;
  /// Spawns a clean-up coroutine: it is not cancelled, neither directly nor by its scope, a
  /// shutdown or a deadlock, until half of the shutdown's deadline is over or no other coroutine
  /// can run any more. A cancelled scope admits it and closes only after it has ended. Spawned by a
  /// switch handler, it belongs to the scope of the coroutine that the handler was called for.
  /// Coroutines it spawns are cancelled as usual, unless they set `cleanup` too.
  bool cleanup = false;
};

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
  /// Takes over the reference that a new coroutine was created with.
  void take_over(CoroutineBase& made) noexcept {
    word_ = reinterpret_cast<std::uintptr_t>(&made) | holding_bit;
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

namespace detail {

/// A coroutine with a typed result. The body lives here, beside the result.
template <class T, class Body>
class TypedCoroutine;

/// Stores the result of a coroutine that returns a T. `Base` is a kind of CoroutineBase.
template <class T, class Base = CoroutineBase>
class ResultCoroutine : public Base {
 public:
  using Stored = std::conditional_t<std::is_reference_v<T>, std::remove_reference_t<T>*, T>;

  [[nodiscard]] const std::optional<Stored>& stored() const noexcept { return result_; }
  using Base::replay;
  bool replay(Outcome& outcome) const override {
    if (!Base::replay(outcome)) return false;
    if (result_) outcome = Outcome::of(*result_);
    return true;
  }

  /// Returns the result or throws the stored error. A value that cannot be copied is moved out.
  T take() {
    this->throw_outcome();
    this->set(Event::result_used_flag);
    if (!result_) [[unlikely]]
      throw MisuseError{no_result};
    if constexpr (std::is_reference_v<T>) {
      return static_cast<T>(**result_);
    } else if constexpr (std::is_copy_constructible_v<T>) {
      return *result_;
    } else {
      return move_out(result_);
    }
  }

 protected:
  void drop_result() noexcept override { result_.reset(); }
  [[nodiscard]] const void* result_address() const noexcept override {
    return result_ ? std::addressof(*result_) : nullptr;
  }
  static constexpr const char* no_result =
      "This coroutine has no result to give: an earlier await moved it out, or it has not ended";
  std::optional<Stored> result_;  // NOLINT(readability-identifier-naming)
};

template <class Base>
class ResultCoroutine<void, Base> : public Base {
 public:
  void take() {
    this->throw_outcome();
    this->set(Event::result_used_flag);
  }
};

template <class T, class Body>
class TypedCoroutine final : public ResultCoroutine<T> {
 public:
  template <class F>
  explicit TypedCoroutine(std::in_place_t, F&& body) : body_{std::forward<F>(body)} {
    if constexpr (std::is_trivially_destructible_v<Body>) this->body_needs_no_drop();
  }

 private:
  void run_body() override {
    if constexpr (std::is_void_v<T>) {
      std::move (*body_)();
    } else if constexpr (std::is_reference_v<T>) {
      this->result_.emplace(std::addressof(std::move(*body_)()));
    } else {
      this->result_.emplace(std::move(*body_)());
    }
  }
  void drop_body() noexcept override { body_.reset(); }

  std::optional<Body> body_;
};

}  // namespace detail

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
  static Coroutine adopt(Base& made) noexcept {
    Coroutine handle;
    handle.take_over(made);
    return handle;
  }

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
};

namespace detail {

/// Underneath spawn(): enters a new coroutine into the run queue of this thread's runtime.
class Spawner {
 public:
  /// A null `owner` means that of the current coroutine.
  template <class Body>
  static auto spawn(Owner* owner, Body&& body, Place place) {
    auto coroutine = make_admitted(owner, std::forward<Body>(body));
    enter(*owner, *coroutine, PackedPlace{place});
    return Coroutine<ResultOf<Body>>::adopt(*coroutine.detach());
  }
  template <class Body>
  static auto spawn(Owner* owner, const SpawnOptions& options, Body&& body, Place place) {
    Owner& admitted = options.cleanup ? admit_cleanup(owner) : admit(owner);
    auto coroutine = make(std::forward<Body>(body));
    apply(options, *coroutine);
    enter(admitted, *coroutine, PackedPlace{place});
    return Coroutine<ResultOf<Body>>::adopt(*coroutine.detach());
  }

  /// The same for a coroutine that exists already.
  static void enter_made(Owner* owner, const SpawnOptions& options, CoroutineBase& coroutine,
                         Place place);

  /// The same with default options, for a coroutine that knows its spawn place.
  static void enter_made(Owner& owner, CoroutineBase& coroutine);

  /// Spawns a clean-up coroutine of the runtime: high priority, not dropped by a shutdown, admitted
  /// by every owner. A null `owner` means the main scope.
  static void spawn_cleanup(Owner* owner, const char* name, Function<void()> body);

 private:
  template <class Body>
  using ResultOf = std::invoke_result_t<std::decay_t<Body>>;
  friend class weft::CoroutineBase;

  template <class Body>
  using MadeOf = TypedCoroutine<ResultOf<Body>, std::decay_t<Body>>;

  template <class Body>
  static auto make(Body&& body) {
    return Ref<MadeOf<Body>>::adopt(new MadeOf<Body>{std::in_place, std::forward<Body>(body)});
  }
  /// Admits the coroutine and allocates its memory in one call. Sets `owner` if it was null.
  template <class Body>
  static auto make_admitted(Owner*& owner, Body&& body) {
    if constexpr (alignof(MadeOf<Body>) > __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
      owner = &admit(owner);
      return make(std::forward<Body>(body));
    } else {
      const CoroutineBase::Allocation room = admit(owner, sizeof(MadeOf<Body>));
      return Ref<MadeOf<Body>>::adopt(new (room)
                                          MadeOf<Body>{std::in_place, std::forward<Body>(body)});
    }
  }
  static CoroutineBase::Allocation admit(Owner*& owner, std::size_t size);
  [[gnu::noinline]] static CoroutineBase::Allocation admit_watched(Owner& owner, std::size_t size);
  static Owner& admit(Owner* owner);
  static Owner& admit_cleanup(Owner* owner);
  static Ref<CoroutineBase> prepare_finally(CoroutineBase& coroutine);
  static void apply(const SpawnOptions& options, CoroutineBase& coroutine);
  static void enter(Owner& owner, CoroutineBase& coroutine, PackedPlace place);
  [[gnu::cold, gnu::noinline]] static void refuse_late_spawn(Scheduler& scheduler,
                                                             CoroutineBase& coroutine) noexcept;
};

}  // namespace detail

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

namespace detail {

/// A body and its arguments, kept until it runs.
template <class F, class... Args>
class BoundBody {
 public:
  template <class G, class... Given>
  explicit BoundBody(std::in_place_t, G&& body, Given&&... args)
      : body_{std::forward<G>(body)}, args_{std::forward<Given>(args)...} {}
  decltype(auto) operator()() && { return std::apply(std::move(body_), std::move(args_)); }

 private:
  F body_;
  std::tuple<Args...> args_;
};

template <class F, class... Args>
auto bind_body(F&& body, Args&&... args) {
  return BoundBody<std::decay_t<F>, std::decay_t<Args>...>{std::in_place, std::forward<F>(body),
                                                           std::forward<Args>(args)...};
}

}  // namespace detail

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
