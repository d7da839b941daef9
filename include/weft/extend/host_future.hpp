#pragma once

#include "weft/detail/abi.hpp"

#include "weft/detail/future_state.hpp"
#include "weft/place.hpp"

namespace weft {

/// The state that a Promise and its Futures share, as part of an object of a host, which counts its
/// references and frees it. `Future<T>{Ref{&state}}` reads it, and holds a reference; so does the
/// runtime while a coroutine waits for it. A chain does not: when the object is destroyed, its
/// chains fail with BrokenPromise. See HostCoroutine for what host_retain() and host_release() may
/// do.
template <class T>
class HostFuture : public detail::FutureState<T> {
 protected:
  /// A future that is not completed; reports name `created`.
  explicit HostFuture(Place created = Place::here()) noexcept : detail::FutureState<T>{created} {
    this->set(Event::host_object_flag);
  }
  /// Warns of an unread outcome, as when the last Future is destroyed.
  ~HostFuture() override { this->dispose(); }

  void host_retain() noexcept override = 0;
  void host_release() noexcept override = 0;
  [[nodiscard]] void* host_object() const noexcept override = 0;
};

}  // namespace weft
