#pragma once

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/for_siblings.hpp"

namespace weft {

/// What RealCalls is for the calls that only Linux has.
struct LinuxCalls {
  decltype(&::accept4) accept4 = &::accept4;
  decltype(&::dup3) dup3 = &::dup3;
  decltype(&::epoll_wait) epoll_wait = &::epoll_wait;
  decltype(&::pipe2) pipe2 = &::pipe2;
  decltype(&::sendfile) sendfile = &::sendfile;
};

WEFT_FOR_SIBLINGS extern const LinuxCalls linux_calls;

}  // namespace weft
