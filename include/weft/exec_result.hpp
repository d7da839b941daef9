#pragma once

#include "weft/detail/abi.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace weft {

/// What to do with the output of a command.
enum class ExecMode : std::uint8_t {
  whole,          ///< all of it is kept
  last_line,      ///< the last line is kept
  lines,          ///< every line is kept, and the last one again as the output
  show_and_line,  ///< it is passed through as it arrives, and the last line is kept
  show,           ///< it is passed through as it arrives, and nothing is kept
};

/// How a command ended.
struct ExecResult {
  /// Its standard output, or the last line of it, as the mode says. Lines have no white space at
  /// their end.
  std::string output = {};
  /// Every line of its standard output, empty ones included, if the mode keeps them.
  std::vector<std::string> lines = {};
  /// Its standard error, if that was piped.
  std::string errors = {};
  /// Its exit status; -1 if a signal killed it, or it is unknown.
  int exit_code = -1;
  /// The signal that killed it, or 0.
  int signal = 0;
};

}  // namespace weft
