#pragma once

#include <deque>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/switch_handler.hpp"
#include "weft/ref.hpp"

namespace weft {

/// The previous error of one that cannot carry it itself.
struct ErrorLink {
  std::exception_ptr later;
  std::exception_ptr earlier;
  bool of_exit_error;
};

/// What a thread keeps between its runtimes. Made on first use, freed with the thread.
struct ThreadMemory {
  /// Handlers that run when main starts, for subsystems that are set up before there is a runtime.
  std::vector<Ref<SwitchHandler>> main_start;
  /// The latest links. After run() they are kept until the next runtime begins, so that code which
  /// catches the exit error can still call previous(); a host's Runtime takes them along.
  std::deque<ErrorLink> error_links;

  /// What the C interface reports of the last failure.
  std::string error_text;
  int error_number = 0;

  static ThreadMemory& of_thread();
};

}  // namespace weft
