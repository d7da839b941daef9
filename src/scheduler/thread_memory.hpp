#pragma once

#include <deque>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/switch_handler.hpp"
#include "weft/ref.hpp"

namespace weft {

/// What a thread keeps between its runtimes. Made on first use, freed with the thread.
struct ThreadMemory {
  /// What runs when main starts, for subsystems that are set up before there is a runtime.
  std::vector<Ref<SwitchHandler>> main_start;
  /// For errors that cannot carry it themselves: the error, and the one it met; only the latest.
  /// Kept until the next runtime begins, so that whoever catches the exit error can still ask.
  std::deque<std::pair<std::exception_ptr, std::exception_ptr>> error_links;

  /// What the C interface says of the last failure.
  std::string error_text;
  int error_number = 0;

  static ThreadMemory& of_thread();
};

}  // namespace weft
