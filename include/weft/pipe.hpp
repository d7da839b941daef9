#pragma once

#include "weft/detail/abi.hpp"

#include <string_view>
#include <utility>

#include "weft/stream.hpp"

namespace weft {

/// One end of a pipe.
class Pipe : public Stream {
 public:
  Pipe() noexcept = default;
  /// The pipe of an Io that is open.
  explicit Pipe(Ref<Io> io) noexcept : Stream{std::move(io)} {}

  /// Takes over the end of a pipe, or a unix socket. `read_ahead` was read from it already: the
  /// next reads return that first. Throws std::system_error if it is not open.
  [[nodiscard]] static Pipe adopt(int descriptor, std::string_view read_ahead = {});
  /// Creates a pipe: its reading and its writing end.
  [[nodiscard]] static std::pair<Pipe, Pipe> create();
};

/// A copy of standard input, which may be of any kind: closing the copy leaves the original open.
[[nodiscard]] Stream standard_input();
/// A copy of standard output, like standard_input().
[[nodiscard]] Stream standard_output();
/// A copy of standard error, like standard_input().
[[nodiscard]] Stream standard_error();

}  // namespace weft
