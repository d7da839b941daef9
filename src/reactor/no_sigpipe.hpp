#pragma once

#include <csignal>

namespace weft {

/// Writing to what nobody reads must be an error of that write, not the end of the process. A
/// handler of the program stays.
inline void keep_sigpipe_away() noexcept {
  struct sigaction present {};
  if (::sigaction(SIGPIPE, nullptr, &present) == 0 && present.sa_handler == SIG_DFL) {
    ::signal(SIGPIPE, SIG_IGN);
  }
}

}  // namespace weft
