#pragma once

#include "weft/detail/abi.hpp"

#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "weft/address.hpp"
#include "weft/dns_error.hpp"
#include "weft/extend/loop_event.hpp"

namespace weft {

/// The lookup of a name, on a worker thread. Begins at construction; start and stop only count
/// waiters. Closes when it is done; a late await gets the same outcome.
///
/// It may be destroyed at any time: a pending lookup is cancelled if no worker has taken it, and
/// its result dropped if one has.
class AddressLookup final : public LoopEvent {
 public:
  /// An empty host means this machine, an empty service port 0. Throws DnsError for an invalid
  /// name, and MisuseError outside a runtime.
  AddressLookup(std::string host, std::string service);
  ~AddressLookup() override;

  /// The name that is looked up.
  [[nodiscard]] const std::string& host() const noexcept { return host_; }
  /// The service or port that is looked up.
  [[nodiscard]] const std::string& service() const noexcept { return service_; }
  /// The addresses found, in the system's order of preference; each address once. Moves them out: a
  /// second call returns nothing, as does one before the end.
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
  Request* request_ = nullptr;  // pending; frees itself at the end
};

/// The lookup of an address, otherwise like AddressLookup. A missing name is given in digits.
class NameLookup final : public LoopEvent {
 public:
  /// Throws ValueError unless `address` is IPv4 or IPv6, and MisuseError outside a runtime.
  explicit NameLookup(const Address& address);
  ~NameLookup() override;

  /// The address whose name is looked up.
  [[nodiscard]] const Address& address() const noexcept { return address_; }
  /// Empty before the end.
  [[nodiscard]] const std::string& host() const noexcept { return host_; }
  /// The name of the service; empty before the end.
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
