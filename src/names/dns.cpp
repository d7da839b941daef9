#include "weft/dns.hpp"

#include <charconv>
#include <cstdint>
#include <optional>

#include "wait/await_as.hpp"
#include "weft/await.hpp"
#include "weft/extend/dns_event.hpp"

namespace weft {
namespace {

std::optional<std::uint16_t> port_in_digits(std::string_view service) noexcept {
  if (service.empty()) return 0;
  std::uint16_t port = 0;
  const char* const end = service.data() + service.size();
  const auto parsed = std::from_chars(service.data(), end, port);
  if (parsed.ec != std::errc{} || parsed.ptr != end) return {};
  return port;
}

}  // namespace

std::vector<Address> resolve(std::string_view host, std::string_view service, Token token,
                             Place place) {
  if (const auto port = port_in_digits(service)) {
    if (const auto address = Address::try_parse(host, *port)) {
      token.mark_used();
      return {*address};
    }
  }
  expect_to_suspend("resolve()");
  AddressLookup lookup{std::string{host}, std::string{service}};
  await(lookup, token, place);
  return lookup.take();
}

ResolvedName resolve_name(const Address& address, Token token, Place place) {
  expect_to_suspend("resolve_name()");
  NameLookup lookup{address};
  await(lookup, token, place);
  return {lookup.host(), lookup.service()};
}

}  // namespace weft
