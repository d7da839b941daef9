#include <cerrno>
#include <climits>
#include <cstdio>
#include <optional>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bridge/children.hpp"
#include "bridge/facts.hpp"
#include "bridge/hooks.hpp"

// Calls that end what a number means, or give it a new meaning: who waits for it is woken, and the
// watch ends before the number is used again.
namespace weft::bridge {
namespace {

int hooked_close(int descriptor) {
  number_changes(descriptor);
  return real.close(descriptor);
}

void numbers_change(unsigned first, unsigned last) noexcept {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  for (unsigned number = first; number <= last && number < limit.rlim_cur; ++number) {
    number_changes(static_cast<int>(number));
  }
}

int hooked_close_range(unsigned first, unsigned last, int flags) {
  if (flags == 0) numbers_change(first, last);
  return real.close_range(first, last, flags);
}

void hooked_closefrom(int first) {
  numbers_change(first < 0 ? 0 : static_cast<unsigned>(first), UINT_MAX);
  real.closefrom(first);
}

int hooked_fclose(FILE* file) {
  // For the stream of a command it is pclose().
  if (const std::optional<int> status = close_command("fclose", file)) return *status;
  const int error = errno;
  if (file != nullptr) number_changes(::fileno(file));
  errno = error;
  return real.fclose(file);
}

int hooked_dup2(int from, int to) {
  if (from != to) number_changes(to);
  return real.dup2(from, to);
}

int hooked_dup3(int from, int to, int flags) {
  if (from != to) number_changes(to);
  return real.dup3(from, to, flags);
}

// A number that is given out was free: what is known of it is of a file that was closed unseen.

int born(int descriptor) noexcept {
  if (descriptor >= 0) number_changes(descriptor);
  return descriptor;
}

int born(int result, const int* both) noexcept {
  if (result == 0) {
    number_changes(both[0]);
    number_changes(both[1]);
  }
  return result;
}

int hooked_dup(int from) { return born(real.dup(from)); }
int hooked_socket(int family, int type, int protocol) {
  return born(real.socket(family, type, protocol));
}
int hooked_socketpair(int family, int type, int protocol, int* both) {
  return born(real.socketpair(family, type, protocol, both), both);
}
int hooked_pipe(int* both) { return born(real.pipe(both), both); }
int hooked_pipe2(int* both, int flags) { return born(real.pipe2(both, flags), both); }
int hooked_eventfd(unsigned value, int flags) { return born(real.eventfd(value, flags)); }

}  // namespace

void add_closing(Hooks& hooks) {
  hooks.push_back(hook("close", &hooked_close, real.close, 0));
  hooks.push_back(hook("__close", &hooked_close, real.close, 0));
  hooks.push_back(hook("close_range", &hooked_close_range, real.close_range, 0));
  hooks.push_back(hook("closefrom", &hooked_closefrom, real.closefrom, 0));
  hooks.push_back(hook("fclose", &hooked_fclose, real.fclose, 0));
  hooks.push_back(hook("dup", &hooked_dup, real.dup, 0));
  hooks.push_back(hook("dup2", &hooked_dup2, real.dup2, 0));
  hooks.push_back(hook("__dup2", &hooked_dup2, real.dup2, 0));
  hooks.push_back(hook("dup3", &hooked_dup3, real.dup3, 0));
  hooks.push_back(hook("socket", &hooked_socket, real.socket, 0));
  hooks.push_back(hook("socketpair", &hooked_socketpair, real.socketpair, 0));
  hooks.push_back(hook("pipe", &hooked_pipe, real.pipe, 0));
  hooks.push_back(hook("__pipe", &hooked_pipe, real.pipe, 0));
  hooks.push_back(hook("pipe2", &hooked_pipe2, real.pipe2, 0));
  hooks.push_back(hook("eventfd", &hooked_eventfd, real.eventfd, 0));
}

}  // namespace weft::bridge
