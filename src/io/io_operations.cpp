#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include "io/io_attempt.hpp"
#include "io/io_error.hpp"
#include "io/io_wait.hpp"
#include "wait/await_as.hpp"
#include "weft/error.hpp"
#include "weft/extend/io.hpp"
#include "weft/extend/io_request.hpp"

// The operations of a handle that return a request.
namespace weft {

Ref<IoRequest> Io::read(std::size_t most) {
  check(readable, "read from");
  Ref<IoRequest> request = IoRequest::make(this, IoRequest::Kind::read);
  request->size_ = std::min(most, max_write);
  // A read of nothing looks like the end to the system.
  if (most == 0 || (is_at_end() && buffered() == 0)) {
    request->complete(0, nullptr);
  } else {
    request->begin();
  }
  return request;
}

Ref<IoRequest> Io::read_multishot(std::size_t most) {
  check(readable, "read from");
  if (type_ == Type::file) {
    throw MisuseError{"A file is read piece by piece: it has no chunks that come by themselves"};
  }
  if (most == 0) throw ValueError{"Chunks of no bytes never end"};
  Ref<IoRequest> request = IoRequest::make(this, IoRequest::Kind::multishot);
  request->size_ = std::min(most, max_write);
  if (is_at_end() && buffered() == 0) {
    request->complete(0, nullptr);
  } else {
    request->begin();
  }
  return request;
}

Ref<IoRequest> Io::write(std::string data) {
  std::vector<std::string> parts;
  parts.push_back(std::move(data));
  return write(std::move(parts));
}

Ref<IoRequest> Io::write(std::vector<std::string> parts) {
  check(writable, "write to");
  Ref<IoRequest> request = IoRequest::make(this, IoRequest::Kind::write);
  request->parts_ = std::move(parts);
  std::size_t room = max_write;
  for (const std::string& part : request->parts_) {
    const std::size_t size = std::min(part.size(), room);
    if (size > 0) request->rest_.emplace_back(part.data(), size);
    room -= size;
  }
  request->begin();
  return request;
}

void Io::write_and_forget(ConstBytes data, Function<void()> done) {
  Ref<IoRequest> request;
  try {
    check(writable, "write to");
    if (data.size() > max_write) {
      throw ValueError{"A write that nobody waits for carries at most 0x7ffff000 bytes"};
    }
    request = IoRequest::make(this, IoRequest::Kind::forget);
    if (data.size() > 0) request->rest_.push_back(data);
  } catch (...) {
    if (done) done();
    throw;
  }
  request->done_ = std::move(done);
  static_cast<void>(Ref<IoRequest>{request}.detach());  // its own, until it is completed
  try {
    request->begin();
    if (request->is_completed()) return;
    request->set_hidden(true);
    request->start();  // in the loop, and so told when that ends
  } catch (...) {
    request->release();
    throw;
  }
}

Ref<IoRequest> Io::flush() {
  check(0, "flush");
  Ref<IoRequest> request = IoRequest::make(this, IoRequest::Kind::flush);
  if (type_ == Type::file) {
    request->begin();
  } else {
    request->complete(0, nullptr);
  }
  return request;
}

Ref<IoRequest> Io::stat() {
  check(0, "stat");
  Ref<IoRequest> request = IoRequest::make(this, IoRequest::Kind::stat);
  request->begin();
  return request;
}

Ref<IoRequest> Io::send_file(Io& to, std::int64_t offset, std::size_t length) {
  check(readable, "send from");
  to.check(writable, "write to");
  Ref<IoRequest> request = IoRequest::make(this, IoRequest::Kind::transfer);
  request->target_ = Ref<Io>{&to};
  request->offset_ = offset;
  request->size_ = length;
  request->holds_source_ = true;
  worker_begins();
  if (length == 0) {
    request->complete(0, nullptr);
  } else {
    request->begin();
  }
  return request;
}

Ref<IoRequest> Io::open(std::string_view path, int flags, unsigned mode) {
  if (path.find('\0') != std::string_view::npos) {
    throw_io_error(EINVAL, "open " + std::string{path.substr(0, path.find('\0'))} +
                               "...: a path cannot contain NUL");
  }
  Ref<IoRequest> request = IoRequest::make(nullptr, IoRequest::Kind::open);
  request->parts_.emplace_back(path);
  // A named pipe would block the worker until somebody opens its other end, and so a terminal.
  request->flags_ = flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  request->mode_ = mode;
  request->begin();
  return request;
}

std::int64_t Io::seek(std::int64_t offset, int whence, Token token, Place place) {
  return attempt("seek in", [&]() -> std::int64_t {
    check(0, "seek in");
    const detail::Turn turn{writing_, token, place};
    const off_t position = ::lseek(native_, offset, whence);
    if (position < 0) fail(errno, "seek in");
    held_.clear();
    state_ &= ~unsigned{end_of_file};
    return position;
  });
}

std::int64_t Io::position() const {
  check(0, "tell the position in");
  const off_t position = ::lseek(native_, 0, SEEK_CUR);
  if (position < 0) fail(errno, "tell the position in");
  return position - static_cast<off_t>(buffered());
}

/// Reads from the file itself, whatever is held. If it throws while a worker reads, that one gives
/// `turn` back; what it read stays to be read.
Ref<IoRequest> Io::read_beyond_held(std::size_t most, detail::Turn& turn, Token token,
                                    Place place) {
  state_ &= ~unsigned{end_of_file};  // it may have grown
  Ref<IoRequest> request = IoRequest::make(this, IoRequest::Kind::read);
  request->size_ = most;
  request->for_caller_ = true;
  request->begin();
  try {
    if (!request->is_completed()) await_as("Reading from a file", *request, token, place);
    if (request->error() != nullptr) std::rethrow_exception(request->error());
  } catch (...) {
    request->caller_leaves(turn);
    throw;
  }
  return request;
}

std::size_t Io::read_file(Bytes to, detail::Turn& turn, Token token, Place place) {
  const Ref<IoRequest> request =
      read_beyond_held(std::min(to.size(), file_chunk), turn, token, place);
  const std::string_view data = request->data();
  if (!data.empty()) std::memcpy(to.data(), data.data(), data.size());
  return data.size();
}

std::size_t Io::read_file_into_held(std::size_t size, detail::Turn& turn, Token token,
                                    Place place) {
  const Ref<IoRequest> request = read_beyond_held(std::max(size, file_chunk), turn, token, place);
  held_.append(request->data());
  return request->data().size();
}

/// The memory of the caller may go while a worker writes: it gets a copy.
std::size_t Io::write_file(ConstBytes from, Token token, Place place) {
  const std::size_t size = std::min(from.size(), max_write);
  const Ref<IoRequest> request =
      write(std::string{reinterpret_cast<const char*>(from.data()), size});
  if (!request->is_completed()) await_as("Writing to a file", *request, token, place);
  if (request->error() != nullptr) std::rethrow_exception(request->error());
  return static_cast<std::size_t>(request->transferred());
}

/// All parts in one request, so that nothing comes in between; more than fits in one needs several.
void Io::write_file(std::span<const ConstBytes> parts, Token token, Place place) {
  std::vector<std::string> copies;
  copies.reserve(parts.size());
  std::size_t size = 0;
  for (const ConstBytes& part : parts) {
    size += part.size();
    copies.emplace_back(reinterpret_cast<const char*>(part.data()), part.size());
  }
  if (size > max_write) {
    for (const ConstBytes& part : parts) write_all(part, token, place);
    return;
  }
  const Ref<IoRequest> request = write(std::move(copies));
  if (!request->is_completed()) await_as("Writing to a file", *request, token, place);
  if (request->error() != nullptr) std::rethrow_exception(request->error());
}

}  // namespace weft
