#include "weft/channel_error.hpp"

#include <string>

namespace weft {

const char* describe(CloseReason reason) noexcept {
  switch (reason) {
    case CloseReason::none:
      return "open";
    case CloseReason::explicitly:
      return "closed explicitly";
    case CloseReason::disposed:
      return "disposed";
    case CloseReason::no_producers:
      return "no producers";
    case CloseReason::no_consumers:
      return "no consumers";
    case CloseReason::deadlock:
      return "deadlock";
    case CloseReason::scope_disposed:
      return "scope disposed";
  }
  return "";
}

ChannelClosed::ChannelClosed(CloseReason reason)
    : Error{std::string{"The channel is closed: "} + describe(reason)}, reason_{reason} {}

}  // namespace weft
