#pragma once

#include "weft/detail/abi.hpp"

#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "weft/detail/remote_state.hpp"
#include "weft/future.hpp"

namespace weft {

namespace detail {
template <class F, class R>
class TypedRemoteTask;
}

/// The writing side of a future that another thread completes. Create it and take its `future()` on
/// the thread that waits; then move it, once, to the thread that writes. If it is destroyed without
/// a write, its futures fail with BrokenPromise. Values move between threads, so `T` must not share
/// data that is not thread-safe.
///
/// The writer is asked to stop when the future is cancelled, when the last coroutine that waited
/// for it was cancelled, and when the last future is destroyed after a wait. Destroying a future
/// that was never waited for, or is ignored, does not ask the writer to stop.
template <class T>
class RemotePromise {
 public:
  /// A promise that nothing has completed; reports name `place`.
  explicit RemotePromise(Place place = Place::here())
      : RemotePromise{place, detail::RemoteKind::promise} {}
  RemotePromise(RemotePromise&& other) noexcept = default;
  RemotePromise& operator=(RemotePromise&& other) noexcept {
    if (this != &other) {
      drop();
      box_ = std::move(other.box_);
      place_ = other.place_;
      kind_ = other.kind_;
    }
    return *this;
  }
  RemotePromise(const RemotePromise&) = delete;
  RemotePromise& operator=(const RemotePromise&) = delete;
  ~RemotePromise() { drop(); }

  /// A future of this promise. Throws MisuseError on any thread but the one that created the
  /// promise: futures cannot change threads. A future taken after all earlier ones and the outcome
  /// were destroyed fails with MisuseError.
  [[nodiscard]] Future<T> future() const {
    detail::TypedRemoteBox<T>& shared = box();
    if (!shared.is_home()) {
      throw MisuseError{"A future can only be made on the thread that made its RemotePromise"};
    }
    if (shared.reader != nullptr) {
      return Future<T>{Ref<FutureState<T>>{static_cast<detail::RemoteState<T>*>(shared.reader)}};
    }
    return Future<T>{Ref<FutureState<T>>{make_ref<detail::RemoteState<T>>(box_, place_, kind_)}};
  }

  /// Completes the future and wakes its waiters on the other thread. Throws MisuseError if it was
  /// completed before, and what constructing the value throws; then it is still pending.
  void complete() requires std::is_void_v<T> {
    write([this] { box_->value.emplace(); });
  }
  template <class U = T>
  void complete(U&& value) requires(!std::is_void_v<T>) {
    write([&] {
      if constexpr (std::is_reference_v<T>) {
        box_->value.emplace(std::addressof(value));
      } else {
        box_->value.emplace(std::forward<U>(value));
      }
    });
  }
  /// The same with an error, which the other thread then shares.
  void fail(std::exception_ptr error) {
    if (error == nullptr) throw ValueError{"A future cannot fail without an error"};
    box().begin_write();
    box_->publish_error(std::move(error));
  }
  template <class E>
  void fail(E&& error) requires(!std::is_convertible_v<E, std::exception_ptr>) {
    fail(std::make_exception_ptr(std::forward<E>(error)));
  }
  /// Completes the future with Cancelled.
  void cancel(std::string reason = {}) {
    fail(std::make_exception_ptr(reason.empty()
                                     ? Cancelled::with_literal("Future has been cancelled")
                                     : Cancelled{std::move(reason)}));
  }

  /// Whether the reader has asked the writer to stop.
  [[nodiscard]] bool is_cancel_requested() const {
    box().bind_writer();
    return box_->is_cancel_requested();
  }
  /// Calls `handler` once when the reader asks the writer to stop, at once if it has. It is called
  /// on the thread of the reader, must not throw, and should do little, such as fire a Trigger.
  void on_cancel(Function<void()> handler) { box().on_cancel(std::move(handler)); }

 private:
  template <class, class>
  friend class detail::TypedRemoteTask;  // of a thread or a pool, whose reports name that

  RemotePromise(Place place, detail::RemoteKind kind)
      : box_{std::make_shared<detail::TypedRemoteBox<T>>()}, place_{place}, kind_{kind} {}
  [[nodiscard]] detail::TypedRemoteBox<T>& box() const {
    if (box_ == nullptr) [[unlikely]]
      throw MisuseError{"FutureState ownership was transferred to another thread"};
    return *box_;
  }
  template <class Store>
  void write(Store&& store) {
    box().begin_write();
    try {
      store();
    } catch (...) {
      box_->undo_write();
      throw;
    }
    box_->publish();
  }
  void drop() noexcept {
    if (box_ != nullptr) box_->abandon();
  }

  std::shared_ptr<detail::TypedRemoteBox<T>> box_;
  Place place_;
  detail::RemoteKind kind_;
};

}  // namespace weft
