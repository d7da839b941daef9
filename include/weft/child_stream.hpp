#pragma once

#include <cstdint>

namespace weft {

/// What one of the three standard streams of a child process is.
enum class ChildStream : std::uint8_t {
  inherited,    ///< the same as ours
  piped,        ///< a pipe of which we hold the other end
  null,         ///< nothing comes, and what goes is gone
  with_output,  ///< for standard error: where standard output goes
};

inline constexpr ChildStream inherited = ChildStream::inherited;
inline constexpr ChildStream piped = ChildStream::piped;
inline constexpr ChildStream null = ChildStream::null;
inline constexpr ChildStream with_output = ChildStream::with_output;

}  // namespace weft
