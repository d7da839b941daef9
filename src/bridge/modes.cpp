#include <cstdarg>
#include <cstring>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "bridge/facts.hpp"
#include "bridge/hooks.hpp"
#include "bridge/install.hpp"
#include "bridge/wait.hpp"
#include "weft/bridge.hpp"

// Calls that change what is known of a descriptor.
namespace weft::bridge {

int lock_by_fcntl(int descriptor, int command, void* lock) noexcept;

namespace {

int hooked_fcntl(int descriptor, int command, ...) {
  va_list more;
  va_start(more, command);
  void* const argument = va_arg(more, void*);  // an integer comes in the same place
  va_end(more);
  const bool locks_and_waits = command == F_SETLKW || command == F_OFD_SETLKW;
  if (locks_and_waits && has_family(locks) && may_suspend()) {
    return lock_by_fcntl(descriptor, command, argument);
  }
  const int result = real.fcntl(descriptor, command, argument);
  if (command == F_SETFL) settings_change();
  if ((command == F_DUPFD || command == F_DUPFD_CLOEXEC) && result >= 0) number_changes(result);
  return result;
}

int hooked_ioctl(int descriptor, unsigned long request, ...) {
  va_list more;
  va_start(more, request);
  void* const argument = va_arg(more, void*);
  va_end(more);
  const int result = real.ioctl(descriptor, request, argument);
  if (request == FIONBIO) settings_change();
  return result;
}

/// A timeout below zero lets calls not wait, but the system shows it as none. Instead of it the
/// socket gets the shortest one that can be told from none: one tick of the system.
int set_timeout(int descriptor, int option, const void* value, socklen_t size) noexcept {
  timeval timeout{};
  if (value != nullptr && size >= sizeof timeout) std::memcpy(&timeout, value, sizeof timeout);
  constexpr timeval shortest{0, 1};
  const bool is_negative =
      timeout.tv_sec < 0 && timeout.tv_usec >= 0 && timeout.tv_usec < 1'000'000;
  const int result =
      is_negative ? real.setsockopt(descriptor, SOL_SOCKET, option, &shortest, sizeof shortest)
                  : real.setsockopt(descriptor, SOL_SOCKET, option, value, size);
  settings_change();
  return result;
}

int hooked_setsockopt(int descriptor, int level, int option, const void* value, socklen_t size) {
  if (level == SOL_SOCKET && (option == SO_RCVTIMEO || option == SO_SNDTIMEO)) {
    return set_timeout(descriptor, option, value, size);
  }
  return real.setsockopt(descriptor, level, option, value, size);
}

}  // namespace

void add_modes(Hooks& hooks) {
  hooks.push_back(hook("fcntl", &hooked_fcntl, real.fcntl, 0));
  hooks.push_back(hook("__fcntl", &hooked_fcntl, real.fcntl, 0));
  hooks.push_back(hook("fcntl64", &hooked_fcntl, real.fcntl, 0));
  hooks.push_back(hook("ioctl", &hooked_ioctl, real.ioctl, 0));
  hooks.push_back(hook("setsockopt", &hooked_setsockopt, real.setsockopt, 0));
}

}  // namespace weft::bridge
