#pragma once

#include "weft/detail/abi.hpp"

#include <string>

namespace weft {

/// A change of a file.
struct FileChange {
  /// Relative to the watched path. Empty: unknown, or the watched path itself.
  std::string name = {};
  /// The file was created, removed or renamed.
  bool renamed = false;
  /// Its contents or attributes have changed.
  bool changed = false;

  friend bool operator==(const FileChange&, const FileChange&) = default;
};

}  // namespace weft
