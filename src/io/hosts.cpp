#include "io/hosts.hpp"

#include <cerrno>
#include <string>

#include "io/io_error.hpp"

namespace weft {

std::vector<Address> addresses_of_host(std::string_view host, std::uint16_t port, Token /*token*/,
                                       Place /*place*/) {
  if (const auto address = Address::try_parse(host, port)) return {*address};
  if (host == "localhost") return {Address::parse("127.0.0.1", port), Address::parse("::1", port)};
  throw_io_error(ENXIO, "cannot find the address of " + std::string{host});
}

}  // namespace weft
