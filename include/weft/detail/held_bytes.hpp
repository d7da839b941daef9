#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "weft/bytes.hpp"

namespace weft::detail {

/// Bytes that were read from a stream and not yet returned.
class HeldBytes {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return bytes_.size() - taken_; }
  [[nodiscard]] bool is_empty() const noexcept { return size() == 0; }
  void clear() noexcept {
    bytes_.clear();
    taken_ = 0;
  }

  /// Takes the first bytes, as many as there are and fit.
  std::size_t take(Bytes to) noexcept {
    const std::size_t n = std::min(to.size(), size());
    if (n == 0) return 0;
    std::memcpy(to.data(), bytes_.data() + taken_, n);
    drop(n);
    return n;
  }
  [[nodiscard]] std::string take_all() {
    std::string all;
    all.swap(bytes_);
    all.erase(0, std::exchange(taken_, 0));
    return all;
  }
  /// Takes the first line, without its line end; nothing if that has not arrived, or is further
  /// away than `limit`. The first `searched` bytes are known to have none.
  [[nodiscard]] std::optional<std::string> take_line(std::size_t searched, std::size_t limit) {
    const std::size_t end = bytes_.find('\n', taken_ + searched);
    if (end == std::string::npos || end - taken_ > limit) return std::nullopt;
    std::string line = bytes_.substr(taken_, end - taken_);
    drop(line.size() + 1);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    return line;
  }
  /// Puts back bytes that were taken and could not be returned, before all others.
  void put_back(std::string_view data) {
    bytes_.replace(0, taken_, data);
    taken_ = 0;
  }
  /// The next append() of at most `size` bytes needs no memory.
  void reserve(std::size_t size) { bytes_.reserve(bytes_.size() + size); }
  void append(std::string_view data) {
    bytes_.erase(0, std::exchange(taken_, 0));
    bytes_ += data;
  }
  /// Appends what `read(Bytes)` writes into at most `most` bytes; returns its result, their number.
  /// A negative result means none.
  template <class F>
  auto append_read(std::size_t most, F read) {
    bytes_.erase(0, std::exchange(taken_, 0));
    const std::size_t before = bytes_.size();
    bytes_.resize(before + most);
    struct Cut {
      std::string& bytes;
      std::size_t size;
      ~Cut() { bytes.resize(size); }
    } cut{bytes_, before};
    const auto n = read(Bytes{bytes_.data() + before, most});
    if (n > 0) cut.size += static_cast<std::size_t>(n);
    return n;
  }

 private:
  void drop(std::size_t n) noexcept {
    taken_ += n;
    if (taken_ == bytes_.size()) clear();
  }

  std::string bytes_;
  std::size_t taken_ = 0;  // how many of the first are taken already
};

}  // namespace weft::detail
