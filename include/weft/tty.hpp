#pragma once

#include "weft/detail/abi.hpp"

#include <string_view>

#include "weft/stream.hpp"

namespace weft {

/// A terminal.
class Tty : public Stream {
 public:
  /// The size of a terminal, in characters.
  struct Size {
    /// Characters in a line.
    int columns = 0;
    /// Lines.
    int rows = 0;
  };

  Tty() noexcept = default;
  /// The terminal of an Io that is open.
  explicit Tty(Ref<Io> io) noexcept : Stream{std::move(io)} {}

  /// Takes over a descriptor. `read_ahead` was read from it already: the next reads return that
  /// first. Throws std::system_error (ENOTTY) if it is not a terminal.
  [[nodiscard]] static Tty adopt(int descriptor, std::string_view read_ahead = {});
  /// The present size. Throws std::system_error.
  [[nodiscard]] Size size() const;
};

}  // namespace weft
