#include "names/dns_error.hpp"

#include <netdb.h>

#include <uv.h>

#include "weft/extend/dns_event.hpp"

namespace weft {
namespace {

class DnsCategory final : public std::error_category {
 public:
  [[nodiscard]] const char* name() const noexcept override { return "dns"; }
  [[nodiscard]] std::string message(int code) const override { return ::gai_strerror(code); }
};

}  // namespace

const std::error_category& dns_category() noexcept {
  static const DnsCategory category;
  return category;
}

DnsError::DnsError(std::error_code code, const std::string& name)
    : std::system_error{code},
      text_{"DNS error: " + code.message() + " (" + name + ")"},
      name_{name} {}

std::error_code dns_code(int uv_status) noexcept {
  const auto dns = [](int code) { return std::error_code{code, dns_category()}; };
  switch (uv_status) {
    case UV_EAI_ADDRFAMILY:
      return dns(EAI_ADDRFAMILY);
    case UV_EAI_AGAIN:
      return dns(EAI_AGAIN);
    case UV_EAI_BADFLAGS:
      return dns(EAI_BADFLAGS);
    case UV_EAI_FAIL:
      return dns(EAI_FAIL);
    case UV_EAI_FAMILY:
      return dns(EAI_FAMILY);
    case UV_EAI_MEMORY:
      return dns(EAI_MEMORY);
    case UV_EAI_NODATA:
      return dns(EAI_NODATA);
    case UV_EAI_NONAME:
      return dns(EAI_NONAME);
    case UV_EAI_OVERFLOW:
      return dns(EAI_OVERFLOW);
    case UV_EAI_SERVICE:
      return dns(EAI_SERVICE);
    case UV_EAI_SOCKTYPE:
      return dns(EAI_SOCKTYPE);
    case UV_EAI_CANCELED:
      return {ECANCELED, std::generic_category()};
    default:
      return {-uv_status, std::generic_category()};
  }
}

}  // namespace weft
