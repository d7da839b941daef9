#undef _FORTIFY_SOURCE  // would define inline functions with the names of those below

#include "faulty_calls.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <dlfcn.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

std::atomic<bool> active{false};
std::atomic<std::uint64_t> state{0};
std::atomic<std::uint64_t> interruptions{0};
std::atomic<std::uint64_t> cuts{0};

std::uint64_t random_number() noexcept {  // splitmix64
  std::uint64_t z = state.fetch_add(0x9e3779b97f4a7c15U);
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

bool is_stream_socket(int descriptor) noexcept {
  int type = 0;
  socklen_t size = sizeof type;
  return ::getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
}

/// Whether `descriptor` is a byte stream, whose reads and writes may be short. An eventfd or an
/// inotify descriptor transfers whole records.
bool carries_bytes(int descriptor) noexcept {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return false;
  return S_ISFIFO(status.st_mode) || S_ISREG(status.st_mode) || is_stream_socket(descriptor);
}

/// Whether this call is interrupted with EINTR. Not with EAGAIN, although data is there: the kernel
/// would not report that data again.
bool fails() noexcept {
  if (!active.load(std::memory_order_relaxed) || random_number() % 8 != 0) return false;
  ++interruptions;
  errno = EINTR;
  return true;
}

/// How much of `size` a call transfers. Small messages are not cut: libuv sends some to itself.
std::size_t cut(int descriptor, std::size_t size) noexcept {
  if (size <= 64 || !active.load(std::memory_order_relaxed) || !carries_bytes(descriptor)) {
    return size;
  }
  const std::uint64_t number = random_number();
  if (number % 2 == 0) return size;
  ++cuts;
  return 1 + static_cast<std::size_t>(number >> 8U) % std::min<std::size_t>(size, 5'000);
}

/// The function that the one below replaces: that of a sanitizer, or of libc. Does not allocate: a
/// test may have used up the memory.
template <class F>
F* next(const char* name) {
  char checked[64];
  std::snprintf(checked, sizeof checked, "__interceptor_%s", name);
  void* found = dlsym(RTLD_DEFAULT, checked);
  if (found == nullptr) found = dlsym(RTLD_NEXT, name);
  return reinterpret_cast<F*>(found);
}

/// The replaced functions, looked up before a signal handler may call one.
struct Real {
  decltype(::read)* read = next<decltype(::read)>("read");
  decltype(::write)* write = next<decltype(::write)>("write");
  decltype(::writev)* writev = next<decltype(::writev)>("writev");
  decltype(::send)* send = next<decltype(::send)>("send");
  decltype(::sendmsg)* sendmsg = next<decltype(::sendmsg)>("sendmsg");
  decltype(::recv)* recv = next<decltype(::recv)>("recv");
  decltype(::recvfrom)* recvfrom = next<decltype(::recvfrom)>("recvfrom");
  decltype(::sendto)* sendto = next<decltype(::sendto)>("sendto");
  decltype(::accept4)* accept4 = next<decltype(::accept4)>("accept4");
  decltype(::sendfile)* sendfile = next<decltype(::sendfile)>("sendfile");
};
const Real& real() {
  static const Real found;
  return found;
}
[[maybe_unused]] const Real& found_at_start = real();

}  // namespace

namespace weft_test {

FaultyCalls::FaultyCalls(std::uint64_t seed) noexcept {
  state = seed * 0xd1342543de82ef95U;
  active = true;
}
FaultyCalls::~FaultyCalls() { active = false; }
std::uint64_t FaultyCalls::interrupted() noexcept { return interruptions; }
std::uint64_t FaultyCalls::cut_short() noexcept { return cuts; }

}  // namespace weft_test

// These definitions replace those of libc.
extern "C" {

ssize_t read(int descriptor, void* to, std::size_t size) {
  return fails() ? -1 : real().read(descriptor, to, cut(descriptor, size));
}

ssize_t write(int descriptor, const void* from, std::size_t size) {
  return fails() ? -1 : real().write(descriptor, from, cut(descriptor, size));
}

ssize_t writev(int descriptor, const iovec* parts, int count) {
  if (fails()) return -1;
  if (count < 1) return real().writev(descriptor, parts, count);
  iovec first = parts[0];
  first.iov_len = cut(descriptor, first.iov_len);
  const bool whole = first.iov_len == parts[0].iov_len;
  return whole ? real().writev(descriptor, parts, count) : real().writev(descriptor, &first, 1);
}

ssize_t send(int descriptor, const void* from, std::size_t size, int flags) {
  return fails() ? -1 : real().send(descriptor, from, cut(descriptor, size), flags);
}

ssize_t sendmsg(int descriptor, const msghdr* message, int flags) {
  if (fails()) return -1;
  if (message->msg_iovlen < 1) return real().sendmsg(descriptor, message, flags);
  iovec first = message->msg_iov[0];
  first.iov_len = cut(descriptor, first.iov_len);
  if (first.iov_len == message->msg_iov[0].iov_len) {
    return real().sendmsg(descriptor, message, flags);
  }
  msghdr shorter = *message;
  shorter.msg_iov = &first;
  shorter.msg_iovlen = 1;
  return real().sendmsg(descriptor, &shorter, flags);
}

// Never cut: weft takes a short read from TCP for an empty buffer of the kernel.
ssize_t recv(int descriptor, void* to, std::size_t size, int flags) {
  return fails() ? -1 : real().recv(descriptor, to, size, flags);
}

ssize_t recvfrom(int descriptor, void* to, std::size_t size, int flags, sockaddr* address,
                 socklen_t* length) {
  return fails() ? -1 : real().recvfrom(descriptor, to, size, flags, address, length);
}

ssize_t sendto(int descriptor, const void* from, std::size_t size, int flags,
               const sockaddr* address, socklen_t length) {
  return fails() ? -1 : real().sendto(descriptor, from, size, flags, address, length);
}

int accept4(int descriptor, sockaddr* address, socklen_t* length, int flags) {
  return fails() ? -1 : real().accept4(descriptor, address, length, flags);
}

ssize_t sendfile(int to, int from, off_t* offset, std::size_t size) {
  return fails() ? -1 : real().sendfile(to, from, offset, cut(to, size));
}

}  // extern "C"
