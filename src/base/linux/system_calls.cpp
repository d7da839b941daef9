#include "base/system_calls.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include "base/linux/linux_calls.hpp"
#include "base/real_calls.hpp"

namespace weft {

constinit const LinuxCalls linux_calls{};

int accept_connection(int listener, sockaddr* peer, socklen_t* size) noexcept {
  return linux_calls.accept4(listener, peer, size, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int open_socket(int family, int type) noexcept {
  return real_calls.socket(family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

int open_socket_pair(int family, int type, int (&both)[2]) noexcept {
  return real_calls.socketpair(family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, both);
}

int open_pipe(int (&both)[2], PipeEnds ends) noexcept {
  return linux_calls.pipe2(both, ends == PipeEnds::block ? O_CLOEXEC : O_CLOEXEC | O_NONBLOCK);
}

ssize_t send_file(int to, int from, off_t offset, std::size_t size) noexcept {
  return linux_calls.sendfile(to, from, &offset, size);
}

int add_close_from(posix_spawn_file_actions_t& actions, int lowest) noexcept {
  return ::posix_spawn_file_actions_addclosefrom_np(&actions, lowest);
}

bool is_tcp(int descriptor) noexcept {
  int protocol = 0;
  socklen_t size = sizeof protocol;
  return ::getsockopt(descriptor, SOL_SOCKET, SO_PROTOCOL, &protocol, &size) == 0 &&
         (protocol == IPPROTO_TCP || protocol == IPPROTO_MPTCP);
}

int native_signal(int linux_number) noexcept {
  return linux_number >= 1 && linux_number <= 64 ? linux_number : -1;
}

}  // namespace weft
