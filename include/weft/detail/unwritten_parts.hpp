#pragma once

#include <cstddef>
#include <span>

#include "weft/bytes.hpp"

namespace weft::detail {

/// The rest of several pieces of memory that are written one behind the other. Refers to them.
class UnwrittenParts {
 public:
  UnwrittenParts() noexcept = default;
  explicit UnwrittenParts(std::span<const ConstBytes> parts) noexcept : parts_{parts} { skip(0); }

  [[nodiscard]] bool is_empty() const noexcept { return parts_.empty(); }
  [[nodiscard]] std::size_t count() const noexcept { return parts_.size(); }
  /// The unwritten bytes of the part at `index`: all of it, except for the first part.
  [[nodiscard]] ConstBytes operator[](std::size_t index) const noexcept {
    return index == 0 ? parts_[0].from(offset_) : parts_[index];
  }
  /// `size` more bytes are written: removes them, and empty parts behind them.
  void skip(std::size_t size) noexcept {
    offset_ += size;
    while (!parts_.empty() && offset_ >= parts_.front().size()) {
      offset_ -= parts_.front().size();
      parts_ = parts_.subspan(1);
    }
  }

 private:
  std::span<const ConstBytes> parts_;
  std::size_t offset_ = 0;  // in the first one
};

}  // namespace weft::detail
