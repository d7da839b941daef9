#pragma once

#include "weft/detail/abi.hpp"

#include <concepts>
#include <type_traits>
#include <utility>

#include "weft/detail/thread_cases.hpp"
#include "weft/place.hpp"
#include "weft/select.hpp"
#include "weft/thread_channel.hpp"

// Thread channels as cases of select(). Another thread may be faster at any moment, so a case that
// says it is ready has taken its value, or sent it, already.
namespace weft {

/// A case of select(): receives from `channel`, then calls `function(value)`. Throws ChannelClosed
/// if the channel is closed and empty, as recv() does.
template <class T, std::invocable<T> F>
[[nodiscard]] auto on_recv(ThreadChannel<T>& channel, F function, Place place = Place::here()) {
  return detail::ThreadRecvCase<T, F>{detail::ThreadChannelAccess::core(channel),
                                      std::move(function), place};
}

/// A case of select(): sends `value` to `channel`, then calls `function()`. If another case is
/// chosen, or select() throws, an rvalue is left unchanged. Throws ChannelClosed if the channel is
/// closed.
template <class T, class V, std::invocable F>
[[nodiscard]] auto on_send(ThreadChannel<T>& channel, V&& value, F function,
                           Place place = Place::here()) {
  using Case = detail::ThreadSendCase<T, F>;
  if constexpr (std::is_same_v<V, T>) {
    return Case{detail::ThreadChannelAccess::core(channel), std::forward<V>(value),
                std::move(function), place};
  } else {
    return Case{detail::ThreadChannelAccess::core(channel), std::in_place, std::forward<V>(value),
                std::move(function), place};
  }
}

}  // namespace weft
