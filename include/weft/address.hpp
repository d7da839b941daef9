#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weft {

/// The address of a socket: IPv4 or IPv6 with a port, or the path of a unix socket. A value: copies
/// and compares. Names are not looked up here; resolve() does that.
class Address {
 public:
  /// The kind of address: `ipv4`, `ipv6` or `unix_path`; `none` for an empty one.
  enum class Family : std::uint8_t { none, ipv4, ipv6, unix_path };

  /// No address: the family is none.
  Address() noexcept = default;
  /// Parses a numeric address: "127.0.0.1", "::1", "fe80::1%eth0". Throws ValueError for anything
  /// else, including names.
  [[nodiscard]] static Address parse(std::string_view host, std::uint16_t port);
  /// Like parse(), but returns nothing if `host` is not a numeric address.
  [[nodiscard]] static std::optional<Address> try_parse(std::string_view host,
                                                        std::uint16_t port) noexcept;
  /// The address of a unix socket. A path that begins with NUL is a name in the abstract namespace.
  /// Throws std::system_error if `path` is empty, too long, or contains NUL elsewhere.
  [[nodiscard]] static Address unix_path(std::string_view path);
  /// From a `sockaddr` of `size` bytes, as system calls return it. Throws ValueError for any other
  /// family.
  [[nodiscard]] static Address from_native(const void* sockaddr, std::size_t size);

  /// The kind of address; Family::none if there is none.
  [[nodiscard]] Family family() const noexcept;
  /// The numeric address without the port, or the path of a unix socket: empty if it has none.
  [[nodiscard]] std::string host() const;
  /// 0 for a unix socket.
  [[nodiscard]] std::uint16_t port() const noexcept;
  /// This address with another port. A unix socket has no port and is returned unchanged.
  [[nodiscard]] Address with_port(std::uint16_t port) const noexcept;
  /// "127.0.0.1:80", "[::1]:80", "/run/app.sock", "@name" for an abstract one.
  [[nodiscard]] std::string to_string() const;

  /// Points to a `sockaddr` of `native_size()` bytes, for system calls.
  [[nodiscard]] const void* native() const noexcept { return bytes_; }
  /// The size of what native() points to, in bytes.
  [[nodiscard]] std::size_t native_size() const noexcept { return size_; }

  friend bool operator==(const Address& a, const Address& b) noexcept {
    return a.bytes() == b.bytes();
  }
  /// For hash tables; std::hash uses it.
  [[nodiscard]] std::size_t hash() const noexcept { return std::hash<std::string_view>{}(bytes()); }

 private:
  [[nodiscard]] std::string_view bytes() const noexcept {
    return {reinterpret_cast<const char*>(bytes_), size_};
  }
  /// A zeroed `sockaddr` of type T to be filled in.
  template <class T>
  T& make() noexcept;

  alignas(8) std::byte bytes_[112]{};  // a sockaddr; unused bytes are 0, for operator==
  std::uint32_t size_ = 0;
};

}  // namespace weft

/// @cond
template <>
struct std::hash<weft::Address> {
  std::size_t operator()(const weft::Address& address) const noexcept { return address.hash(); }
};
/// @endcond
