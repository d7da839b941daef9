#include "weft/tty.hpp"

#include <cerrno>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/real_calls.hpp"
#include "io/adopt_or_close.hpp"
#include "io/io_error.hpp"

namespace weft {

Tty Tty::adopt(int descriptor, std::string_view read_ahead) {
  if (::isatty(descriptor) == 0) {
    throw_io_error(errno, "use descriptor " + std::to_string(descriptor) + " as a terminal");
  }
  return Tty{adopt_with(read_ahead, descriptor)};
}

Tty::Size Tty::size() const {
  winsize found{};
  if (real_calls.ioctl(io().descriptor(), TIOCGWINSZ, &found) != 0) {
    throw_io_error(errno, "tell the size of " + io().name());
  }
  return {found.ws_col, found.ws_row};
}

}  // namespace weft
