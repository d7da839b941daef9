#pragma once

#include <cstdint>

#include "weft/error.hpp"

namespace weft {

/// Why a channel was closed. The first reason counts.
enum class CloseReason : std::uint8_t {
  none,            ///< it is open
  explicitly,      ///< somebody called close()
  disposed,        ///< the channel was destroyed
  no_producers,    ///< receivers waited longer than ChannelOptions::no_producer
  no_consumers,    ///< senders waited longer than ChannelOptions::no_consumer
  deadlock,        ///< nothing in the program could have used it any more
  scope_disposed,  ///< the scope it belonged to was cancelled or disposed
};

/// The reason in words.
[[nodiscard]] const char* describe(CloseReason reason) noexcept;

/// The channel is closed: a send to it, or a receive when nothing is left in it.
class ChannelClosed : public Error {
 public:
  explicit ChannelClosed(CloseReason reason = CloseReason::explicitly);
  [[nodiscard]] CloseReason reason() const noexcept { return reason_; }

 private:
  CloseReason reason_;
};

}  // namespace weft
