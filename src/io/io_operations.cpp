#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

#include "io/io_attempt.hpp"
#include "io/io_error.hpp"
#include "weft/error.hpp"
#include "weft/extend/io.hpp"
#include "weft/extend/io_request.hpp"

// The operations of a handle that return a request.
namespace weft {

Ref<IoRequest> Io::read(std::size_t most) {
  check(readable, "read from");
  Ref<IoRequest> request = IoRequest::make(this, IoRequest::Kind::read);
  request->size_ = std::min(most, max_write);
  // A read of 0 bytes would look like the end.
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
    throw MisuseError{"read_multishot() does not work on files: read them in a loop"};
  }
  if (most == 0) throw ValueError{"read_multishot() needs chunks of at least 1 byte"};
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
    if (size > 0) request->memory_.emplace_back(part.data(), size);
    room -= size;
  }
  request->rest_ = detail::UnwrittenParts{request->memory_};
  request->begin();
  return request;
}

void Io::write_and_forget(ConstBytes data, Function<void()> done) {
  Ref<IoRequest> request;
  try {
    check(writable, "write to");
    if (data.size() > max_write) {
      throw ValueError{"A write without a waiter carries at most 0x7ffff000 bytes"};
    }
    request = IoRequest::make(this, IoRequest::Kind::forget);
    request->memory_.push_back(data);
    request->rest_ = detail::UnwrittenParts{request->memory_};
  } catch (...) {
    if (done) done();
    throw;
  }
  request->done_ = std::move(done);
  static_cast<void>(Ref<IoRequest>{request}.detach());  // it refers to itself until it is completed
  try {
    request->begin();
    if (request->is_completed()) return;
    request->set_hidden(true);
    request->start();  // armed, so that the end of the runtime ends it
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
  // A named pipe would block the worker until its other end is opened; a terminal may, too.
  request->flags_ = flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  request->mode_ = mode;
  request->begin();
  return request;
}

std::int64_t Io::seek(std::int64_t offset, int whence, Token token, Place place) {
  return attempt("seek in", "File::seek()", [&]() -> std::int64_t {
    check(0, "seek in");
    const detail::StreamLockGuard guard{writing_, token, place};
    const off_t position = ::lseek(native_, offset, whence);
    if (position < 0) fail(errno, "seek in");
    reader_.held().clear();
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

}  // namespace weft
