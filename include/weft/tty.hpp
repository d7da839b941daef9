#pragma once

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

  /// Takes over a descriptor. Throws std::system_error (ENOTTY) if it is no terminal.
  [[nodiscard]] static Tty adopt(int descriptor);
  [[nodiscard]] Size size() const;
};

}  // namespace weft
