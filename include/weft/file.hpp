#pragma once

#include "weft/detail/abi.hpp"

#include <cstdint>
#include <string_view>

#include "weft/file_status.hpp"
#include "weft/stream.hpp"

namespace weft {

/// An open file. Worker threads read and write it, one operation after the other; a cancelled read
/// may have moved the position. The end of a file is not final: it may grow.
class File : public Stream {
 public:
  /// How a file is opened: to `read`, to `write`, and the rest below.
  enum Mode : unsigned {
    read = 1,
    write = 2,
    create = 4,     ///< create the file if it does not exist
    append = 8,     ///< every write goes to the end
    truncate = 16,  ///< empty the file first
    exclusive = 32  ///< with create: throw if the file exists
  };
  /// What an offset of seek() counts from: the `start`, the position (`here`) or the `end`.
  enum class From : std::uint8_t { start, here, end };

  File() noexcept = default;
  /// The file of an Io that is open.
  explicit File(Ref<Io> io) noexcept : Stream{std::move(io)} {}

  /// Suspends until `path` is open. `mode` is a bitwise or of Mode values; append and truncate
  /// include write. Throws std::system_error naming the path. `permissions` are for a new file.
  [[nodiscard]] static File open(std::string_view path, unsigned mode = read,
                                 unsigned permissions = 0666, Token token = {},
                                 Place place = Place::here());
  /// Takes over a descriptor; reads and writes begin at its position.
  [[nodiscard]] static File adopt(int descriptor);

  /// Suspends until earlier operations are done; returns the new position.
  std::int64_t seek(std::int64_t offset, From from = From::start, Token token = {},
                    Place place = Place::here());
  /// Where the next read begins.
  [[nodiscard]] std::int64_t position() const { return io().position(); }
  /// Suspends until all written data is on the disk.
  void flush(Token token = {}, Place place = Place::here());
  /// Suspends until the status of the file is known.
  [[nodiscard]] FileStatus status(Token token = {}, Place place = Place::here());
  /// Suspends until the size of the file is known.
  [[nodiscard]] std::uint64_t size(Token token = {}, Place place = Place::here()) {
    return status(token, place).size;
  }
};

}  // namespace weft
