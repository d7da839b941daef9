#include "names/hosts.hpp"

#include <string>

#include "weft/dns.hpp"

namespace weft {

std::vector<Address> addresses_of_host(std::string_view host, std::uint16_t port, Token token,
                                       Place place) {
  if (const auto address = Address::try_parse(host, port)) return {*address};
  // `localhost` needs no lookup, and means the same everywhere.
  if (host == "localhost") return {Address::parse("127.0.0.1", port), Address::parse("::1", port)};
  return resolve(host, std::to_string(port), token, place);
}

}  // namespace weft
