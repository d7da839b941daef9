#pragma once

#include <fcntl.h>
#include <unistd.h>

namespace weft {

/// Puts /dev/null in the place of each of the descriptors 0 to 2 that is closed, and leaves it
/// there. Otherwise the next descriptor of the loop would get that number: libuv aborts when it
/// closes one below 3, and what the program writes to standard error would land in the loop. Does
/// nothing if no placeholder can be opened.
inline void fill_standard_descriptors() noexcept {
  for (int number = 0; number < 3; ++number) {
    if (::fcntl(number, F_GETFD) >= 0) continue;
    // The lowest free number is the one that was found closed, unless another thread takes it.
    int opened = ::open("/dev/null", O_RDWR);
    if (opened < 0) opened = ::open("/", O_RDONLY);  // no devices here: reads and writes fail
    if (opened > 2) ::close(opened);
  }
}

}  // namespace weft
