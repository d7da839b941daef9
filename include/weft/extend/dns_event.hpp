#pragma once

#include <exception>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "weft/address.hpp"
#include "weft/extend/loop_event.hpp"

namespace weft {

/// The errors of name lookups: EAI_NONAME and the others of <netdb.h>.
[[nodiscard]] const std::error_category& dns_category() noexcept;

/// A name or an address could not be looked up. The text is "DNS error: <why> (<what>)".
class DnsError : public std::system_error {
 public:
  /// `name` is what was looked up.
  DnsError(std::error_code code, const std::string& name);
  [[nodiscard]] const char* what() const noexcept override { return text_.what(); }
  [[nodiscard]] const char* name() const noexcept { return name_.what(); }

 private:
  // Texts in exceptions, because these copy without allocating.
  std::runtime_error text_;
  std::runtime_error name_;
};

/// The lookup of a name, on a worker thread. Begins when it is made; starting and stopping only
/// says that somebody waits. Closes when it is over; a late await gets the same outcome.
///
/// It may go at any time: a lookup on its way is cancelled if no worker has taken it, and forgotten
/// if one has.
class AddressLookup final : public LoopEvent {
 public:
  /// An empty host means this machine, an empty service port 0. Throws DnsError for what cannot be
  /// a name, and MisuseError outside a runtime.
  AddressLookup(std::string host, std::string service);
  ~AddressLookup() override;

  [[nodiscard]] const std::string& host() const noexcept { return host_; }
  [[nodiscard]] const std::string& service() const noexcept { return service_; }
  /// What was found, in the order of the system, which prefers the first; each address once. Gives
  /// it away: a second call returns nothing, as does one before the end.
  [[nodiscard]] std::vector<Address> take() noexcept { return std::exchange(addresses_, {}); }

  bool replay(Outcome& outcome) const override;
  [[nodiscard]] std::string info() const override;

 private:
  struct Request;
  void arm(Reactor& reactor) override;
  void disarm(Reactor& reactor) noexcept override;
  void complete(std::exception_ptr error) noexcept;

  std::string host_;
  std::string service_;
  std::vector<Address> addresses_;
  std::exception_ptr error_;
  Request* request_ = nullptr;  // on its way; frees itself in the end
};

/// The lookup of an address, otherwise like AddressLookup. An address without a name gets its
/// digits for one.
class NameLookup final : public LoopEvent {
 public:
  /// Throws ValueError unless `address` is IPv4 or IPv6, and MisuseError outside a runtime.
  explicit NameLookup(const Address& address);
  ~NameLookup() override;

  [[nodiscard]] const Address& address() const noexcept { return address_; }
  /// Empty before the end.
  [[nodiscard]] const std::string& host() const noexcept { return host_; }
  [[nodiscard]] const std::string& service() const noexcept { return service_; }

  bool replay(Outcome& outcome) const override;
  [[nodiscard]] std::string info() const override { return "DNSNameInfo"; }

 private:
  struct Request;
  void arm(Reactor& reactor) override;
  void disarm(Reactor& reactor) noexcept override;
  void complete(std::exception_ptr error) noexcept;

  Address address_;
  std::string host_;
  std::string service_;
  std::exception_ptr error_;
  Request* request_ = nullptr;
};

}  // namespace weft
