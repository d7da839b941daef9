#pragma once

#include <cstdint>

#include "weft/file.hpp"
#include "weft/function.hpp"
#include "weft/stream.hpp"
#include "weft/tcp.hpp"

namespace weft {

/// Suspends until everything of `from`, up to its end, is written to `to`; returns the number of
/// bytes. Does not end or close `to`. `progress`, if given, is called after each piece with the
/// number of bytes so far.
std::uint64_t copy(Stream& from, Stream& to, Token token = {}, Place place = Place::here());
std::uint64_t copy(Stream& from, Stream& to, Function<void(std::uint64_t)> progress,
                   Token token = {}, Place place = Place::here());
/// The same from the current position of a file, without copying the bytes through the program.
std::uint64_t copy(File& from, TcpStream& to, Token token = {}, Place place = Place::here());

}  // namespace weft
