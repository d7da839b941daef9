#pragma once

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <new>
#include <sys/socket.h>
#include <sys/uio.h>
#include <vector>

#include "bridge/real.hpp"
#include "bridge/wait.hpp"

// What the calls of the family `transfer` share: a call tries without waiting first, and transfers
// all that the real call would.
namespace weft::bridge {

/// Whether `flags` forbid waiting, or the call never waits.
inline bool never_waits(int flags) noexcept {
  return (flags & (MSG_DONTWAIT | MSG_ERRQUEUE | MSG_OOB)) != 0;
}

template <class Try>
ssize_t once(const char* function, int descriptor, unsigned way, Try attempt) {
  Call call{function, descriptor, way};
  if (!call.may_begin()) return -1;
  const ssize_t done = until_done(call, attempt);
  return call.ended(done);
}

/// Transfers all of `size`, with `part(offset)` for what is left, as a blocking call does. What was
/// done before an error counts.
template <class Part>
ssize_t all_of(Call& call, std::size_t size, Part part) {
  std::size_t done = 0;
  while (true) {
    const ssize_t n = until_done(call, [&] { return part(done); });
    if (n < 0) return done > 0 ? static_cast<ssize_t>(done) : -1;
    done += static_cast<std::size_t>(n);
    if (n == 0 || done >= size) return static_cast<ssize_t>(done);
    call.has_begun();
  }
}

inline char* at(void* start, std::size_t offset) noexcept {
  return static_cast<char*>(start) + offset;
}
inline const char* at(const void* start, std::size_t offset) noexcept {
  return static_cast<const char*>(start) + offset;
}

inline std::size_t size_of(const iovec* parts, std::size_t count) noexcept {
  std::size_t size = 0;
  for (std::size_t i = 0; i < count; ++i) size += parts[i].iov_len;
  return size;
}

inline std::size_t size_of(const msghdr& message) noexcept {
  return size_of(message.msg_iov, message.msg_iovlen);
}

/// What is left of `parts` after `done` bytes. Throws std::bad_alloc.
inline std::vector<iovec> rest_of(const iovec* parts, std::size_t count, std::size_t done) {
  std::vector<iovec> rest;
  rest.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t skip = std::min(done, parts[i].iov_len);
    done -= skip;
    if (skip < parts[i].iov_len) {
      rest.push_back({at(parts[i].iov_base, skip), parts[i].iov_len - skip});
    }
  }
  return rest;
}

/// Calls `part` with a message of what is left of `parts` after `done` bytes.
template <class Part>
ssize_t with_rest(const iovec* parts, std::size_t count, std::size_t done, Part part) {
  try {
    std::vector<iovec> rest = rest_of(parts, count, done);
    msghdr message{};
    message.msg_iov = rest.data();
    message.msg_iovlen = rest.size();
    return part(message);
  } catch (const std::bad_alloc&) {
    errno = ENOMEM;
    return -1;
  }
}

/// Notes the descriptors that a message has brought, which have new numbers.
void note_descriptors(const msghdr& message) noexcept;
/// sendto() in a coroutine; send() is that without an address.
ssize_t transmit(const char* function, int descriptor, const void* from, std::size_t size,
                 int flags, const sockaddr* to, socklen_t to_size);
/// sendmsg() in a coroutine.
ssize_t transmit_message(const char* function, int descriptor, const msghdr* message, int flags);

}  // namespace weft::bridge
