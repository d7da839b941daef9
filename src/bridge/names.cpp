#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <memory>
#include <netdb.h>
#include <new>
#include <optional>
#include <resolv.h>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bridge/hooks.hpp"
#include "bridge/thread_state.hpp"
#include "bridge/worker.hpp"
#include "scheduler/scheduler.hpp"
#include "weft/bridge.hpp"

// Lookups run on a worker thread, into memory of their own: callers may pass the same buffer from
// several coroutines, and a cancelled one does not wait for the end of its lookup.
namespace weft::bridge {
namespace {

using Text = std::optional<std::string>;

Text copy_of(const char* text) { return text != nullptr ? Text{text} : Text{}; }
const char* raw(const Text& text) noexcept { return text ? text->c_str() : nullptr; }

/// Runs `body(data)` on a worker with a Data of its own. Null: errno says why not.
template <class Data, class F>
std::shared_ptr<Data> look_up(const char* function, std::shared_ptr<Data> data, F body) {
  auto work = [data, body] { body(*data); };
  const Ended ended = run_on_worker(function, std::make_shared<WorkOf<decltype(work)>>(work));
  if (ended == Ended::ready) return data;
  errno = errno_of(ended, 0);
  return nullptr;
}

// getaddrinfo, getnameinfo

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
    errno = answer->error;
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
    errno = answer->error;
    return answer->result;
  } catch (const std::bad_alloc&) {
    return EAI_MEMORY;
  }
}

