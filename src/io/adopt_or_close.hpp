#pragma once

#include <string_view>
#include <unistd.h>
#include <utility>

#include "base/real_calls.hpp"
#include "weft/extend/io.hpp"

namespace weft {

/// Io::adopt() of a descriptor that was just made; closes it if that fails.
template <class... Args>
[[nodiscard]] Ref<Io> adopt_or_close(int descriptor, Args... args) {
  try {
    return Io::adopt(descriptor, args...);
  } catch (...) {
    real_calls.close(descriptor);
    throw;
  }
}

/// Io::adopt() of a descriptor from which `read_ahead` was read before. If it throws, the caller
/// still owns the descriptor.
template <class... Args>
[[nodiscard]] Ref<Io> adopt_with(std::string_view read_ahead, int descriptor, Args... args) {
  Ref<Io> io = Io::adopt(descriptor, args...);
  if (read_ahead.empty()) return io;
  try {
    io->put_back(read_ahead);
  } catch (...) {
    static_cast<void>(io->give_away());
    throw;
  }
  return io;
}

/// Io::adopt() of the two ends of a pipe or a socket pair. If it throws, both are closed.
template <class Kind>
[[nodiscard]] std::pair<Kind, Kind> adopt_both(const int (&both)[2], unsigned first,
                                               unsigned second) {
  Ref<Io> one;
  try {
    one = adopt_or_close(both[0], Io::Type::pipe, first);
  } catch (...) {
    real_calls.close(both[1]);
    throw;
  }
  return {Kind{std::move(one)}, Kind{adopt_or_close(both[1], Io::Type::pipe, second)}};
}

}  // namespace weft
