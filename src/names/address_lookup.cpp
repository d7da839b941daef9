#include <algorithm>
#include <cerrno>
#include <netdb.h>
#include <utility>

#include <uv.h>

#include "base/current.hpp"
#include "base/probe.hpp"
#include "names/dns_error.hpp"
#include "reactor/reactor.hpp"
#include "weft/error.hpp"
#include "weft/extend/dns_event.hpp"

namespace weft {

/// Held by the worker and the loop. The event may be destroyed before it completes.
struct AddressLookup::Request {
  uv_getaddrinfo_t native{};
  Reactor* reactor = nullptr;
  AddressLookup* event = nullptr;  // null: the event is gone

  static void on_resolved(uv_getaddrinfo_t* native, int status, addrinfo* found) noexcept;
};

namespace {

std::string lookup_text(const std::string& host, const std::string& service) {
  return service.empty() ? host : host + ":" + service;
}

std::vector<Address> addresses_of(const addrinfo* found) {
  std::vector<Address> addresses;
  for (; found != nullptr; found = found->ai_next) {
    // getaddrinfo() returns every address once for each type of socket.
    const Address address = Address::from_native(found->ai_addr, found->ai_addrlen);
    if (std::find(addresses.begin(), addresses.end(), address) == addresses.end()) {
      addresses.push_back(address);
    }
  }
  return addresses;
}

}  // namespace

void AddressLookup::Request::on_resolved(uv_getaddrinfo_t* native, int status,
                                         addrinfo* found) noexcept {
  const std::unique_ptr<Request> request{static_cast<Request*>(native->data)};
  const struct Release {
    addrinfo* list;
    ~Release() { uv_freeaddrinfo(list); }
  } release{found};
  AddressLookup* const event = request->event;
  if (event == nullptr) {
    WEFT_PROBE("lookup comes back after its event was dropped");
    return;
  }
  event->request_ = nullptr;
  request->reactor->delivered();
  std::exception_ptr error;
  try {
    if (status != 0) throw DnsError{dns_code(status), lookup_text(event->host_, event->service_)};
    event->addresses_ = addresses_of(found);
  } catch (...) {
    error = std::current_exception();
  }
  event->complete(std::move(error));
}

AddressLookup::AddressLookup(std::string host, std::string service)
    : host_{std::move(host)}, service_{std::move(service)} {
  Reactor* const reactor = current_thread.reactor;
  if (reactor == nullptr) {
    throw MisuseError{"A name can only be looked up inside weft::run()"};
  }
  const auto refuse = [this](std::error_code code) {
    throw DnsError{code, lookup_text(host_, service_)};
  };
  if (host_.find('\0') != host_.npos || service_.find('\0') != service_.npos) {
    refuse({EINVAL, std::generic_category()});
  }
  // Explicit flags: without them the system leaves out the addresses of this machine while it has
  // no network.
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  auto request = std::make_unique<Request>();
  request->native.data = request.get();
  request->reactor = reactor;
  request->event = this;
  const bool anonymous = host_.empty() && service_.empty();
  const int status = uv_getaddrinfo(
      &reactor->loop(), &request->native,
      [](uv_getaddrinfo_t* native, int result, addrinfo* found) {
        Request::on_resolved(native, result, found);
      },
      host_.empty() ? nullptr : host_.c_str(),
      anonymous ? "0" : (service_.empty() ? nullptr : service_.c_str()), &hints);
  if (status != 0) refuse(dns_code(status));
  request_ = request.release();
}

AddressLookup::~AddressLookup() {
  fail_waiters();
  if (request_ != nullptr) {
    request_->event = nullptr;
    uv_cancel(reinterpret_cast<uv_req_t*>(&request_->native));
  }
  stop_all();
}

void AddressLookup::arm(Reactor& reactor) { reactor.hold_time(); }

void AddressLookup::disarm(Reactor& reactor) noexcept { reactor.release_time(); }

void AddressLookup::complete(std::exception_ptr error) noexcept {
  error_ = std::move(error);
  notify_and_close(Outcome{error_});
}

bool AddressLookup::replay(Outcome& outcome) const {
  if (!is_closed()) return false;
  outcome = Outcome{error_};
  return true;
}

std::string AddressLookup::info() const {
  return "DNSAddrInfo(node=" + host_ + ", service=" + service_ + ")";
}

}  // namespace weft
