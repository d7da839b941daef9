#include "base/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace weft {

void assertion_failed(const char* condition, const char* sentence, const char* file,
                      unsigned line) noexcept {
  std::fprintf(stderr, "weft: %s (%s, %s:%u)\n", sentence, condition, file, line);
  std::fflush(stderr);
  std::abort();
}

}  // namespace weft
