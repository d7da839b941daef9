#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <netdb.h>
#include <new>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/current.hpp"
#include "bridge/hooks.hpp"
#include "bridge/names.hpp"
#include "bridge/outside.hpp"
#include "bridge/thread_state.hpp"
#include "bridge/wait.hpp"
#include "scheduler/scheduler.hpp"
#include "weft/bridge.hpp"

// gethostbyname and relatives.
namespace weft::bridge {
namespace {

struct HostAnswer {
  std::string name;  // or the bytes of an address
  int family = 0;    // 0: gethostbyname()
  bool is_address = false;
  std::vector<char> memory = std::vector<char>(1024);
  hostent host{};
  hostent* found = nullptr;
  int result = 0;
  int h_error = 0;
  int error = 0;

  void run() {
    while (true) {
      result = ask();
      if (result != ERANGE || memory.size() > (1U << 20U)) break;
      memory.resize(memory.size() * 4);
    }
    error = errno;
  }

 private:
  int ask() {
    if (is_address) {
      return real.gethostbyaddr_r(name.data(), static_cast<socklen_t>(name.size()), family, &host,
                                  memory.data(), memory.size(), &found, &h_error);
    }
    if (family != 0) {
      return real.gethostbyname2_r(name.c_str(), family, &host, memory.data(), memory.size(),
                                   &found, &h_error);
    }
    return real.gethostbyname_r(name.c_str(), &host, memory.data(), memory.size(), &found,
                                &h_error);
  }
};

/// Copies an entry and all that it points to into the memory of the caller.
class HostCopy {
 public:
  HostCopy(char* memory, std::size_t size) noexcept : next_{memory}, left_{size} {}

  /// False if the memory is too small.
  bool copy(const hostent& from, hostent& to) noexcept {
    to.h_addrtype = from.h_addrtype;
    to.h_length = from.h_length;
    const auto length = static_cast<std::size_t>(from.h_length);
    to.h_aliases = list(from.h_aliases, [](const char* text) { return std::strlen(text) + 1; });
    to.h_addr_list = list(from.h_addr_list, [length](const char*) { return length; });
    to.h_name = bytes(from.h_name, std::strlen(from.h_name) + 1);
    return !failed_;
  }

 private:
  void* take(std::size_t size, std::size_t alignment) noexcept {
    const std::size_t gap =
        (alignment - reinterpret_cast<std::uintptr_t>(next_) % alignment) % alignment;
    if (failed_ || left_ < gap + size) {
      failed_ = true;
      return nullptr;
    }
    char* const taken = next_ + gap;
    next_ = taken + size;
    left_ -= gap + size;
    return taken;
  }
  char* bytes(const char* from, std::size_t size) noexcept {
    void* const to = take(size, sizeof(void*));
    return to != nullptr ? static_cast<char*>(std::memcpy(to, from, size)) : nullptr;
  }
  template <class SizeOf>
  char** list(char** from, SizeOf size_of) noexcept {
    std::size_t count = 0;
    while (from != nullptr && from[count] != nullptr) ++count;
    auto** const to = static_cast<char**>(take((count + 1) * sizeof(char*), alignof(char*)));
    if (to == nullptr) return nullptr;
    for (std::size_t i = 0; i < count; ++i) to[i] = bytes(from[i], size_of(from[i]));
    to[count] = nullptr;
    return to;
  }

