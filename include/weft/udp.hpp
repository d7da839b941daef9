#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "weft/address.hpp"
#include "weft/bytes.hpp"
#include "weft/extend/io.hpp"

namespace weft {

/// A datagram that came.
struct Received {
  std::size_t size = 0;
  Address from;
};

/// A socket for datagrams: each is sent and received whole. A movable owner.
class UdpSocket {
 public:
  /// Port 0: the system chooses. Suspends while the name of `host` is looked up.
  [[nodiscard]] static UdpSocket bind(std::string_view host, std::uint16_t port,
                                      Place place = Place::here());
  UdpSocket(UdpSocket&&) noexcept = default;
  UdpSocket& operator=(UdpSocket&& other) noexcept;
  ~UdpSocket() { close(); }

  /// Suspends until the system has taken the datagram; that says nothing of its arrival.
  void send_to(ConstBytes data, const Address& address, Token token = {},
               Place place = Place::here()) {
    io().send_to(data, address, token, place);
  }
  /// Suspends until a datagram has come. What does not fit in `to` is lost.
  Received receive_from(Bytes to, Token token = {}, Place place = Place::here());

  [[nodiscard]] Address local_address() const { return io().local_address(); }
  [[nodiscard]] std::uint16_t port() const { return local_address().port(); }
  void close() noexcept {
    if (io_) io_->close();
  }
  [[nodiscard]] Io& io() const;

 private:
  explicit UdpSocket(Ref<Io> io) noexcept : io_{std::move(io)} {}
  Ref<Io> io_;
};

}  // namespace weft
