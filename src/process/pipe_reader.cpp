#include "process/pipe_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <sys/ioctl.h>

#include "base/real_calls.hpp"
#include "reactor/reactor.hpp"

namespace weft {

PipeReader::PipeReader(Reactor& reactor, PipeEnd end, Receiver& receiver)
    : end_{std::move(end)}, receiver_{receiver} {
  poll_.open(
      [&](uv_poll_t* handle) {
        handle->data = this;
        return uv_poll_init(&reactor.loop(), handle, end_.get());
      },
      "watch the output of a child");
  uv_poll_start(poll_.get(), UV_READABLE, &on_readable);
}

void PipeReader::close() noexcept {
  poll_.close();  // stops watching the descriptor at once
  end_.close();
}

void PipeReader::pause() noexcept {
  if (paused_ || poll_.get() == nullptr) return;
  paused_ = true;
  uv_poll_stop(poll_.get());
}

void PipeReader::resume() noexcept {
  if (!paused_ || poll_.get() == nullptr) return;
  paused_ = false;
  uv_poll_start(poll_.get(), UV_READABLE, &on_readable);
}

void PipeReader::on_readable(uv_poll_t* handle, int /*status*/, int /*events*/) {
  // The read reports an error, too.
  static_cast<PipeReader*>(handle->data)->read_some();
}

void PipeReader::read_some() noexcept {
  const std::size_t size = take(buffer_.data(), buffer_.size());
  if (size > 0) receiver_.received(*this, buffer_.data(), size);
}

std::size_t PipeReader::take(char* rest, std::size_t size) noexcept {
  while (end_.is_open()) {
    const ssize_t got = real_calls.read(end_.get(), rest, size);
    if (got > 0) return static_cast<std::size_t>(got);
    if (got < 0 && errno == EINTR) continue;
    if (got == 0 || errno != EAGAIN) close();
    break;
  }
  return 0;
}

std::size_t PipeReader::available() const noexcept {
  int bytes = 0;
  if (!end_.is_open() || real_calls.ioctl(end_.get(), FIONREAD, &bytes) != 0) return 0;
  return static_cast<std::size_t>(std::max(bytes, 0));
}

}  // namespace weft
