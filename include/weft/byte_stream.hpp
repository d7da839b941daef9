#pragma once

#include "weft/detail/abi.hpp"

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "weft/bytes.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"

namespace weft {

/// A connection or file that is read and written in bytes: TcpStream, UnixStream, Pipe, Tty, File,
/// and TlsStream of weft/tls.hpp. Code that takes any of them is a template:
///
///     void echo(weft::ByteStream auto& stream) {
///       while (auto line = stream.read_line()) stream.write_all(*line + "\n");
///     }
///
/// The functions behave as those of Stream. If a read throws, bytes that have arrived are kept for
/// the next read. Several coroutines may use one stream: their reads are not interleaved, nor are
/// their writes. close() wakes coroutines that wait for the stream. The stream may be moved while
/// they wait.
template <class S>
concept ByteStream = std::movable<S> && std::default_initializable<S> &&
    requires(S& stream, const S& known, Bytes to, ConstBytes from,
             std::span<const ConstBytes> parts, std::size_t limit, Token token, Place place) {
  { stream.read_some(to, token, place) } -> std::same_as<std::size_t>;
  { stream.read_exactly(to, token, place) } -> std::same_as<void>;
  { stream.read_line(token, place) } -> std::same_as<std::optional<std::string>>;
  { stream.read_all(token, place) } -> std::same_as<std::string>;
  { stream.write_some(from, token, place) } -> std::same_as<std::size_t>;
  { stream.write_all(from, token, place) } -> std::same_as<void>;
  { stream.write_gathered(parts, token, place) } -> std::same_as<void>;
  { stream.set_line_limit(limit) } -> std::same_as<void>;
  { stream.close() }
  noexcept->std::same_as<void>;
  { known.is_open() }
  noexcept->std::same_as<bool>;
};

}  // namespace weft
