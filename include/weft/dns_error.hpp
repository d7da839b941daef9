#pragma once

#include "weft/detail/abi.hpp"

#include <stdexcept>
#include <string>
#include <system_error>

namespace weft {

/// The errors of name lookups: EAI_NONAME and the others of <netdb.h>.
[[nodiscard]] const std::error_category& dns_category() noexcept;

/// A name or an address could not be looked up. The text is "DNS error: <why> (<what>)".
class DnsError : public std::system_error {
 public:
  /// `name` is what was looked up.
  DnsError(std::error_code code, const std::string& name);
  [[nodiscard]] const char* what() const noexcept override { return text_.what(); }
  /// What could not be looked up.
  [[nodiscard]] const char* name() const noexcept { return name_.what(); }

 private:
  // Texts in exceptions, because these copy without allocating.
  std::runtime_error text_;
  std::runtime_error name_;
};

}  // namespace weft
