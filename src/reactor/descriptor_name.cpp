#include "reactor/descriptor_name.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <string_view>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system_calls.hpp"
#include "weft/address.hpp"

namespace weft {
namespace {

int family_of(int number) noexcept {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  return ::getsockname(number, reinterpret_cast<sockaddr*>(&storage), &size) == 0
             ? storage.ss_family
             : AF_UNSPEC;
}

int option_of(int number, int option) noexcept {
  int value = -1;
  socklen_t size = sizeof value;
  ::getsockopt(number, SOL_SOCKET, option, &value, &size);
  return value;
}

/// Empty if it has none.
std::string address_of(int number, int (*ask)(int, sockaddr*, socklen_t*)) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  auto* const raw = reinterpret_cast<sockaddr*>(&storage);
  if (ask(number, raw, &size) != 0 || size <= sizeof(sa_family_t)) return {};
  const int family = storage.ss_family;
  if (family != AF_INET && family != AF_INET6 && family != AF_UNIX) return {};
  return Address::from_native(raw, size).to_string();
}

std::string name_of_socket(int number) {
  std::string kind = "socket";
  if (family_of(number) == AF_UNIX) {
    kind = "unix socket";
  } else if (option_of(number, SO_TYPE) == SOCK_DGRAM) {
    kind = "UDP";
  } else if (is_tcp(number)) {
    kind = "TCP";
  }
  std::string address = address_of(number, ::getpeername);
  if (address.empty()) address = address_of(number, ::getsockname);
  return address.empty() ? kind : kind + " " + address;
}

const char* kind_of(int number, unsigned mode) noexcept {
  switch (mode & S_IFMT) {
    case S_IFIFO:
      return "pipe";
    case S_IFREG:
      return "file";
    case S_IFDIR:
      return "directory";
    case S_IFCHR:
      return ::isatty(number) != 0 ? "terminal" : "device";
    case S_IFBLK:
      return "device";
    default:
      return "descriptor";
  }
}

/// The target of /proc/self/fd; empty where the system has none.
std::string shown_target(int number) {
  std::array<char, 4096> target;
  const std::string link = "/dev/fd/" + std::to_string(number);
  const ssize_t size = ::readlink(link.c_str(), target.data(), target.size());
  return size > 0 ? std::string{target.data(), static_cast<std::size_t>(size)} : std::string{};
}

}  // namespace

std::string name_of_descriptor(int number) {
  const struct KeptErrno {  // the caller's message may still need it
    int before = errno;
    ~KeptErrno() { errno = before; }
  } kept;
  struct stat status {};
  if (::fstat(number, &status) != 0) return "closed descriptor";
  if (S_ISSOCK(status.st_mode)) return name_of_socket(number);
  const std::string target = shown_target(number);
  constexpr std::string_view nameless = "anon_inode:[";
  if (target.starts_with(nameless) && target.ends_with(']')) {  // eventfd, timerfd and the like
    return target.substr(nameless.size(), target.size() - nameless.size() - 1);
  }
  const std::string kind = kind_of(number, status.st_mode);
  return target.starts_with('/') ? kind + " " + target : kind;
}

}  // namespace weft
