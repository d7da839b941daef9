#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weft {

/// Where a socket is: an IPv4 or IPv6 address with a port, or the path of a unix socket. A value:
/// copies and compares. Names are not looked up here; resolve() does that.
class Address {
 public:
  enum class Family : std::uint8_t { none, ipv4, ipv6, unix_path };

  /// Nowhere: family none.
  Address() noexcept = default;
  /// From digits: "127.0.0.1", "::1", "fe80::1%eth0". Throws ValueError for anything else, names
  /// included.
  [[nodiscard]] static Address parse(std::string_view host, std::uint16_t port);
  /// The same; nothing if `host` is no address in digits.
  [[nodiscard]] static std::optional<Address> try_parse(std::string_view host,
                                                        std::uint16_t port) noexcept;
  /// A unix socket. A path that begins with NUL is a name in the abstract namespace. Throws
  /// std::system_error if it is empty, too long, or contains NUL elsewhere.
  [[nodiscard]] static Address unix_path(std::string_view path);
  /// From a `sockaddr` of `size` bytes, as the system calls give it. Throws ValueError for a family
  /// other than the three.
  [[nodiscard]] static Address from_native(const void* sockaddr, std::size_t size);

  [[nodiscard]] Family family() const noexcept;
  /// The address in digits, without the port; the path of a unix socket, empty for one without.
  [[nodiscard]] std::string host() const;
  /// 0 for a unix socket.
  [[nodiscard]] std::uint16_t port() const noexcept;
  /// The same address with another port. Unix sockets have none: they stay what they are.
  [[nodiscard]] Address with_port(std::uint16_t port) const noexcept;
  /// "127.0.0.1:80", "[::1]:80", "/run/app.sock", "@name" for an abstract one.
  [[nodiscard]] std::string to_string() const;

  /// Points to a `sockaddr` of `native_size()` bytes, for system calls.
  [[nodiscard]] const void* native() const noexcept { return bytes_; }
  [[nodiscard]] std::size_t native_size() const noexcept { return size_; }

  friend bool operator==(const Address& a, const Address& b) noexcept {
    return a.bytes() == b.bytes();
  }
  [[nodiscard]] std::size_t hash() const noexcept { return std::hash<std::string_view>{}(bytes()); }

 private:
  [[nodiscard]] std::string_view bytes() const noexcept {
    return {reinterpret_cast<const char*>(bytes_), size_};
  }
  /// A zeroed `sockaddr` of type T to be filled in.
  template <class T>
  T& make() noexcept;

  alignas(8) std::byte bytes_[112]{};  // a sockaddr; unused bytes are 0, so that equal is equal
  std::uint32_t size_ = 0;
};

}  // namespace weft

template <>
struct std::hash<weft::Address> {
  std::size_t operator()(const weft::Address& address) const noexcept { return address.hash(); }
};
