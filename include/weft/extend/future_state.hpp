#pragma once

#include "weft/detail/abi.hpp"

#include <exception>
#include <string>
#include <utility>

#include "weft/detail/future_base.hpp"
#include "weft/place.hpp"
#include "weft/result.hpp"

namespace weft {

namespace detail {
template <class T>
class ChannelFuture;
template <class T, class R, class F>
class TypedLink;
}  // namespace detail

/// The state that a Promise and its Futures share: an event that closes when it is completed.
/// Programs hold Promise<T> and Future<T>; this is for code that makes futures of its own, which
/// counts it with make_ref() and reads it with `Future<T>{state}`. Derive to make a future whose
/// producer must know when it is not wanted; a host derives from HostFuture.
template <class T>
class FutureState : public detail::FutureBase {
 public:
  /// A future that is not completed; reports name `created`.
  explicit FutureState(Place created) noexcept : FutureBase{created} {}

  /// Completes it with a value made of `args`. Throws MisuseError if it was completed before, and
  /// what constructing the value throws; then it is still pending. After a cancellation by its
  /// reader the value is discarded.
  template <class... Args>
  void complete(Place place, Args&&... args) {
    if (!begin_write()) return;
    try {
      outcome_.set_value(std::forward<Args>(args)...);
    } catch (...) {
      undo_write();
      throw;
    }
    if (is_closed()) return outcome_.drop_value();  // its reader cancelled it meanwhile
    resolve(place);
  }
  /// The same with an error. Throws ValueError if there is none.
  void fail(std::exception_ptr error, Place place) { FutureBase::fail(std::move(error), place); }
  /// The writer completes it with Cancelled. Does nothing if it is completed.
  void cancel(std::string reason, Place place) noexcept {
    FutureBase::cancel(std::move(reason), place, By::writer);
  }
  /// The same with `error`, or a Cancelled whose previous() it is if it is no cancellation; null
  /// for a Cancelled without a reason.
  void cancel(std::exception_ptr error, Place place) noexcept {
    FutureBase::cancel(std::move(error), place, By::writer);
  }
  /// A reader cancels it, as Future::cancel() does: the producer learns that its outcome is not
  /// wanted, and may still write one, which is discarded.
  void cancel_by_reader(std::string reason, Place place) noexcept {
    FutureBase::cancel(std::move(reason), place, By::reader);
  }
  /// The same with an error.
  void cancel_by_reader(std::exception_ptr error, Place place) noexcept {
    FutureBase::cancel(std::move(error), place, By::reader);
  }
  /// The writer goes: if it has not completed the future, waiters get BrokenPromise.
  void abandon() noexcept { FutureBase::abandon(); }
  /// Suppresses the warnings about an unused future and an unhandled error.
  void ignore() noexcept { FutureBase::ignore(); }

  /// Returns the value or throws the error, and counts as reading it. Call it when the future is
  /// completed. A value that cannot be copied is moved out, once.
  T take() {
    set(result_used_flag);
    if (outcome_.error() != nullptr) [[unlikely]]
      set(error_caught_flag);
    const bool before = is_taken();
    mark_taken();
    try {
      return outcome_.take();
    } catch (...) {  // the error itself, or making the value threw: then it is still here
      if (!before && outcome_.stored()) unmark_taken();
      throw;
    }
  }
  /// The value or the error; neither while it is pending. Looking does not count as reading.
  [[nodiscard]] const Result<T>& outcome() const noexcept { return outcome_; }
  /// The error it was completed with, or null. Looking does not count as handling it.
  [[nodiscard]] const std::exception_ptr& error() const noexcept override {
    return outcome_.error();
  }

  /// Whether it has a value, an error or a cancellation.
  [[nodiscard]] bool is_completed() const noexcept { return FutureBase::is_completed(); }
  /// Completed by a cancellation.
  [[nodiscard]] bool is_cancelled() const noexcept { return FutureBase::is_cancelled(); }
  /// The place that was given when it was made.
  [[nodiscard]] Place created_at() const noexcept { return FutureBase::created_at(); }
  /// The place that was given when it was completed; empty while it is pending.
  [[nodiscard]] Place completed_at() const noexcept { return FutureBase::completed_at(); }

 protected:
  ~FutureState() override = default;

  /// Called when the outcome is no longer wanted: the last Future of a pending one was destroyed,
  /// or its reader is about to cancel it. For producers that keep a pending one in a queue.
  void unwanted() noexcept override {}
  /// Called when the last reference goes: warns of an unused future or an unread error, unless
  /// ignore() was called, and frees the object. An override calls it at its end.
  void dispose() noexcept override { FutureBase::dispose(); }

 private:
  friend class detail::ChannelFuture<T>;
  template <class, class, class>
  friend class detail::TypedLink;

  // For chains and channels: stores without completing.
  template <class... Args>
  void prepare_value(Args&&... args) {
    if (is_closed()) return;
    outcome_.set_value(std::forward<Args>(args)...);
    if (is_closed()) outcome_.drop_value();
  }
  void prepare_error(std::exception_ptr error) noexcept {
    if (!is_closed()) store_error(std::move(error));
  }

  void store_error(std::exception_ptr error) noexcept override {
    outcome_.set_error(std::move(error));
  }
  [[nodiscard]] Outcome stored_outcome() const noexcept override {
    if (outcome_.error() != nullptr) return Outcome{outcome_.error()};
    return outcome_.stored() ? Outcome::of(*outcome_.stored()) : Outcome{};
  }

  Result<T> outcome_;
};

}  // namespace weft
