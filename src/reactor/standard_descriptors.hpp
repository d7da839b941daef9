#pragma once

#include <fcntl.h>
#include <unistd.h>

#include "base/real_calls.hpp"

namespace weft {

/// Opens /dev/null for each of the descriptors 0 to 2 that is closed, and leaves it open. Otherwise
/// the loop would get such a number: libuv aborts when it closes one below 3, and what the program
/// writes to standard error would go into the loop. Does nothing if no placeholder can be opened.
inline void fill_standard_descriptors() noexcept {
  for (int number = 0; number < 3; ++number) {
    if (real_calls.fcntl(number, F_GETFD) >= 0) continue;
    // open() takes the lowest free number, the closed one, unless another thread opens a file.
    int opened = ::open("/dev/null", O_RDWR);
    if (opened < 0) opened = ::open("/", O_RDONLY);  // no devices here: reads and writes fail
    if (opened > 2) real_calls.close(opened);
  }
}

}  // namespace weft
