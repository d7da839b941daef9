#pragma once

#include "weft/detail/abi.hpp"

#include <exception>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "weft/await.hpp"
#include "weft/detail/future_chain.hpp"
#include "weft/extend/future_state.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"

namespace weft {

/// The promise was destroyed before it completed its future.
class BrokenPromise : public Error {
 public:
  using Error::Error;
};

/// A value that will be available later: the reading side of a Promise. A handle; copies read the
/// same value. It is an event, so it can be awaited, be a token, and be a case of select().
///
/// A future must be used: if it is destroyed without an await, a chain or ignore(), or failed and
/// its error was not read, it writes a warning. Being a token counts as use; a cancellation is no
/// error.
template <class T>
class Future {
 public:
  using value_type = T;
  /// The state that copies share, for code that makes futures of its own.
  using State = FutureState<T>;

  Future() noexcept = default;
  /// A future of `state`; programs get one from a Promise or a function that returns one.
  explicit Future(Ref<State> state) noexcept : state_{std::move(state)} { acquire(); }
  Future(const Future& other) noexcept : state_{other.state_} { acquire(); }
  Future(Future&& other) noexcept : state_{std::move(other.state_)} {}
  Future& operator=(Future other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  ~Future() {
    if (state_) state_->drop_reader();
  }

  /// A future that has its value already.
  template <class... Args>
  [[nodiscard]] static Future completed(Args&&... args) {
    auto state = make_ref<FutureState<T>>(Place{});
    Future future{state};
    state->complete(Place{}, std::forward<Args>(args)...);
    return future;
  }
  /// A future that has failed already.
  [[nodiscard]] static Future failed(std::exception_ptr error, Place place = Place::here()) {
    auto state = make_ref<FutureState<T>>(place);
    Future future{state};
    state->fail(std::move(error), place);
    return future;
  }

  /// Suspends until it is completed; returns its value or throws its error. A value that cannot be
  /// copied is moved out by the first await, and a second one throws MisuseError.
  T await(Place place = Place::here()) const { return await({}, place); }
  /// The same; throws as await() of an event when `token` fires first.
  T await(Token token, Place place = Place::here()) const {
    FutureState<T>& shared = state();
    token.mark_used();
    if (shared.is_closed()) return shared.take();
    const Ref<Event> keep{&shared};  // this handle may be destroyed while we wait
    weft::await(static_cast<Event&>(shared), token, place);
    return shared.take();
  }

  /// Whether it has a value, an error or a cancellation.
  [[nodiscard]] bool is_completed() const { return state().is_completed(); }
  /// Completed by a cancellation.
  [[nodiscard]] bool is_cancelled() const { return state().is_cancelled(); }
  /// The error it was completed with, or null.
  [[nodiscard]] std::exception_ptr exception() const { return state().error(); }
  /// The line that created it.
  [[nodiscard]] Place created_at() const { return state().created_at(); }
  /// The line that completed it; none if nothing has.
  [[nodiscard]] Place completed_at() const { return state().completed_at(); }

  /// Completes the future with Cancelled; a later outcome from its producer is discarded. Does
  /// nothing if it is completed.
  void cancel(std::string reason = {}, Place place = Place::here()) const {
    state().cancel_by_reader(std::move(reason), place);
  }
  /// The same with `error`, or a Cancelled whose previous() it is if it is no cancellation.
  void cancel(std::exception_ptr error, Place place = Place::here()) const {
    state().cancel_by_reader(std::move(error), place);
  }
  /// Suppresses the warning about an unused future.
  const Future& ignore() const {
    state().ignore();
    return *this;
  }

  /// A future of `function(value)`; a failure is passed through. `function` runs later, in a
  /// coroutine of the current scope, and may suspend. It takes the value as a const reference or by
  /// value; a value that cannot be copied is moved into it.
  template <class F>
  [[nodiscard]] auto map(F&& function, Place place = Place::here()) const {
    using Function = std::decay_t<F>;
    static_assert(detail::can_map<Function, T>(),
                  "Future::map() calls its function with the value of the "
                  "future: this function does not take one of that type");
    if constexpr (detail::can_map<Function, T>()) {
      using R = detail::MapResult<T, Function>;
      return attach<R, detail::MapLink<T, R, Function>>("Future::map()", std::forward<F>(function),
                                                        place);
    }
  }
  /// A future of this value, or, after a failure, of `function(std::exception_ptr)`.
  template <class F>
  [[nodiscard]] Future recover(F&& function, Place place = Place::here()) const {
    return attach<T, detail::RecoverLink<T, std::decay_t<F>>>("Future::recover()",
                                                              std::forward<F>(function), place);
  }
  /// A future of the same outcome, completed after `function` has run; it takes nothing or the
  /// `const Result<T>&`. An exception it throws replaces the outcome.
  template <class F>
  [[nodiscard]] Future finally(F&& function, Place place = Place::here()) const {
    return attach<T, detail::FinallyLink<T, std::decay_t<F>>>("Future::finally()",
                                                              std::forward<F>(function), place);
  }

  operator Event&() const { return state(); }  // NOLINT(google-explicit-constructor)
  explicit operator bool() const noexcept { return static_cast<bool>(state_); }
  friend bool operator==(const Future& a, const Future& b) noexcept { return a.state_ == b.state_; }

  /// The state it shares with its promise. Throws MisuseError for an empty future.
  [[nodiscard]] State& state() const {
    if (!state_) [[unlikely]]
      throw MisuseError{"Future has no state: it is empty, or was moved from"};
    return *state_;
  }

 private:
  void acquire() const noexcept {
    if (state_) state_->add_reader();
  }
  template <class R, class Link, class F>
  Future<R> attach(const char* operation, F&& function, Place place) const {
    FutureState<T>& source = state();
    auto target = make_ref<FutureState<R>>(place);
    source.attach(std::make_unique<Link>(target, std::forward<F>(function)), operation, place);
    return Future<R>{std::move(target)};
  }

  Ref<FutureState<T>> state_;
};

/// Suspends until `future` is completed; returns its value or throws its error. Does not switch if
/// it is completed already.
template <class T>
T await(const Future<T>& future, Place place = Place::here()) {
  FutureState<T>& state = future.state();
  if (state.is_closed()) return state.take();
  const Ref<Event> keep{&state};  // the handle may be destroyed while we wait
  await(static_cast<Event&>(state), place);
  return state.take();
}
/// The same; throws as await() of an event when `token` fires first. A completed future wins.
template <class T>
T await(const Future<T>& future, Token token, Place place = Place::here()) {
  return future.await(token, place);
}

}  // namespace weft
