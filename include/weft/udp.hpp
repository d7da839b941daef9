#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "weft/address.hpp"
#include "weft/bytes.hpp"
#include "weft/extend/io.hpp"

namespace weft {

/// A received datagram.
struct Received {
  /// How many bytes were received.
  std::size_t size = 0;
  /// The address of the sender.
  Address from;
};

/// A socket for datagrams: each is sent and received whole. A movable owner.
class UdpSocket {
 public:
  /// Suspends while the name of `host` is looked up. Port 0: the system chooses one.
  [[nodiscard]] static UdpSocket bind(std::string_view host, std::uint16_t port,
                                      Place place = Place::here());
  UdpSocket(UdpSocket&&) noexcept = default;
  UdpSocket& operator=(UdpSocket&& other) noexcept;
  ~UdpSocket() { close(); }

  /// Suspends until the system has taken the datagram; it may still be lost.
  void send_to(ConstBytes data, const Address& address, Token token = {},
               Place place = Place::here()) {
    io().send_to(data, address, token, place);
  }
  /// Suspends until a datagram has arrived. Bytes that do not fit in `to` are lost.
  Received receive_from(Bytes to, Token token = {}, Place place = Place::here());

  /// The address it is bound to. Throws std::system_error.
  [[nodiscard]] Address local_address() const { return io().local_address(); }
  /// The port it is bound to.
  [[nodiscard]] std::uint16_t port() const { return local_address().port(); }
  /// Closes the socket; waits on it throw std::system_error.
  void close() noexcept {
    if (io_) io_->close();
  }
  /// The handle underneath. Throws MisuseError if the socket was moved away.
  [[nodiscard]] Io& io() const;

 private:
  explicit UdpSocket(Ref<Io> io) noexcept : io_{std::move(io)} {}
  Ref<Io> io_;
};

}  // namespace weft
