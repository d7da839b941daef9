#pragma once

#include "weft/detail/abi.hpp"

#include <chrono>
#include <cstdint>
#include <string_view>

#include "weft/address.hpp"
#include "weft/stream.hpp"

namespace weft {

/// A TCP connection.
class TcpStream : public Stream {
 public:
  TcpStream() noexcept = default;
  /// The stream of an Io that is open.
  explicit TcpStream(Ref<Io> io) noexcept : Stream{std::move(io)} {}

  /// Suspends until connected; tries every address of `host`. Throws std::system_error naming the
  /// host and its last address, and TimedOut.
  [[nodiscard]] static TcpStream connect(std::string_view host, std::uint16_t port,
                                         Token token = {}, Place place = Place::here());
  [[nodiscard]] static TcpStream connect(const Address& address, Token token = {},
                                         Place place = Place::here());
  /// Takes over a connected socket. `read_ahead` was read from it already: the next reads return
  /// that first.
  [[nodiscard]] static TcpStream adopt(int descriptor, std::string_view read_ahead = {});

  /// Shuts down sending: the peer reads the end, and this side can still read.
  void shutdown_write();
  /// Sends small pieces at once instead of collecting them (TCP_NODELAY).
  void no_delay(bool on = true);
  /// Probes an idle connection from time to time, first after `idle` (SO_KEEPALIVE).
  void keep_alive(bool on = true, std::chrono::seconds idle = std::chrono::seconds{60});
  /// The address of this side. Throws std::system_error.
  [[nodiscard]] Address local_address() const { return io().local_address(); }
  /// The address of the peer. Throws std::system_error.
  [[nodiscard]] Address remote_address() const { return io().remote_address(); }
};

}  // namespace weft
