#pragma once

#include <cstdint>
#include <sys/types.h>

namespace weft_hostile {

/// A port of this machine that was free a moment ago.
[[nodiscard]] std::uint16_t free_port();

/// To be called in the process of the server, before its main(). The visitor's signals may meet a
/// program that is ending already and no longer waits for them: then they do nothing.
void expect_visitor() noexcept;

/// Starts a process that visits the server which `program` will be on `port`, and then asks it to
/// end, as an administrator would: with SIGTERM, and with SIGINT if it does not react.
[[nodiscard]] pid_t send_visitor(std::uint16_t port, pid_t program);

}  // namespace weft_hostile
