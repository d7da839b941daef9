#pragma once

#include <string>

namespace weft {

/// What an open descriptor is, for people: "TCP 127.0.0.1:80" with the address of its peer, or its
/// own if it has none; "unix socket /run/app.sock", "file /etc/hosts", "pipe", "eventfd". Asks the
/// system: for messages only.
[[nodiscard]] std::string name_of_descriptor(int number);

}  // namespace weft
