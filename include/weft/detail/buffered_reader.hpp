#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weft/bytes.hpp"
#include "weft/detail/held_bytes.hpp"

namespace weft::detail {

/// Where a BufferedReader gets more bytes from: a stream during one read. `fetch(to)` suspends
/// until something was read into `to`, and returns how many bytes, 0 at the end.
/// `fetch_more(held, size)` appends to `held` instead; `size` is a hint. `name()` is for errors:
/// "TCP 127.0.0.1:80".
template <class S>
concept ByteSource = requires(S& source, Bytes to, HeldBytes& held, std::size_t size) {
  { source.fetch(to) } -> std::same_as<std::size_t>;
  { source.fetch_more(held, size) } -> std::same_as<std::size_t>;
  { source.name() } -> std::convertible_to<std::string>;
};

/// Reads a given number of bytes, a line, or everything from a source that delivers pieces of any
/// size. Bytes that have arrived and were not returned are kept for the next read, also if a read
/// throws. Used by the streams and by TlsStream.
class BufferedReader {
 public:
  [[nodiscard]] HeldBytes& held() noexcept { return held_; }
  [[nodiscard]] const HeldBytes& held() const noexcept { return held_; }
  /// How many bytes a read_exactly() that is under way has in the memory of its caller.
  [[nodiscard]] std::size_t read_in_part() const noexcept { return read_in_part_; }
  [[nodiscard]] std::size_t line_limit() const noexcept { return line_limit_; }
  void set_line_limit(std::size_t bytes) noexcept { line_limit_ = bytes; }

  /// Suspends until there is something; returns how many bytes were read, 0 at the end.
  template <ByteSource S>
  std::size_t read_some(Bytes to, S& source) {
    return held_.is_empty() ? source.fetch(to) : held_.take(to);
  }

  /// The same without suspending: if no bytes are held, `attempt(to)` makes one try to get some.
  /// Less than 0: none have come.
  template <class Try>
  std::int64_t try_read_some(Bytes to, Try attempt) {
    return held_.is_empty() ? attempt(to) : static_cast<std::int64_t>(held_.take(to));
  }

  /// Suspends until `to` is full. Throws std::system_error with ENODATA if the end comes before.
  template <ByteSource S>
  void read_exactly(Bytes to, S& source) {
    std::size_t got = held_.take(to);
    const struct Done {
      std::size_t& part;
      ~Done() { part = 0; }
    } done{read_in_part_};
    try {
      while (got < to.size()) {
        read_in_part_ = got;
        const std::size_t size = source.fetch(to.from(got));
        if (size == 0) throw_ended(source.name(), got, to.size());
        got += size;
      }
    } catch (...) {
      if (got > 0) held_.put_back({reinterpret_cast<const char*>(to.data()), got});
      throw;
    }
  }

  /// Suspends until a whole line has come, and returns it without its "\n" or "\r\n"; nothing at
  /// the end. A last line without end counts. Throws std::system_error with EMSGSIZE if a line is
  /// longer than line_limit().
  template <ByteSource S>
  std::optional<std::string> read_line(S& source) {
    for (std::size_t searched = 0;;) {
      if (auto line = held_.take_line(searched, line_limit_)) return line;
      searched = held_.size();
      if (searched > line_limit_) throw_line_too_long(source.name());
      if (source.fetch_more(held_, piece) > 0) continue;
      if (held_.is_empty()) return std::nullopt;
      return held_.take_all();
    }
  }

  /// Suspends until the end, and returns all that came.
  template <ByteSource S>
  std::string read_all(S& source) {
    // Grows with what comes, so that much data needs few system calls.
    std::size_t size = piece;
    while (source.fetch_more(held_, size) > 0) {
      if (size < 16 * piece && held_.size() > 4 * size) size *= 2;
    }
    return held_.take_all();
  }

 private:
  static constexpr std::size_t piece = 4096;

  [[noreturn]] static void throw_ended(const std::string& name, std::size_t got,
                                       std::size_t wanted);
  [[noreturn]] void throw_line_too_long(const std::string& name) const;

  HeldBytes held_;
  std::size_t read_in_part_ = 0;
  std::size_t line_limit_ = std::size_t{1} << 20U;
};

}  // namespace weft::detail
