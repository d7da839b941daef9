#pragma once

#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/for_siblings.hpp"

namespace weft {

/// The calls of the library that the bridge replaces in other code. It goes through pointers of its
/// own, which the bridge leaves alone when it patches the object that the library is part of.
struct RealCalls {
  decltype(&::close) close = &::close;
  decltype(&::connect) connect = &::connect;
  decltype(&::fcntl) fcntl = &::fcntl;
  decltype(&::fork) fork = &::fork;
  decltype(&::ioctl) ioctl = &::ioctl;
  decltype(&::nanosleep) nanosleep = &::nanosleep;
  decltype(&::poll) poll = &::poll;
  decltype(&::read) read = &::read;
  decltype(&::recv) recv = &::recv;
  decltype(&::recvfrom) recvfrom = &::recvfrom;
  decltype(&::send) send = &::send;
  decltype(&::sendmsg) sendmsg = &::sendmsg;
  decltype(&::sendto) sendto = &::sendto;
  int (*sigaction)(int, const struct sigaction*, struct sigaction*) = &::sigaction;
  decltype(&::socket) socket = &::socket;
  decltype(&::socketpair) socketpair = &::socketpair;
  decltype(&::waitid) waitid = &::waitid;
  decltype(&::waitpid) waitpid = &::waitpid;
  decltype(&::write) write = &::write;
  decltype(&::writev) writev = &::writev;
};

WEFT_FOR_SIBLINGS extern const RealCalls real_calls;

}  // namespace weft
