#include "weft/address.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <net/if.h>
#include <netinet/in.h>
#include <new>
#include <sys/socket.h>
#include <sys/un.h>
#include <system_error>
#include <type_traits>

#include "weft/error.hpp"

namespace weft {
namespace {

constexpr std::size_t path_offset = offsetof(sockaddr_un, sun_path);
constexpr std::size_t max_path = sizeof(sockaddr_un::sun_path);

sa_family_t native_family(const Address& address) noexcept {
  if (address.native_size() < sizeof(sa_family_t)) return AF_UNSPEC;
  return static_cast<const sockaddr*>(address.native())->sa_family;
}

const sockaddr_in& as_ipv4(const Address& address) noexcept {
  return *static_cast<const sockaddr_in*>(address.native());
}

const sockaddr_in6& as_ipv6(const Address& address) noexcept {
  return *static_cast<const sockaddr_in6*>(address.native());
}

/// The network interface of a link-local address, from a name or a number. 0: no such interface.
unsigned scope_of(const char* zone) noexcept {
  if (const unsigned index = ::if_nametoindex(zone); index != 0) return index;
  unsigned index = 0;
  const char* const end = zone + std::strlen(zone);
  const auto parsed = std::from_chars(zone, end, index);
  return parsed.ec == std::errc{} && parsed.ptr == end ? index : 0;
}

std::string zone_of(unsigned scope) {
  char name[IF_NAMESIZE] = {};
  return ::if_indextoname(scope, name) != nullptr ? std::string{name} : std::to_string(scope);
}

}  // namespace

template <class T>
T& Address::make() noexcept {
  static_assert(sizeof(T) <= sizeof bytes_ && alignof(T) <= 8 && std::is_trivial_v<T>);
  std::memset(bytes_, 0, sizeof bytes_);
  size_ = sizeof(T);
  return *std::launder(reinterpret_cast<T*>(bytes_));
}

std::optional<Address> Address::try_parse(std::string_view host, std::uint16_t port) noexcept {
  char text[INET6_ADDRSTRLEN + 1 + IF_NAMESIZE] = {};
  if (host.empty() || host.size() >= sizeof text || host.find('\0') != host.npos) return {};
  host.copy(text, host.size());
  Address address;
  in_addr ipv4{};
  if (::inet_pton(AF_INET, text, &ipv4) == 1) {
    auto& made = address.make<sockaddr_in>();
    made.sin_family = AF_INET;
    made.sin_port = htons(port);
    made.sin_addr = ipv4;
    return address;
  }
  char* const zone = std::strchr(text, '%');
  unsigned scope = 0;
  if (zone != nullptr) {
    *zone = '\0';
    scope = scope_of(zone + 1);
    if (scope == 0) return {};
  }
  in6_addr ipv6{};
  if (::inet_pton(AF_INET6, text, &ipv6) != 1) return {};
  auto& made = address.make<sockaddr_in6>();
  made.sin6_family = AF_INET6;
  made.sin6_port = htons(port);
  made.sin6_addr = ipv6;
  made.sin6_scope_id = scope;
  return address;
}

Address Address::parse(std::string_view host, std::uint16_t port) {
  if (const std::optional<Address> address = try_parse(host, port)) return *address;
  throw ValueError{"not an address in digits: \"" + std::string{host} + "\""};
}

Address Address::unix_path(std::string_view path) {
  const auto refuse = [&](int error) {
    throw std::system_error{error, std::generic_category(),
                            "path of a unix socket \"" + std::string{path.substr(0, 200)} + "\""};
  };
  if (path.empty()) refuse(ENOENT);
  const bool abstract = path.front() == '\0';
  if (!abstract && path.find('\0') != path.npos) refuse(EINVAL);
  if (path.size() > max_path - (abstract ? 0 : 1)) refuse(ENAMETOOLONG);
  Address address;
  auto& made = address.make<sockaddr_un>();
  made.sun_family = AF_UNIX;
  path.copy(made.sun_path, path.size());
  address.size_ = static_cast<std::uint32_t>(path_offset + path.size() + (abstract ? 0 : 1));
  return address;
}

Address Address::from_native(const void* given, std::size_t size) {
  sockaddr_storage native{};
  std::memcpy(&native, given, std::min(size, sizeof native));
  Address address;
  if (native.ss_family == AF_INET && size >= sizeof(sockaddr_in)) {
    sockaddr_in from{};
    std::memcpy(&from, &native, sizeof from);
    auto& made = address.make<sockaddr_in>();
    made.sin_family = AF_INET;
    made.sin_port = from.sin_port;
    made.sin_addr = from.sin_addr;
    return address;
  }
  if (native.ss_family == AF_INET6 && size >= sizeof(sockaddr_in6)) {
    sockaddr_in6 from{};
    std::memcpy(&from, &native, sizeof from);
    auto& made = address.make<sockaddr_in6>();
    made.sin6_family = AF_INET6;
    made.sin6_port = from.sin6_port;
    made.sin6_addr = from.sin6_addr;
    made.sin6_scope_id = from.sin6_scope_id;
    return address;
  }
  if (native.ss_family == AF_UNIX && size >= path_offset) {
    sockaddr_un from{};
    std::memcpy(&from, &native, std::min(size, sizeof from));
    const std::size_t length = std::min(size, sizeof from) - path_offset;
    // The kernel counts the NUL behind a path or not, depending on what bind() was given.
    if (length > 0 && from.sun_path[0] != '\0') {
      const std::size_t used = ::strnlen(from.sun_path, length);
      if (used < max_path) return unix_path({from.sun_path, used});
    }
    auto& made = address.make<sockaddr_un>();
    made.sun_family = AF_UNIX;
    std::memcpy(made.sun_path, from.sun_path, length);
    address.size_ = static_cast<std::uint32_t>(path_offset + length);
    return address;
  }
  throw ValueError{"an address of an unknown family (" + std::to_string(native.ss_family) + ")"};
}

Address::Family Address::family() const noexcept {
  switch (native_family(*this)) {
    case AF_INET:
      return Family::ipv4;
    case AF_INET6:
      return Family::ipv6;
    case AF_UNIX:
      return Family::unix_path;
    default:
      return Family::none;
  }
}

std::string Address::host() const {
  char text[INET6_ADDRSTRLEN] = {};
  switch (family()) {
    case Family::none:
      return {};
    case Family::ipv4:
      ::inet_ntop(AF_INET, &as_ipv4(*this).sin_addr, text, sizeof text);
      return text;
    case Family::ipv6: {
      const sockaddr_in6& native = as_ipv6(*this);
      ::inet_ntop(AF_INET6, &native.sin6_addr, text, sizeof text);
      return native.sin6_scope_id == 0 ? std::string{text}
                                       : std::string{text} + "%" + zone_of(native.sin6_scope_id);
    }
    case Family::unix_path: {
      const std::string_view path = bytes().substr(path_offset);
      if (!path.empty() && path.front() == '\0') return std::string{path};
      return std::string{path.substr(0, path.find('\0'))};
    }
  }
  return {};
}

std::uint16_t Address::port() const noexcept {
  switch (family()) {
    case Family::ipv4:
      return ntohs(as_ipv4(*this).sin_port);
    case Family::ipv6:
      return ntohs(as_ipv6(*this).sin6_port);
    default:
      return 0;
  }
}

Address Address::with_port(std::uint16_t port) const noexcept {
  Address other = *this;
  if (family() == Family::ipv4 || family() == Family::ipv6) {
    // Both families keep it in the same place.
    static_assert(offsetof(sockaddr_in, sin_port) == offsetof(sockaddr_in6, sin6_port));
    const in_port_t native = htons(port);
    std::memcpy(other.bytes_ + offsetof(sockaddr_in, sin_port), &native, sizeof native);
  }
  return other;
}

std::string Address::to_string() const {
  switch (family()) {
    case Family::none:
      return "nowhere";
    case Family::ipv4:
      return host() + ":" + std::to_string(port());
    case Family::ipv6:
      return "[" + host() + "]:" + std::to_string(port());
    case Family::unix_path: {
      std::string path = host();
      if (path.empty()) return "unnamed unix socket";
      std::replace(path.begin(), path.end(), '\0', '@');
      return path;
    }
  }
  return {};
}

}  // namespace weft