// gethostbyname and relatives

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
  try {
    const auto answer = find_host(function, std::move(name), family, is_address);
    if (answer == nullptr) {
      *h_error = NETDB_INTERNAL;
      return errno;
    }
    *h_error = answer->h_error;
    errno = answer->error;
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
  try {
    const auto answer = find_host(function, std::move(name), family, is_address);
    if (answer == nullptr) {
      h_errno = NETDB_INTERNAL;
      return nullptr;
    }
    h_errno = answer->h_error;
    errno = answer->error;
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

// res_query and relatives

/// A question to name servers: how to ask it, with a resolver and room for the answer.
using Question = std::function<int(res_state, unsigned char*, int)>;

struct ResolverAnswer {
  Question ask;
  std::vector<unsigned char> answer;
  std::optional<struct __res_state> settings;  // of the caller; only its plain fields are read
  int result = -1;
  int h_error = 0;
  int error = 0;

  /// With a resolver of the worker's own: that of the caller may serve other coroutines meanwhile.
  void run() noexcept {
    struct __res_state own {};
    if (::res_ninit(&own) != 0) {
      error = errno;
      h_error = NETDB_INTERNAL;
      return;
    }
    if (settings) {
      own.options = settings->options;
      own.retrans = settings->retrans;
      own.retry = settings->retry;
      own.ndots = settings->ndots;
      own.nscount = settings->nscount;
      std::copy(std::begin(settings->nsaddr_list), std::end(settings->nsaddr_list),
                std::begin(own.nsaddr_list));
    }
    result = ask(&own, answer.data(), static_cast<int>(answer.size()));
    error = errno;
    h_error = own.res_h_errno;
    ::res_nclose(&own);
  }
};

/// `settings` are those of the caller; null: those of its thread.
int resolve(const char* function, res_state settings, unsigned char* answer, int room,
            Question ask) {
  try {
    auto data = std::make_shared<ResolverAnswer>();
    data->ask = std::move(ask);
    data->answer.resize(static_cast<std::size_t>(std::max(room, 0)));
    if (settings == nullptr) settings = &_res;
    if ((settings->options & RES_INIT) != 0) data->settings = *settings;
    const auto done = look_up(function, std::move(data), [](ResolverAnswer& mine) { mine.run(); });
    if (done == nullptr) {
      h_errno = NETDB_INTERNAL;
      return -1;
    }
    if (done->result > 0) {
      const auto size = std::min(static_cast<std::size_t>(done->result), done->answer.size());
      std::memcpy(answer, done->answer.data(), size);
    }
    settings->res_h_errno = done->h_error;
    h_errno = done->h_error;
    errno = done->error;
    return done->result;
  } catch (const std::bad_alloc&) {
    errno = ENOMEM;
    return -1;
  }
}

/// `call` is res_nquery() or res_nsearch(). Throws std::bad_alloc.
template <class Call>
Question question(Call call, const char* name, int of_class, int type) {
  return [call, name = std::string{name}, of_class, type](res_state state, unsigned char* to,
                                                          int room) {
    return call(state, name.c_str(), of_class, type, to, room);
  };
}

Question question_in(const char* name, const char* domain, int of_class, int type) {
  return [name = std::string{name}, domain = copy_of(domain), of_class, type](
             res_state state, unsigned char* to, int room) {
    return real.res_nquerydomain(state, name.c_str(), raw(domain), of_class, type, to, room);
  };
}

Question made_question(const unsigned char* from, int size) {
  return [bytes = std::vector<unsigned char>(from, from + size)](res_state state, unsigned char* to,
                                                                 int room) {
    return real.res_nsend(state, bytes.data(), static_cast<int>(bytes.size()), to, room);
  };
}

int hooked_res_query(const char* name, int of_class, int type, unsigned char* answer, int room) {
  if (!may_suspend()) return real.res_query(name, of_class, type, answer, room);
  return resolve("res_query", nullptr, answer, room,
                 question(real.res_nquery, name, of_class, type));
}
int hooked_res_search(const char* name, int of_class, int type, unsigned char* answer, int room) {
  if (!may_suspend()) return real.res_search(name, of_class, type, answer, room);
  return resolve("res_search", nullptr, answer, room,
                 question(real.res_nsearch, name, of_class, type));
}
int hooked_res_querydomain(const char* name, const char* domain, int of_class, int type,
                           unsigned char* answer, int room) {
  if (!may_suspend()) return real.res_querydomain(name, domain, of_class, type, answer, room);
  return resolve("res_querydomain", nullptr, answer, room,
                 question_in(name, domain, of_class, type));
}
int hooked_res_send(const unsigned char* from, int size, unsigned char* answer, int room) {
  if (!may_suspend() || size < 0) return real.res_send(from, size, answer, room);
  return resolve("res_send", nullptr, answer, room, made_question(from, size));
}
int hooked_res_nquery(res_state state, const char* name, int of_class, int type,
                      unsigned char* answer, int room) {
  if (!may_suspend()) return real.res_nquery(state, name, of_class, type, answer, room);
  return resolve("res_nquery", state, answer, room,
                 question(real.res_nquery, name, of_class, type));
}
int hooked_res_nsearch(res_state state, const char* name, int of_class, int type,
                       unsigned char* answer, int room) {
  if (!may_suspend()) return real.res_nsearch(state, name, of_class, type, answer, room);
  return resolve("res_nsearch", state, answer, room,
                 question(real.res_nsearch, name, of_class, type));
}
int hooked_res_nquerydomain(res_state state, const char* name, const char* domain, int of_class,
                            int type, unsigned char* answer, int room) {
  if (!may_suspend()) {
    return real.res_nquerydomain(state, name, domain, of_class, type, answer, room);
  }
  return resolve("res_nquerydomain", state, answer, room,
                 question_in(name, domain, of_class, type));
}
int hooked_res_nsend(res_state state, const unsigned char* from, int size, unsigned char* answer,
                     int room) {
  if (!may_suspend() || size < 0) return real.res_nsend(state, from, size, answer, room);
  return resolve("res_nsend", state, answer, room, made_question(from, size));
}

}  // namespace

void add_names(Hooks& hooks) {
  hooks.push_back(hook("getaddrinfo", &hooked_getaddrinfo, real.getaddrinfo, names));
  hooks.push_back(hook("getnameinfo", &hooked_getnameinfo, real.getnameinfo, names));
  hooks.push_back(hook("gethostbyname", &hooked_gethostbyname, real.gethostbyname, names));
  hooks.push_back(hook("gethostbyname2", &hooked_gethostbyname2, real.gethostbyname2, names));
  hooks.push_back(hook("gethostbyaddr", &hooked_gethostbyaddr, real.gethostbyaddr, names));
  hooks.push_back(hook("gethostbyname_r", &hooked_gethostbyname_r, real.gethostbyname_r, names));
  hooks.push_back(hook("gethostbyname2_r", &hooked_gethostbyname2_r, real.gethostbyname2_r, names));
  hooks.push_back(hook("gethostbyaddr_r", &hooked_gethostbyaddr_r, real.gethostbyaddr_r, names));
  // The headers give some of them the name with __, depending on the version of libc.
  const auto add = [&hooks](std::initializer_list<const char*> both, auto* replacement,
                            auto*& behind) {
    for (const char* const name : both) hooks.push_back(hook(name, replacement, behind, names));
  };
  add({"res_query", "__res_query"}, &hooked_res_query, real.res_query);
  add({"res_search", "__res_search"}, &hooked_res_search, real.res_search);
  add({"res_querydomain", "__res_querydomain"}, &hooked_res_querydomain, real.res_querydomain);
  add({"res_send", "__res_send"}, &hooked_res_send, real.res_send);
  add({"res_nquery", "__res_nquery"}, &hooked_res_nquery, real.res_nquery);
  add({"res_nsearch", "__res_nsearch"}, &hooked_res_nsearch, real.res_nsearch);
  add({"res_nquerydomain", "__res_nquerydomain"}, &hooked_res_nquerydomain, real.res_nquerydomain);
  add({"res_nsend", "__res_nsend"}, &hooked_res_nsend, real.res_nsend);
}

}  // namespace weft::bridge
