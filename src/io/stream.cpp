#include "weft/stream.hpp"

#include <utility>

#include "weft/error.hpp"

namespace weft {

Stream& Stream::operator=(Stream&& other) noexcept {
  if (this == &other) return *this;
  close();
  io_ = std::move(other.io_);
  return *this;
}

void Stream::refuse() { throw MisuseError{"This stream was moved away, or never opened"}; }

}  // namespace weft
