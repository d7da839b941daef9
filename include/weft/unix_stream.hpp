#pragma once

#include "weft/detail/abi.hpp"

#include <string_view>
#include <utility>

#include "weft/address.hpp"
#include "weft/stream.hpp"

namespace weft {

/// A connection through a unix socket.
class UnixStream : public Stream {
 public:
  UnixStream() noexcept = default;
  /// The stream of an Io that is open.
  explicit UnixStream(Ref<Io> io) noexcept : Stream{std::move(io)} {}

  /// Suspends until connected. Throws std::system_error naming the path, and TimedOut.
  [[nodiscard]] static UnixStream connect(std::string_view path, Token token = {},
                                          Place place = Place::here());
  /// Two streams that are connected to each other.
  [[nodiscard]] static std::pair<UnixStream, UnixStream> pair();
  /// Takes over a connected socket. `read_ahead` was read from it already: the next reads return
  /// that first.
  [[nodiscard]] static UnixStream adopt(int descriptor, std::string_view read_ahead = {});

  /// Shuts down sending: the peer reads the end, and this side can still read.
  void shutdown_write();
  /// The address of this side. Throws std::system_error.
  [[nodiscard]] Address local_address() const { return io().local_address(); }
  /// The address of the peer. Throws std::system_error.
  [[nodiscard]] Address remote_address() const { return io().remote_address(); }
};

}  // namespace weft
