#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>

#include "weft/channel.hpp"
#include "weft/place.hpp"

namespace weft {

/// A channel that is part of an object of a host, which counts its references and frees it. Its two
/// events (HintEvent) are part of it: while a coroutine waits for one of them, the runtime holds a
/// reference to the object. Waits in send(), recv() or select() hold none: they throw ChannelClosed
/// when the object is destroyed. See HostCoroutine for what host_retain() and host_release() may
/// do.
template <class T>
class HostChannel : public Channel<T> {
 protected:
  /// A channel that stores up to `capacity` values.
  explicit HostChannel(std::size_t capacity = 0, const ChannelOptions& options = {},
                       Place place = Place::here())
      : Channel<T>{capacity, options, place} {
    this->belong_to_host();
  }
  ~HostChannel() override = default;

  void host_retain() noexcept override = 0;
  void host_release() noexcept override = 0;
  [[nodiscard]] void* host_object() const noexcept override = 0;
};

}  // namespace weft
