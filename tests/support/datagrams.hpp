#pragma once

#include <cerrno>
#include <sys/socket.h>
#include <sys/un.h>
#include <system_error>

#include "descriptors.hpp"
#include "weft/extend/io.hpp"

namespace weft_test {

inline OwnDescriptor unix_datagrams() {
  return OwnDescriptor{::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
}

/// A unix datagram socket with a name that the kernel has chosen.
struct NamedDatagrams {
  NamedDatagrams() {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    socklen_t size = sizeof(sa_family_t);
    auto* const raw = reinterpret_cast<sockaddr*>(&address);
    const bool bound = ::bind(socket.get(), raw, size) == 0;
    size = sizeof address;
    if (!bound || ::getsockname(socket.get(), raw, &size) != 0) {
      throw std::system_error{errno, std::generic_category(), "bind"};
    }
    name = weft::Address::from_native(raw, size);
  }

  OwnDescriptor socket = unix_datagrams();
  weft::Address name;
};

inline weft::Ref<weft::Io> adopt_datagrams() { return weft::Io::adopt(unix_datagrams().release()); }

}  // namespace weft_test
