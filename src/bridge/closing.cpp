#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <fcntl.h>
#include <linux/close_range.h>
#include <optional>
#include <sys/types.h>
#include <unistd.h>

#include "bridge/children.hpp"
#include "bridge/facts.hpp"
#include "bridge/hooks.hpp"

// Calls that close a descriptor, or give its number a new meaning: the bridge wakes the coroutines
// that wait for it, and ends the watch before the number is used again.
namespace weft::bridge {
namespace {

int hooked_close(int descriptor) {
  number_changes(descriptor);
  return real.close(descriptor);
}

int hooked_close_range(unsigned first, unsigned last, int flags) {
  constexpr auto closes_later = static_cast<unsigned>(CLOSE_RANGE_CLOEXEC);
  if ((static_cast<unsigned>(flags) & closes_later) == 0) numbers_change(first, last);
  return real.close_range(first, last, flags);
}

void hooked_closefrom(int first) {
  numbers_change(first < 0 ? 0 : static_cast<unsigned>(first), UINT_MAX);
  real.closefrom(first);
}

/// Leaves errno alone.
void stream_changes(FILE* file) noexcept {
  const int error = errno;
  if (file != nullptr) number_changes(::fileno(file));
  errno = error;
}

int hooked_fclose(FILE* file) {
  // For the stream of a command it is pclose().
  if (const std::optional<int> status = close_command("fclose", file)) return *status;
  stream_changes(file);
  return real.fclose(file);
}

/// The stream keeps its number, which is of another file afterwards.
template <FILE* (*Real::*freopen)(const char*, const char*, FILE*)>
FILE* hooked_freopen(const char* path, const char* mode, FILE* file) {
  stream_changes(file);
  FILE* const opened = (real.*freopen)(path, mode, file);
  stream_changes(opened);
  return opened;
}

template <FILE* (*Real::*fopen)(const char*, const char*)>
FILE* hooked_fopen(const char* path, const char* mode) {
  FILE* const opened = (real.*fopen)(path, mode);
  stream_changes(opened);
  return opened;
}

/// Whether dup2(from, to) closes `to`: a call that fails leaves it open.
bool replaces(int from, int to) noexcept {
  if (from == to) return false;
  const int error = errno;
  const bool is_open = real.fcntl(from, F_GETFD) >= 0;
  errno = error;
  return is_open;
}

int hooked_dup2(int from, int to) {
  if (replaces(from, to)) number_changes(to);
  return real.dup2(from, to);
}

int hooked_dup3(int from, int to, int flags) {
  if ((flags & ~O_CLOEXEC) == 0 && replaces(from, to)) number_changes(to);
  return real.dup3(from, to, flags);
}

// Calls that give out a number, which was free.

int next_generation_of_both(int result, const int* both) noexcept {
  if (result == 0) {
    number_changes(both[0]);
    number_changes(both[1]);
  }
  return result;
}

int hooked_dup(int from) { return next_generation(real.dup(from)); }
int hooked_socket(int family, int type, int protocol) {
  return next_generation(real.socket(family, type, protocol));
}
int hooked_socketpair(int family, int type, int protocol, int* both) {
  return next_generation_of_both(real.socketpair(family, type, protocol, both), both);
}
int hooked_pipe(int* both) { return next_generation_of_both(real.pipe(both), both); }
int hooked_pipe2(int* both, int flags) {
  return next_generation_of_both(real.pipe2(both, flags), both);
}
int hooked_eventfd(unsigned value, int flags) {
  return next_generation(real.eventfd(value, flags));
}
int hooked_epoll_create(int size) { return next_generation(real.epoll_create(size)); }
int hooked_epoll_create1(int flags) { return next_generation(real.epoll_create1(flags)); }
int hooked_timerfd_create(int clock, int flags) {
  return next_generation(real.timerfd_create(clock, flags));
}
/// One that exists keeps its number.
int hooked_signalfd(int descriptor, const sigset_t* wanted, int flags) {
  const int result = real.signalfd(descriptor, wanted, flags);
  return descriptor < 0 ? next_generation(result) : result;
}
int hooked_inotify_init() { return next_generation(real.inotify_init()); }
int hooked_inotify_init1(int flags) { return next_generation(real.inotify_init1(flags)); }

template <int (*Real::*open)(const char*, int, ...)>
int hooked_open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const auto mode = va_arg(more, mode_t);  // of calls without one it is not used
  va_end(more);
  return next_generation((real.*open)(path, flags, mode));
}

template <int (*Real::*openat)(int, const char*, int, ...)>
int hooked_openat(int directory, const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const auto mode = va_arg(more, mode_t);
  va_end(more);
  return next_generation((real.*openat)(directory, path, flags, mode));
}

template <int (*Real::*open)(const char*, int)>
int hooked_open_2(const char* path, int flags) {
  return next_generation((real.*open)(path, flags));
}

template <int (*Real::*openat)(int, const char*, int)>
int hooked_openat_2(int directory, const char* path, int flags) {
  return next_generation((real.*openat)(directory, path, flags));
}

template <int (*Real::*creat)(const char*, mode_t)>
int hooked_creat(const char* path, mode_t mode) {
  return next_generation((real.*creat)(path, mode));
}

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
  hooks.push_back(hook("epoll_create", &hooked_epoll_create, real.epoll_create, 0));
  hooks.push_back(hook("epoll_create1", &hooked_epoll_create1, real.epoll_create1, 0));
  hooks.push_back(hook("timerfd_create", &hooked_timerfd_create, real.timerfd_create, 0));
  hooks.push_back(hook("signalfd", &hooked_signalfd, real.signalfd, 0));
  hooks.push_back(hook("inotify_init", &hooked_inotify_init, real.inotify_init, 0));
  hooks.push_back(hook("inotify_init1", &hooked_inotify_init1, real.inotify_init1, 0));
  hooks.push_back(hook("open", &hooked_open<&Real::open>, real.open, 0));
  hooks.push_back(hook("open64", &hooked_open<&Real::open64>, real.open64, 0));
  hooks.push_back(hook("openat", &hooked_openat<&Real::openat>, real.openat, 0));
  hooks.push_back(hook("openat64", &hooked_openat<&Real::openat64>, real.openat64, 0));
  hooks.push_back(hook("__open_2", &hooked_open_2<&Real::open_2>, real.open_2, 0));
  hooks.push_back(hook("__open64_2", &hooked_open_2<&Real::open64_2>, real.open64_2, 0));
  hooks.push_back(hook("__openat_2", &hooked_openat_2<&Real::openat_2>, real.openat_2, 0));
  hooks.push_back(hook("__openat64_2", &hooked_openat_2<&Real::openat64_2>, real.openat64_2, 0));
  hooks.push_back(hook("creat", &hooked_creat<&Real::creat>, real.creat, 0));
  hooks.push_back(hook("creat64", &hooked_creat<&Real::creat64>, real.creat64, 0));
  hooks.push_back(hook("fopen", &hooked_fopen<&Real::fopen>, real.fopen, 0));
  hooks.push_back(hook("fopen64", &hooked_fopen<&Real::fopen64>, real.fopen64, 0));
  hooks.push_back(hook("freopen", &hooked_freopen<&Real::freopen>, real.freopen, 0));
  hooks.push_back(hook("freopen64", &hooked_freopen<&Real::freopen64>, real.freopen64, 0));
}

}  // namespace weft::bridge
