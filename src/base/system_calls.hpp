#pragma once

#include <cstddef>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "base/for_siblings.hpp"

namespace weft {

// System calls that Linux does in one step where POSIX needs several. Each backend has its own
// source. New descriptors are close-on-exec; the functions set errno as the underlying system calls
// do.

/// Accepts a non-blocking connection, or -1.
int accept_connection(int listener, sockaddr* peer, socklen_t* size) noexcept;
/// Opens a non-blocking socket, or -1.
int open_socket(int family, int type) noexcept;
/// Two connected non-blocking sockets: 0, or -1.
int open_socket_pair(int family, int type, int (&both)[2]) noexcept;
enum class PipeEnds : bool { block, do_not_block };
/// Opens a pipe: 0, or -1.
int open_pipe(int (&both)[2], PipeEnds ends) noexcept;
/// Sends bytes of a file to a socket without a copy: how many, or -1, with ENOSYS if that is never
/// possible.
ssize_t send_file(int to, int from, off_t offset, std::size_t size) noexcept;

/// Has the child close all descriptors from `lowest` on. An error number, or 0.
int add_close_from(posix_spawn_file_actions_t& actions, int lowest) noexcept;

/// Whether the descriptor is a TCP socket.
WEFT_FOR_SIBLINGS bool is_tcp(int descriptor) noexcept;
/// The number on this system of the signal that has `linux_number` on Linux, or -1.
int native_signal(int linux_number) noexcept;

}  // namespace weft