  char* next_;
  std::size_t left_;
  bool failed_ = false;
};

std::shared_ptr<HostAnswer> find_host(const char* function, std::string name, int family,
                                      bool is_address) {
  auto data = std::make_shared<HostAnswer>();
  data->name = std::move(name);
  data->family = family;
  data->is_address = is_address;
  return look_up(function, std::move(data), [](HostAnswer& mine) { mine.run(); });
}

/// The answer in the memory of the caller, as the functions with _r give it.
int give_host(const char* function, std::string name, int family, bool is_address, hostent* host,
              char* memory, std::size_t size, hostent** found, int* h_error) {
  *found = nullptr;
  const int error = errno;
  try {
    const auto answer = find_host(function, std::move(name), family, is_address);
    if (answer == nullptr) {
      *h_error = NETDB_INTERNAL;
      return errno;
    }
    *h_error = answer->h_error;
    errno = answer->found == nullptr ? answer->error : error;
    if (answer->found == nullptr) return answer->result;
    if (!HostCopy{memory, size}.copy(*answer->found, *host)) {
      *h_error = NETDB_INTERNAL;
      errno = ERANGE;
      return ERANGE;
    }
    *found = host;
    return 0;
  } catch (const std::bad_alloc&) {
    *h_error = NETDB_INTERNAL;
    errno = ENOMEM;
    return ENOMEM;
  }
}

/// Drops the answers of coroutines that have ended, when their number has doubled.
void drop_old_hosts(ThreadState& mine) {
  constexpr std::size_t few = 32;
  if (mine.hosts.size() < std::max(few, 2 * mine.hosts_kept)) return;
  const Scheduler& scheduler = *current_thread.scheduler;
  std::unordered_map<std::uint64_t, ThreadState::FoundHost> kept;
  for (const CoroutineBase* c = scheduler.registry().first(); c != nullptr;
       c = Scheduler::next_registered(*c)) {
    if (auto found = mine.hosts.extract(c->id())) kept.insert(std::move(found));
  }
  mine.hosts = std::move(kept);
  mine.hosts_kept = mine.hosts.size();
}

/// The answer in memory of the current coroutine, which its next call overwrites.
hostent* keep_host(const char* function, std::string name, int family, bool is_address) {
  const int error = errno;
  try {
    const auto answer = find_host(function, std::move(name), family, is_address);
    if (answer == nullptr) {
      h_errno = NETDB_INTERNAL;
      return nullptr;
    }
    h_errno = answer->h_error;
    errno = answer->found == nullptr ? answer->error : error;
    if (answer->found == nullptr) return nullptr;
    ThreadState& mine = ThreadState::here();
    drop_old_hosts(mine);
    ThreadState::FoundHost& kept = mine.hosts[current_thread.scheduler->current().id()];
    kept.memory.resize(answer->memory.size() * 2 + 256);
    HostCopy copy{kept.memory.data(), kept.memory.size()};
    return copy.copy(*answer->found, kept.entry) ? &kept.entry : nullptr;
  } catch (const std::bad_alloc&) {
    h_errno = NETDB_INTERNAL;
    errno = ENOMEM;
    return nullptr;
  }
}

std::string bytes_of(const void* address, socklen_t size) {
  return {static_cast<const char*>(address), size};
}

hostent* hooked_gethostbyname(const char* name) {
  if (!may_suspend() || name == nullptr) return real.gethostbyname(name);
  return keep_host("gethostbyname", name, 0, false);
}
hostent* hooked_gethostbyname2(const char* name, int family) {
  if (!may_suspend() || name == nullptr) return real.gethostbyname2(name, family);
  return keep_host("gethostbyname2", name, family, false);
}
hostent* hooked_gethostbyaddr(const void* address, socklen_t size, int family) {
  if (!may_suspend() || address == nullptr) return real.gethostbyaddr(address, size, family);
  return keep_host("gethostbyaddr", bytes_of(address, size), family, true);
}
int hooked_gethostbyname_r(const char* name, hostent* host, char* memory, std::size_t size,
                           hostent** found, int* h_error) {
  if (!may_suspend() || name == nullptr) {
    return real.gethostbyname_r(name, host, memory, size, found, h_error);
  }
  return give_host("gethostbyname_r", name, 0, false, host, memory, size, found, h_error);
}
int hooked_gethostbyname2_r(const char* name, int family, hostent* host, char* memory,
                            std::size_t size, hostent** found, int* h_error) {
  if (!may_suspend() || name == nullptr) {
    return real.gethostbyname2_r(name, family, host, memory, size, found, h_error);
  }
  return give_host("gethostbyname2_r", name, family, false, host, memory, size, found, h_error);
}
int hooked_gethostbyaddr_r(const void* address, socklen_t address_size, int family, hostent* host,
                           char* memory, std::size_t size, hostent** found, int* h_error) {
  if (!may_suspend() || address == nullptr) {
    return real.gethostbyaddr_r(address, address_size, family, host, memory, size, found, h_error);
  }
  return give_host("gethostbyaddr_r", bytes_of(address, address_size), family, true, host, memory,
                   size, found, h_error);
}

}  // namespace

void add_hosts(Hooks& hooks) {
  hooks.push_back(hook("gethostbyname", outside<&hooked_gethostbyname, &Real::gethostbyname>,
                       real.gethostbyname, names));
  hooks.push_back(hook("gethostbyname2", outside<&hooked_gethostbyname2, &Real::gethostbyname2>,
                       real.gethostbyname2, names));
  hooks.push_back(hook("gethostbyaddr", outside<&hooked_gethostbyaddr, &Real::gethostbyaddr>,
                       real.gethostbyaddr, names));
  hooks.push_back(hook("gethostbyname_r", outside<&hooked_gethostbyname_r, &Real::gethostbyname_r>,
                       real.gethostbyname_r, names));
  hooks.push_back(hook("gethostbyname2_r",
                       outside<&hooked_gethostbyname2_r, &Real::gethostbyname2_r>,
                       real.gethostbyname2_r, names));
  hooks.push_back(hook("gethostbyaddr_r", outside<&hooked_gethostbyaddr_r, &Real::gethostbyaddr_r>,
                       real.gethostbyaddr_r, names));
}

}  // namespace weft::bridge
