#pragma once

#include <cstdint>
#include <sys/types.h>

namespace weft_hostile {

/// A port of this machine that was free a moment ago.
[[nodiscard]] std::uint16_t free_port();

/// Called in the process of the server, before its main(): makes the visitor's signals harmless
/// when the server is ending already and does not wait for them.
void expect_visitor() noexcept;

/// Starts a process that sends requests to the server `program` on `port`, and then ends it with
/// SIGTERM, and with SIGINT if it does not react.
[[nodiscard]] pid_t send_visitor(std::uint16_t port, pid_t program);

}  // namespace weft_hostile
