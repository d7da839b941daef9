#pragma once

#include "weft/detail/future_state.hpp"
#include "weft/place.hpp"

namespace weft {

/// What a Promise and its Futures share, as part of an object of a host, which counts its
/// references and frees it. `Future<T>{Ref{&state}}` reads it, and holds a reference; so does the
/// runtime while a coroutine waits for it. A chain does not: when the object goes, chains that are
/// left get BrokenPromise. See HostCoroutine for what host_retain() and host_release() may do.
template <class T>
class HostFuture : public detail::FutureState<T> {
 protected:
  explicit HostFuture(Place created = Place::here()) noexcept : detail::FutureState<T>{created} {
    this->set(Event::host_object_flag);
  }
  /// An outcome that was not read is told here, as when the last Future goes.
  ~HostFuture() override { this->dispose(); }

  void host_retain() noexcept override = 0;
  void host_release() noexcept override = 0;
  [[nodiscard]] void* host_object() const noexcept override = 0;
};

}  // namespace weft
