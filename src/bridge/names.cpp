#include "bridge/names.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>
#include <netdb.h>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bridge/hooks.hpp"
#include "bridge/outside.hpp"
#include "bridge/wait.hpp"
#include "weft/bridge.hpp"

// getaddrinfo and getnameinfo.
namespace weft::bridge {
namespace {

struct AddressAnswer {
  Text node;
  Text service;
  std::optional<addrinfo> hints;
  addrinfo* found = nullptr;
  int result = EAI_SYSTEM;
  int error = 0;
  AddressAnswer() = default;
  AddressAnswer(const AddressAnswer&) = delete;
  AddressAnswer& operator=(const AddressAnswer&) = delete;
  ~AddressAnswer() {
    if (found != nullptr) ::freeaddrinfo(found);
  }
};

bool is_numeric(const addrinfo* hints) noexcept {
  return hints != nullptr && (hints->ai_flags & AI_NUMERICHOST) != 0;
}

int hooked_getaddrinfo(const char* node, const char* service, const addrinfo* hints,
                       addrinfo** found) {
  if (!may_suspend() || node == nullptr || is_numeric(hints)) {  // nothing to wait for
    return real.getaddrinfo(node, service, hints, found);
  }
  const int error = errno;
  try {
    auto data = std::make_shared<AddressAnswer>();
    data->node = copy_of(node);
    data->service = copy_of(service);
    if (hints != nullptr) data->hints = *hints;
    const auto answer = look_up("getaddrinfo", std::move(data), [](AddressAnswer& mine) {
      mine.result = real.getaddrinfo(raw(mine.node), raw(mine.service),
                                     mine.hints ? &*mine.hints : nullptr, &mine.found);
      mine.error = errno;
    });
    if (answer == nullptr) return EAI_SYSTEM;
    if (answer->result == 0) *found = std::exchange(answer->found, nullptr);
    errno = answer->result != 0 ? answer->error : error;
    return answer->result;
  } catch (const std::bad_alloc&) {
    return EAI_MEMORY;
  }
}

struct NameAnswer {
  std::vector<unsigned char> address;
  std::string host;
  std::string service;
  int flags = 0;
  int result = EAI_SYSTEM;
  int error = 0;
};

void copy_out(const std::string& from, char* to, socklen_t room) noexcept {
  if (to != nullptr && room > 0)
    std::memcpy(to, from.data(), std::min<std::size_t>(room, from.size()));
}

int hooked_getnameinfo(const sockaddr* address, socklen_t size, char* host, socklen_t host_room,
                       char* service, socklen_t service_room, int flags) {
  if (!may_suspend() || address == nullptr || (flags & NI_NUMERICHOST) != 0) {
    return real.getnameinfo(address, size, host, host_room, service, service_room, flags);
  }
  const int error = errno;
  try {
    auto data = std::make_shared<NameAnswer>();
    const auto* const bytes = reinterpret_cast<const unsigned char*>(address);
    data->address.assign(bytes, bytes + size);
    data->host.resize(host != nullptr ? host_room : 0);
    data->service.resize(service != nullptr ? service_room : 0);
    data->flags = flags;
    const auto answer = look_up("getnameinfo", std::move(data), [](NameAnswer& mine) {
      mine.result = real.getnameinfo(reinterpret_cast<const sockaddr*>(mine.address.data()),
                                     static_cast<socklen_t>(mine.address.size()), mine.host.data(),
                                     static_cast<socklen_t>(mine.host.size()), mine.service.data(),
                                     static_cast<socklen_t>(mine.service.size()), mine.flags);
      mine.error = errno;
    });
    if (answer == nullptr) return EAI_SYSTEM;
    if (answer->result == 0) {
      copy_out(answer->host, host, host_room);
      copy_out(answer->service, service, service_room);
    }
    errno = answer->result != 0 ? answer->error : error;
    return answer->result;
  } catch (const std::bad_alloc&) {
    return EAI_MEMORY;
  }
}

}  // namespace

void add_names(Hooks& hooks) {
  hooks.push_back(hook("getaddrinfo", &hooked_getaddrinfo, real.getaddrinfo, names));
  hooks.push_back(hook("getnameinfo", outside<&hooked_getnameinfo, &Real::getnameinfo>,
                       real.getnameinfo, names));
}

}  // namespace weft::bridge
