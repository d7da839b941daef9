#pragma once

#include "weft/detail/abi.hpp"

#include <cstdint>

#include "weft/error.hpp"

namespace weft {

/// Why a channel was closed. The first reason counts.
enum class CloseReason : std::uint8_t {
  none,            ///< the channel is open
  explicitly,      ///< close() was called
  disposed,        ///< the channel was destroyed
  no_producers,    ///< receivers waited longer than ChannelOptions::no_producer
  no_consumers,    ///< senders waited longer than ChannelOptions::no_consumer
  deadlock,        ///< its waiters could never have been woken
  scope_disposed,  ///< the scope it belonged to was cancelled or disposed
};

/// The reason in words.
[[nodiscard]] const char* describe(CloseReason reason) noexcept;

/// Thrown by a send to a closed channel, and by a receive from one that is closed and empty.
class ChannelClosed : public Error {
 public:
  /// With the text that belongs to `reason`.
  explicit ChannelClosed(CloseReason reason = CloseReason::explicitly);
  /// Why the channel was closed.
  [[nodiscard]] CloseReason reason() const noexcept { return reason_; }

 private:
  CloseReason reason_;
};

}  // namespace weft
