#pragma once

#include "weft/detail/abi.hpp"

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

/// Writes a file in many small pieces: buffers them, and hands each full buffer to a worker thread
/// while the next one fills. For logs, reports, exports. A movable owner of the file.
///
///     weft::FileWriter report = weft::FileWriter::create("report.csv");
///     for (const Row& row : rows) report.write(row.text());
///     report.close();
///
/// The first error of a write is thrown by the next operation, and by every one after it.
class FileWriter {
 public:
  /// The size of the buffer, unless the constructor is given another.
  static constexpr std::size_t usual_size = std::size_t{64} * 1024;

  /// Buffers `size` bytes before they are written.
  explicit FileWriter(File file, std::size_t size = usual_size) noexcept;
  /// Suspends until the file is open: created, or truncated if it exists. Throws std::system_error
  /// naming the path.
  [[nodiscard]] static FileWriter create(std::string_view path, unsigned permissions = 0666,
                                         Token token = {}, Place place = Place::here());
  /// Suspends until the file is open: write() appends to its contents.
  [[nodiscard]] static FileWriter append(std::string_view path, unsigned permissions = 0666,
                                         Token token = {}, Place place = Place::here());

  FileWriter(FileWriter&& other) noexcept;
  FileWriter& operator=(FileWriter&&) = delete;
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;
  /// Suspends until the buffer is written, shielded from cancellation. If that fails it only warns:
  /// call close() to get the error.
  ~FileWriter();

  /// Suspends if the buffer is full and the previous one is not written yet. `data` is buffered
  /// whole even if write() throws: do not repeat a cancelled call. Several coroutines may write;
  /// their pieces do not mix. Throws MisuseError after close().
  void write(ConstBytes data, Token token = {}, Place place = Place::here());
  /// Suspends until everything is in the file. If flush() is cancelled, the worker goes on; nothing
  /// is lost or written twice. file().flush() then syncs it to the disk.
  void flush(Token token = {}, Place place = Place::here());
  /// Suspends until everything is in the file, then closes it. If close() throws Cancelled or
  /// TimedOut, the file is still open.
  void close(Token token = {}, Place place = Place::here());

  /// How many bytes are buffered and not yet handed to a worker.
  [[nodiscard]] std::size_t buffered() const noexcept { return buffer_.size(); }
  /// The file underneath. Call flush() before you use its position.
  [[nodiscard]] File& file() noexcept { return file_; }

 private:
  [[nodiscard]] bool is_done() const noexcept { return buffer_.empty() && !pending_; }
  void check() const;
  void await_pending(const char* call, Token token, Place place);
  void write_rest(const char* call, Token token, Place place);
  void give_to_worker();
  void warn_of_unwritten(const char* why) noexcept;
  [[nodiscard]] std::size_t unwritten() const noexcept;

  File file_;
  std::size_t size_;
  std::string buffer_;
  Ref<IoRequest> pending_;       // the buffer that a worker is writing
  std::size_t with_worker_ = 0;  // its size
  std::exception_ptr error_;     // kept for good: after a failed write the contents are unknown
};

}  // namespace weft
