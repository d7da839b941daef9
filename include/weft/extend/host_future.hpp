#pragma once

#include "weft/detail/abi.hpp"

#include "weft/extend/future_state.hpp"
#include "weft/place.hpp"

namespace weft {

/// A FutureState as part of an object of a host, which counts its references and frees it: the host
/// completes it with complete(), fail() or cancel(), calls abandon() when its writer goes, and
/// reads it with take(), outcome() and error().
///
/// `Future<T>{Ref<FutureState<T>>{&state}}` reads it too, and holds a reference; so does the
/// runtime while a coroutine waits for it. A chain does not: when the object is destroyed, its
/// chains fail with BrokenPromise. See HostCoroutine for what host_retain() and host_release() may
/// do.
template <class T>
class HostFuture : public FutureState<T> {
 protected:
  /// A future that is not completed; reports name `created`.
  explicit HostFuture(Place created = Place::here()) noexcept : FutureState<T>{created} {
    this->set(Event::host_object_flag);
  }
  /// Warns of an unread outcome, as when the last Future is destroyed.
  ~HostFuture() override { this->dispose(); }

  void host_retain() noexcept override = 0;
  void host_release() noexcept override = 0;
  [[nodiscard]] void* host_object() const noexcept override = 0;
};

}  // namespace weft
