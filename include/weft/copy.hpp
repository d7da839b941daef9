#pragma once

#include "weft/detail/abi.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "weft/byte_stream.hpp"
#include "weft/file.hpp"
#include "weft/function.hpp"
#include "weft/stream.hpp"
#include "weft/tcp.hpp"

namespace weft {

namespace detail {

/// The loop of every copy(): `From` and `To` may also be handles.
template <class From, class To>
std::uint64_t copy_pieces(From& from, To& to, Function<void(std::uint64_t)> progress, Token token,
                          Place place) {
  constexpr std::size_t piece = std::size_t{64} * 1024;
  const auto buffer = std::make_unique<std::array<std::byte, piece>>();
  std::uint64_t all = 0;
  while (const std::size_t n = from.read_some(*buffer, token, place)) {
    to.write_all(ConstBytes{buffer->data(), n}, token, place);
    all += n;
    if (progress) progress(all);
  }
  return all;
}

/// A ByteStream that is no Stream, such as TlsStream.
template <class S>
concept OtherByteStream = ByteStream<S> && !std::derived_from<S, Stream>;

}  // namespace detail

/// Suspends until everything of `from`, up to its end, is written to `to`; returns the number of
/// bytes. Does not end or close `to`. `progress`, if given, is called after each piece with the
/// number of bytes so far.
std::uint64_t copy(Stream& from, Stream& to, Token token = {}, Place place = Place::here());
std::uint64_t copy(Stream& from, Stream& to, Function<void(std::uint64_t)> progress,
                   Token token = {}, Place place = Place::here());
/// The same from the current position of a file, without copying the bytes through the program.
std::uint64_t copy(File& from, TcpStream& to, Token token = {}, Place place = Place::here());

/// The same for any other two of which one is no Stream. Neither may be moved meanwhile.
template <ByteStream From, ByteStream To>
requires detail::OtherByteStream<From> || detail::OtherByteStream<To> std::uint64_t copy(
    From& from, To& to, Function<void(std::uint64_t)> progress, Token token = {},
    Place place = Place::here()) {
  return detail::copy_pieces(from, to, std::move(progress), token, place);
}
template <ByteStream From, ByteStream To>
requires detail::OtherByteStream<From> || detail::OtherByteStream<To> std::uint64_t copy(
    From& from, To& to, Token token = {}, Place place = Place::here()) {
  return detail::copy_pieces(from, to, {}, token, place);
}

}  // namespace weft
