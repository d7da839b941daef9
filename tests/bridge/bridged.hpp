#pragma once

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/socket.h>
#include <utility>

#include "descriptors.hpp"
#include "weft/bridge.hpp"
#include "weft/testing.hpp"
#include "weft/weft.hpp"

namespace weft_test {

/// The bridge is installed while it lives.
class Bridged {
 public:
  explicit Bridged(weft::bridge::Options options = {}) {
    weft::bridge::install(std::move(options));
  }
  ~Bridged() { weft::bridge::uninstall(); }
  Bridged(const Bridged&) = delete;
  Bridged& operator=(const Bridged&) = delete;
};

/// Two ends that block, as most libraries have them.
inline Ends blocking(Ends ends) {
  ::fcntl(ends.here.get(), F_SETFL, 0);
  ::fcntl(ends.there.get(), F_SETFL, 0);
  return ends;
}

inline bool blocks(int descriptor) { return (::fcntl(descriptor, F_GETFL) & O_NONBLOCK) == 0; }

}  // namespace weft_test
