#include "base/system_calls.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

namespace weft {
namespace {

/// A child that another thread starts in between inherits the descriptor: POSIX before 2024 cannot
/// open one that is close-on-exec from the start.
bool prepare_descriptor(int descriptor, bool blocks) noexcept {
  return ::fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 &&
         (blocks || ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0);
}

int prepared_or_closed(int descriptor) noexcept {
  if (descriptor < 0 || prepare_descriptor(descriptor, false)) return descriptor;
  const int error = errno;
  ::close(descriptor);
  errno = error;
  return -1;
}

int prepare_both(int (&both)[2], bool block) noexcept {
  if (prepare_descriptor(both[0], block) && prepare_descriptor(both[1], block)) return 0;
  const int error = errno;
  ::close(both[0]);
  ::close(both[1]);
  errno = error;
  return -1;
}

/// Whether a child inherits `descriptor`.
bool is_inherited(int descriptor) noexcept {
  const int flags = ::fcntl(descriptor, F_GETFD);
  return flags >= 0 && (flags & FD_CLOEXEC) == 0;
}

}  // namespace

int accept_connection(int listener, sockaddr* peer, socklen_t* size) noexcept {
  return prepared_or_closed(::accept(listener, peer, size));
}

int open_socket(int family, int type) noexcept {
  return prepared_or_closed(::socket(family, type, 0));
}

int open_socket_pair(int family, int type, int (&both)[2]) noexcept {
  return ::socketpair(family, type, 0, both) == 0 ? prepare_both(both, false) : -1;
}

int open_pipe(int (&both)[2], PipeEnds ends) noexcept {
  return ::pipe(both) == 0 ? prepare_both(both, ends == PipeEnds::block) : -1;
}

ssize_t send_file(int /*to*/, int /*from*/, off_t /*offset*/, std::size_t /*size*/) noexcept {
  errno = ENOSYS;
  return -1;
}

/// Misses descriptors that another thread opens before the child starts and that it inherits.
int add_close_from(posix_spawn_file_actions_t& actions, int lowest) noexcept {
  DIR* const list = ::opendir("/dev/fd");
  if (list == nullptr) return errno;
  int error = 0;
  while (const dirent* entry = ::readdir(list)) {
    const int descriptor = std::atoi(entry->d_name);
    if (descriptor < lowest || !is_inherited(descriptor)) continue;
    error = ::posix_spawn_file_actions_addclose(&actions, descriptor);
    if (error != 0) break;
  }
  ::closedir(list);
  return error;
}

bool is_tcp(int descriptor) noexcept {
  int type = 0;
  socklen_t size = sizeof type;
  if (::getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) != 0) return false;
  if (type != SOCK_STREAM) return false;
  sockaddr_storage address{};
  size = sizeof address;
  return ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) == 0 &&
         (address.ss_family == AF_INET || address.ss_family == AF_INET6);
}

int native_signal(int linux_number) noexcept {
  struct Pair {
    int linux_number;
    int native;
  };
  static constexpr std::array pairs{
      Pair{1, SIGHUP},   Pair{2, SIGINT},   Pair{3, SIGQUIT},  Pair{4, SIGILL},   Pair{5, SIGTRAP},
      Pair{6, SIGABRT},  Pair{7, SIGBUS},   Pair{8, SIGFPE},   Pair{9, SIGKILL},  Pair{10, SIGUSR1},
      Pair{11, SIGSEGV}, Pair{12, SIGUSR2}, Pair{13, SIGPIPE}, Pair{14, SIGALRM}, Pair{15, SIGTERM},
      Pair{17, SIGCHLD}, Pair{18, SIGCONT}, Pair{19, SIGSTOP}, Pair{20, SIGTSTP}, Pair{21, SIGTTIN},
      Pair{22, SIGTTOU}, Pair{23, SIGURG},  Pair{24, SIGXCPU}, Pair{25, SIGXFSZ}, Pair{27, SIGPROF},
      Pair{28, SIGWINCH}};
  for (const Pair& pair : pairs) {
    if (pair.linux_number == linux_number) return pair.native;
  }
  return -1;
}

}  // namespace weft
