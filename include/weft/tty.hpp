#pragma once

#include <string_view>

#include "weft/stream.hpp"

namespace weft {

/// A terminal.
class Tty : public Stream {
 public:
  struct Size {
    int columns = 0;
    int rows = 0;
  };

  Tty() noexcept = default;
  explicit Tty(Ref<Io> io) noexcept : Stream{std::move(io)} {}

  /// Takes over a descriptor. `read_ahead` was read from it already: the next reads return that
  /// first. Throws std::system_error (ENOTTY) if it is not a terminal.
  [[nodiscard]] static Tty adopt(int descriptor, std::string_view read_ahead = {});
  [[nodiscard]] Size size() const;
};

}  // namespace weft
