#include "held_lookups.hpp"

#include <arpa/inet.h>
#include <condition_variable>
#include <dlfcn.h>
#include <mutex>
#include <netdb.h>
#include <netinet/in.h>
#include <string_view>

namespace {

struct State {
  std::mutex mutex;
  std::condition_variable changed;
  bool holding = false;
  std::size_t taken = 0;
  std::size_t gone = 0;
};

State& state() {
  static State made;
  return made;
}

bool is_held(const char* node) {
  return node != nullptr && std::string_view{node}.ends_with(".held");
}

bool is_held(const sockaddr* address) {
  return address->sa_family == AF_INET &&
         reinterpret_cast<const sockaddr_in*>(address)->sin_addr.s_addr == htonl(0x7f000063);
}

void hold() {
  State& held = state();
  std::unique_lock lock{held.mutex};
  ++held.taken;
  held.changed.notify_all();
  held.changed.wait(lock, [&] { return !held.holding; });
  ++held.gone;
  held.changed.notify_all();
}

template <class F>
F next(const char* name) {
  return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

}  // namespace

// These definitions replace those of libc, which the workers of libuv call.
extern "C" int getaddrinfo(const char* node, const char* service, const addrinfo* hints,
                           addrinfo** result) {
  static const auto real = next<decltype(&getaddrinfo)>("getaddrinfo");
  if (!is_held(node)) return real(node, service, hints, result);
  hold();
  return real("localhost", service, hints, result);
}

extern "C" int getnameinfo(const sockaddr* address, socklen_t size, char* host, socklen_t host_size,
                           char* service, socklen_t service_size, int flags) {
  static const auto real = next<decltype(&getnameinfo)>("getnameinfo");
  if (is_held(address)) hold();
  return real(address, size, host, host_size, service, service_size, flags);
}

namespace weft_test {

HeldLookups::HeldLookups() noexcept {
  const std::lock_guard lock{state().mutex};
  state().holding = true;
  state().taken = state().gone = 0;
}

HeldLookups::~HeldLookups() { release(); }

void HeldLookups::wait_until_taken(std::size_t count) noexcept {
  std::unique_lock lock{state().mutex};
  state().changed.wait(lock, [&] { return state().taken >= count; });
}

std::size_t HeldLookups::taken() noexcept {
  const std::lock_guard lock{state().mutex};
  return state().taken;
}

void HeldLookups::release() noexcept {
  const std::lock_guard lock{state().mutex};
  state().holding = false;
  state().changed.notify_all();
}

void HeldLookups::wait_until_gone() noexcept {
  std::unique_lock lock{state().mutex};
  state().changed.wait(lock, [&] { return state().gone == state().taken; });
}

}  // namespace weft_test
