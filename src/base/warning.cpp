#include "base/warning.hpp"

#include <cstdio>
#include <string>

#include "base/current.hpp"
#include "weft/error.hpp"

namespace weft {

void warn(std::string_view text) noexcept {
  const WarningSink* sink = current_thread.warnings;
  if (sink != nullptr && sink->write) {
    try {
      sink->write(text);
      return;
    } catch (...) {  // a sink that throws must not end the runtime: fall back to stderr
    }
  }
  std::fprintf(stderr, "weft: %.*s\n", static_cast<int>(text.size()), text.data());
}

void warn_of(const char* text, const std::exception_ptr& error) noexcept {
  try {
    warn(std::string{text} + ": " + describe(error));
  } catch (...) {
    warn(text);
  }
}

}  // namespace weft
