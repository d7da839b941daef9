#pragma once

#include <string>

#include "base/for_siblings.hpp"

namespace weft {

/// Describes an open descriptor: "TCP 127.0.0.1:80" with the address of its peer, or its own if it
/// has no peer; "unix socket /run/app.sock", "file /etc/hosts", "pipe", "eventfd". Makes system
/// calls: for messages only.
WEFT_FOR_SIBLINGS [[nodiscard]] std::string name_of_descriptor(int number);

}  // namespace weft
