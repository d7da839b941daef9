#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <string_view>

#include "weft/bytes.hpp"
#include "weft/extend/io_request.hpp"
#include "weft/file.hpp"
#include "weft/place.hpp"
#include "weft/ref.hpp"
#include "weft/token.hpp"

namespace weft {

/// Writes a file in many small pieces: collects them, and gives a worker thread a large one at a
/// time, while the next is collected. For logs, reports, exports. A movable owner of the file.
///
///     weft::FileWriter report = weft::FileWriter::create("report.csv");
///     for (const Row& row : rows) report.write(row.text());
///     report.close();
///
/// The first error of a write is thrown by the next operation, and by every one after it.
class FileWriter {
 public:
  static constexpr std::size_t usual_size = std::size_t{64} * 1024;

  /// Collects `size` bytes before they are written.
  explicit FileWriter(File file, std::size_t size = usual_size) noexcept;
  /// Suspends until the file is open: a new one, or an old one emptied. Throws std::system_error
  /// naming the path.
  [[nodiscard]] static FileWriter create(std::string_view path, unsigned permissions = 0666,
                                         Token token = {}, Place place = Place::here());
  /// Suspends until the file is open: what is written comes behind what is in it.
  [[nodiscard]] static FileWriter append(std::string_view path, unsigned permissions = 0666,
                                         Token token = {}, Place place = Place::here());

  FileWriter(FileWriter&& other) noexcept;
  FileWriter& operator=(FileWriter&&) = delete;
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;
  /// Suspends until what was collected is written, shielded from cancellation. What could not be
  /// written is a warning: call close() to have it as an error.
  ~FileWriter();

  /// Suspends if so much is collected that it must be written, and the piece before is not yet.
  /// `data` is taken whole, whatever is thrown: a cancelled call is not to be repeated. Several
  /// coroutines may write; their pieces do not mix.
  void write(ConstBytes data, Token token = {}, Place place = Place::here());
  /// Suspends until everything is in the file. If it is cancelled, that goes on nevertheless;
  /// nothing is lost or written twice. file().flush() then brings it to the disk.
  void flush(Token token = {}, Place place = Place::here());
  /// Suspends until everything is in the file, then closes it. If it throws Cancelled or TimedOut
  /// the file is still open.
  void close(Token token = {}, Place place = Place::here());

  /// How many bytes are collected and not yet with a worker.
  [[nodiscard]] std::size_t buffered() const noexcept { return buffer_.size(); }
  /// What is underneath. Flush before you use its position.
  [[nodiscard]] File& file() noexcept { return file_; }

 private:
  [[nodiscard]] bool is_done() const noexcept { return buffer_.empty() && !pending_; }
  void check() const;
  void await_pending(Token token, Place place);
  void give_to_worker();
  void tell_unwritten(const char* why) noexcept;
  [[nodiscard]] std::size_t unwritten() const noexcept;

  File file_;
  std::size_t size_;
  std::string buffer_;
  Ref<IoRequest> pending_;       // the piece that a worker has
  std::size_t with_worker_ = 0;  // its size
  std::exception_ptr error_;     // for good: what is in the file is not known any more
};

}  // namespace weft
