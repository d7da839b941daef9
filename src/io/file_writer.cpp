#include "weft/file_writer.hpp"

#include <algorithm>
#include <utility>

#include "base/current.hpp"
#include "base/warning.hpp"
#include "io/io_wait.hpp"
#include "wait/await_as.hpp"
#include "weft/error.hpp"
#include "weft/suspend.hpp"

namespace weft {

FileWriter::FileWriter(File file, std::size_t size) noexcept
    : file_{std::move(file)}, size_{std::max<std::size_t>(size, 1)} {}

FileWriter FileWriter::create(std::string_view path, unsigned permissions, Token token,
                              Place place) {
  return FileWriter{File::open(path, File::create | File::truncate, permissions, token, place)};
}

FileWriter FileWriter::append(std::string_view path, unsigned permissions, Token token,
                              Place place) {
  return FileWriter{File::open(path, File::create | File::append, permissions, token, place)};
}

FileWriter::FileWriter(FileWriter&& other) noexcept
    : file_{std::move(other.file_)},
      size_{other.size_},
      buffer_{std::exchange(other.buffer_, {})},
      pending_{std::move(other.pending_)},
      with_worker_{std::exchange(other.with_worker_, 0)},
      error_{std::exchange(other.error_, nullptr)} {}

FileWriter::~FileWriter() {
  if (error_ != nullptr || is_done()) return;
  try {
    if (current_thread.scheduler == nullptr) throw MisuseError{"it outlived its runtime"};
    const detail::Protection protection;
    flush();
  } catch (const std::exception& error) {
    warn_of_unwritten(error.what());
  } catch (...) {
    warn_of_unwritten("it was ended");
  }
}

void FileWriter::warn_of_unwritten(const char* why) noexcept {
  try {
    const std::string name = file_.is_open() ? file_.io().name() : "a closed file";
    warn("FileWriter: " + std::to_string(unwritten()) + " bytes for " + name +
         " are not written: " + why);
  } catch (...) {  // no memory for the line
    warn("FileWriter: buffered data was not written");
  }
}

std::size_t FileWriter::unwritten() const noexcept { return buffer_.size() + with_worker_; }

void FileWriter::check() const {
  if (error_ != nullptr) std::rethrow_exception(error_);
}

/// If the wait ends early, the worker still writes, and the next call waits for it.
void FileWriter::await_pending(const char* call, Token token, Place place) {
  while (const Ref<IoRequest> request = pending_) {
    if (!request->is_completed()) {
      naming_timeouts([&] { return "write to " + file_.io().name(); },
                      [&] {
                        try {
                          await_as(call, *request, token, place);
                        } catch (const std::system_error&) {  // the error of the request
                          if (!request->is_completed()) throw;
                        }
                      });
    }
    if (pending_.get() != request.get()) continue;  // another coroutine has handled it
    if (request->error() != nullptr) error_ = request->error();
    pending_ = {};
    check();
    with_worker_ = 0;
  }
}

void FileWriter::give_to_worker() {
  std::string piece = std::exchange(buffer_, {});
  if (piece.size() > Io::max_write) {
    buffer_ = piece.substr(Io::max_write);
    piece.resize(Io::max_write);
  }
  with_worker_ = piece.size();
  try {
    pending_ = file_.io().write(std::move(piece));
  } catch (...) {
    error_ = std::current_exception();
    throw;
  }
}

void FileWriter::write(ConstBytes data, Token token, Place place) {
  check();
  if (!file_.is_open()) throw MisuseError{"This file was closed: nothing more can be written"};
  buffer_.append(reinterpret_cast<const char*>(data.data()), data.size());
  while (buffer_.size() >= size_) {
    await_pending("FileWriter::write()", token, place);
    if (buffer_.size() >= size_) give_to_worker();
  }
}

void FileWriter::flush(Token token, Place place) {
  write_rest("FileWriter::flush()", token, place);
}

/// Writes what is buffered, for the function `call` of users.
void FileWriter::write_rest(const char* call, Token token, Place place) {
  check();
  while (!is_done()) {
    await_pending(call, token, place);
    if (!buffer_.empty()) give_to_worker();
  }
}

void FileWriter::close(Token token, Place place) {
  write_rest("FileWriter::close()", token, place);
  file_.close();
}

}  // namespace weft
