#pragma once

#include "weft/detail/abi.hpp"

#include <string>
#include <string_view>
#include <vector>

#include "weft/address.hpp"
#include "weft/dns_error.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"

namespace weft {

/// Suspends until the addresses of `host` are known, best first; there is at least one. `service`
/// is a name ("http"), a number, or empty for port 0. Numeric addresses are returned at once.
/// Throws DnsError, and, when `token` fires first, TimedOut for a timeout, otherwise
/// OperationCancelled. The lookup runs on a worker thread and is abandoned if the wait ends early.
[[nodiscard]] std::vector<Address> resolve(std::string_view host, std::string_view service = {},
                                           Token token = {}, Place place = Place::here());

/// The names of an address: of the host, and of the service at its port.
struct ResolvedName {
  /// The name of the host.
  std::string host = {};
  /// The name of the service.
  std::string service = {};
};

/// Suspends until the names of `address` are known; a missing name is given in digits. Throws like
/// resolve(), and ValueError unless `address` is IPv4 or IPv6.
[[nodiscard]] ResolvedName resolve_name(const Address& address, Token token = {},
                                        Place place = Place::here());

}  // namespace weft
