#pragma once

#include <cstddef>
#include <string>

#include "weft/bytes.hpp"
#include "weft/detail/held_bytes.hpp"
#include "weft/detail/stream_lock.hpp"
#include "weft/extend/io.hpp"
#include "weft/extend/io_request.hpp"
#include "weft/place.hpp"
#include "weft/ref.hpp"
#include "weft/token.hpp"

namespace weft {

/// A handle during one read that suspends: the ByteSource of its BufferedReader. Owns the lock of
/// reads while it lives.
class Io::Reading {
 public:
  /// Suspends until it owns the lock of reads.
  Reading(Io& io, Token token, Place place)
      : io_{io}, guard_{io.reading(), token, place}, token_{token}, place_{place} {}

  std::size_t fetch(Bytes to);
  /// Suspends until at least one byte is appended to `held` or the end has come; does not change
  /// `held` before.
  std::size_t fetch_more(detail::HeldBytes& held, std::size_t size);
  [[nodiscard]] std::string name() const { return io_.name(); }

 private:
  std::size_t fetch_from_file(Bytes to);
  std::size_t fetch_more_from_file(detail::HeldBytes& held, std::size_t size);
  Ref<IoRequest> read_file(std::size_t most);

  Io& io_;
  detail::StreamLockGuard guard_;
  Token token_;
  Place place_;
};

}  // namespace weft
