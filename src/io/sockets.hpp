#pragma once

#include "weft/address.hpp"
#include "weft/extend/io.hpp"

namespace weft {

/// A new socket for `address`, non-blocking and not inherited by children. `type`: SOCK_STREAM or
/// SOCK_DGRAM.
[[nodiscard]] Ref<Io> make_socket(const Address& address, int type);
/// Suspends until a new socket is connected to `address`.
[[nodiscard]] Ref<Io> connect_socket(const Address& address, Token token, Place place);
/// Binds `io` to `address`; an error names the address.
void bind_socket(Io& io, const Address& address);
void shutdown_write(Io& io);

}  // namespace weft
