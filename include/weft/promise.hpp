#pragma once

#include "weft/detail/abi.hpp"

#include <concepts>
#include <exception>
#include <string>
#include <type_traits>
#include <utility>

#include "weft/detail/mistake.hpp"
#include "weft/future.hpp"

namespace weft {

/// The writing side of a Future: completes it once. If it is destroyed before, its futures fail
/// with BrokenPromise. May be used in callbacks and microtasks too.
template <class T>
class Promise {
 public:
  /// A promise that nothing has completed; reports name `place`.
  explicit Promise(Place place = Place::here()) : state_{make_ref<FutureState<T>>(place)} {}
  Promise(Promise&& other) noexcept = default;
  Promise& operator=(Promise&& other) noexcept {
    if (this != &other) {
      drop();
      state_ = std::move(other.state_);
    }
    return *this;
  }
  Promise(const Promise&) = delete;
  Promise& operator=(const Promise&) = delete;
  ~Promise() { drop(); }

  /// A future of this promise; all read the same value.
  [[nodiscard]] Future<T> future() const { return Future<T>{ref()}; }

  /// Completes the future: wakes its waiters and starts its chains, which all run later. Throws
  /// MisuseError, which names the place, if it was completed before, and what constructing the
  /// value throws; then it is still pending. After Future::cancel() the value is discarded.
  void complete(Place place = Place::here()) requires std::is_void_v<T> { ref()->complete(place); }
  template <class U = T>
  void complete(U&& value, Place place = Place::here()) requires(!std::is_void_v<T>) {
    static_assert(
        std::is_constructible_v<T, U>,
        "Promise::complete(): the value of this promise cannot be made of what was given");
    if constexpr (std::is_constructible_v<T, U>) ref()->complete(place, std::forward<U>(value));
  }
  template <class U>
  requires(std::is_void_v<T> &&
           !std::same_as<std::remove_cvref_t<U>, Place>) void complete(U&& /*value*/) {
    static_assert(detail::always_false<U>, "Promise<void>::complete() takes no value");
  }
  /// The same with an error.
  void fail(std::exception_ptr error, Place place = Place::here()) {
    ref()->fail(std::move(error), place);
  }
  /// The same with an exception object.
  template <class E>
  void fail(E&& error,
            Place place = Place::here()) requires(!std::is_convertible_v<E, std::exception_ptr>) {
    fail(std::make_exception_ptr(std::forward<E>(error)), place);
  }
  /// Completes the future with Cancelled. Does nothing if it is completed.
  void cancel(std::string reason = {}, Place place = Place::here()) {
    ref()->cancel(std::move(reason), place);
  }

  /// The same with `error`, or a Cancelled whose previous() it is if it is no cancellation.
  void cancel(std::exception_ptr error, Place place = Place::here()) {
    ref()->cancel(std::move(error), place);
  }

  /// Whether it was completed, failed or cancelled.
  [[nodiscard]] bool is_completed() const { return ref()->is_completed(); }
  /// Suppresses the warning about unused futures.
  void ignore() { ref()->ignore(); }

 private:
  [[nodiscard]] const Ref<FutureState<T>>& ref() const {
    if (!state_) [[unlikely]]
      throw MisuseError{"Promise has no state: it was moved from"};
    return state_;
  }
  void drop() noexcept {
    if (state_) state_->abandon();
  }

  Ref<FutureState<T>> state_;
};

}  // namespace weft
