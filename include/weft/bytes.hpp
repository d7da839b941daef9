#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>
#include <iterator>
#include <span>
#include <string_view>
#include <type_traits>

namespace weft {

/// Types whose objects are one byte of memory: char, unsigned char, std::byte.
template <class T>
concept ByteLike = sizeof(T) == 1 && (std::is_same_v<std::remove_cv_t<T>, std::byte> ||
                                      std::is_integral_v<std::remove_cv_t<T>>);

/// Memory that an operation reads into: any array, vector, string or span of bytes or characters.
class Bytes {
 public:
  Bytes() noexcept = default;
  /// `size` bytes from `data` on. A range of bytes converts by itself.
  Bytes(void* data, std::size_t size) noexcept
      : data_{static_cast<std::byte*>(data)}, size_{size} {}
  template <class R>
  requires ByteLike<std::remove_pointer_t<decltype(std::data(std::declval<R&>()))>> &&
      (!std::is_const_v<std::remove_pointer_t<decltype(std::data(std::declval<R&>()))>>)
          Bytes(R&& range) noexcept  // NOLINT(google-explicit-constructor,
                                     // bugprone-forwarding-reference-overload)
      : Bytes{std::data(range), std::size(range)} {}

  /// The first byte.
  [[nodiscard]] std::byte* data() const noexcept { return data_; }
  /// The number of bytes.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// All but the first `offset` bytes.
  [[nodiscard]] Bytes from(std::size_t offset) const noexcept {
    return {data_ + offset, size_ - offset};
  }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Memory that an operation writes from. A string literal is taken without its final NUL.
class ConstBytes {
 public:
  ConstBytes() noexcept = default;
  /// `size` bytes from `data` on. Texts, Bytes and ranges of bytes convert by themselves.
  ConstBytes(const void* data, std::size_t size) noexcept
      : data_{static_cast<const std::byte*>(data)}, size_{size} {}
  ConstBytes(const char* text) noexcept  // NOLINT(google-explicit-constructor)
      : ConstBytes{std::string_view{text}} {}
  ConstBytes(std::string_view text) noexcept  // NOLINT(google-explicit-constructor)
      : ConstBytes{text.data(), text.size()} {}
  template <class R>
  requires ByteLike<std::remove_pointer_t<decltype(std::data(std::declval<R&>()))>> &&
      (!std::is_array_v<std::remove_cvref_t<R>>)
          ConstBytes(R&& range) noexcept  // NOLINT(google-explicit-constructor,
                                          // bugprone-forwarding-reference-overload)
      : ConstBytes{std::data(range), std::size(range)} {}

  /// The first byte.
  [[nodiscard]] const std::byte* data() const noexcept { return data_; }
  /// The number of bytes.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// All but the first `offset` bytes.
  [[nodiscard]] ConstBytes from(std::size_t offset) const noexcept {
    return {data_ + offset, size_ - offset};
  }

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace weft
