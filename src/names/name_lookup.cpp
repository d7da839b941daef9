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
struct NameLookup::Request {
  uv_getnameinfo_t native{};
  Reactor* reactor = nullptr;
  NameLookup* event = nullptr;  // null: the event is gone

  static void on_resolved(uv_getnameinfo_t* native, int status, const char* host,
                          const char* service) noexcept;
};

void NameLookup::Request::on_resolved(uv_getnameinfo_t* native, int status, const char* host,
                                      const char* service) noexcept {
  const std::unique_ptr<Request> request{static_cast<Request*>(native->data)};
  NameLookup* const event = request->event;
  if (event == nullptr) {
    WEFT_PROBE("reverse lookup comes back after its event was dropped");
    return;
  }
  event->request_ = nullptr;
  request->reactor->delivered();
  std::exception_ptr error;
  try {
    if (status != 0) throw DnsError{dns_code(status), event->address_.to_string()};
    event->host_ = host;
    event->service_ = service;
  } catch (...) {
    error = std::current_exception();
  }
  event->complete(std::move(error));
}

NameLookup::NameLookup(const Address& address) : address_{address} {
  Reactor* const reactor = current_thread.reactor;
  if (reactor == nullptr) {
    throw MisuseError{"An address can only be looked up inside weft::run()"};
  }
  if (address.family() != Address::Family::ipv4 && address.family() != Address::Family::ipv6) {
    throw ValueError{"only IPv4 and IPv6 addresses have names: " + address.to_string()};
  }
  auto request = std::make_unique<Request>();
  request->native.data = request.get();
  request->reactor = reactor;
  request->event = this;
  const int status = uv_getnameinfo(
      &reactor->loop(), &request->native,
      [](uv_getnameinfo_t* native, int result, const char* host, const char* service) {
        Request::on_resolved(native, result, host, service);
      },
      static_cast<const sockaddr*>(address_.native()), 0);
  if (status != 0) throw DnsError{dns_code(status), address_.to_string()};
  request_ = request.release();
}

NameLookup::~NameLookup() {
  fail_waiters();
  if (request_ != nullptr) {
    request_->event = nullptr;
    uv_cancel(reinterpret_cast<uv_req_t*>(&request_->native));
  }
  stop_all();
}

void NameLookup::arm(Reactor& reactor) { reactor.hold_time(); }

void NameLookup::disarm(Reactor& reactor) noexcept { reactor.release_time(); }

void NameLookup::complete(std::exception_ptr error) noexcept {
  error_ = std::move(error);
  notify_and_close(Outcome{error_});
}

bool NameLookup::replay(Outcome& outcome) const {
  if (!is_closed()) return false;
  outcome = Outcome{error_};
  return true;
}

}  // namespace weft
