#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

#include <uv.h>

#include "base/current.hpp"
#include "base/probe.hpp"
#include "base/real_calls.hpp"
#include "base/system_calls.hpp"
#include "io/adopt_or_close.hpp"
#include "io/file_status.hpp"
#include "io/io_error.hpp"
#include "io/io_native.hpp"
#include "io/no_pipe_signal.hpp"
#include "reactor/reactor.hpp"
#include "weft/error.hpp"
#include "weft/extend/io_request.hpp"

// The part of a request that a worker thread does: for files.
namespace weft {
namespace {

void make_blocking(int descriptor) noexcept {
  real_calls.fcntl(descriptor, F_SETFL, real_calls.fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
}

}  // namespace

int IoRequest::Native::start(IoRequest& request) {
  const auto back = [](uv_fs_t* done) { static_cast<IoRequest*>(done->data)->back_from_worker(); };
  uv_loop_t& loop = reactor->loop();
  const int file = request.io_ ? request.io_->native_ : -1;
  fs.data = &request;
  buffers.clear();
  switch (request.kind_) {
    case Kind::read:
    case Kind::multishot: {
      request.parts_.resize(1);
      std::string& memory = request.parts_.front();
      memory.resize(request.size_);
      buffers.push_back(uv_buf_init(memory.data(), static_cast<unsigned>(memory.size())));
      return uv_fs_read(&loop, &fs, file, buffers.data(), 1, request.offset_, back);
    }
    case Kind::write:
    case Kind::forget:
      for (std::size_t i = 0; i < request.rest_.count(); ++i) {
        const ConstBytes part = request.rest_[i];
        auto* const memory = const_cast<char*>(reinterpret_cast<const char*>(part.data()));
        buffers.push_back(uv_buf_init(memory, static_cast<unsigned>(part.size())));
      }
      return uv_fs_write(&loop, &fs, file, buffers.data(), static_cast<unsigned>(buffers.size()),
                         request.offset_, back);
    case Kind::flush:
      return uv_fs_fsync(&loop, &fs, file, back);
    case Kind::stat:
      return uv_fs_fstat(&loop, &fs, file, back);
    case Kind::transfer:
      return start_transfer(request);
    case Kind::open:
      return uv_fs_open(&loop, &fs, request.parts_.front().c_str(), request.flags_,
                        static_cast<int>(request.mode_), back);
  }
  return UV_EINVAL;
}

int IoRequest::Native::start_transfer(IoRequest& request) {
  work.data = &request;
  offset = request.offset_ + request.transferred_;
  size = request.size_ - static_cast<std::size_t>(request.transferred_);
  return uv_queue_work(
      &reactor->loop(), &work,
      [](uv_work_t* done) { static_cast<IoRequest*>(done->data)->move_piece(); },
      [](uv_work_t* done, int cancelled) {
        auto* const self = static_cast<IoRequest*>(done->data);
        self->native_->fs.result =
            static_cast<ssize_t>(cancelled != 0 ? cancelled : self->native_->moved);
        self->back_from_worker();
      });
}

void IoRequest::submit() {
  Reactor* const reactor = current_thread.reactor;
  if (reactor == nullptr) throw MisuseError{"Files can only be used inside weft::run()"};
  const bool writes = kind_ == Kind::write || kind_ == Kind::forget;
  if (writes && rest_.is_empty()) return complete(transferred_, nullptr);
  if (!native_) native_ = std::make_unique<Native>();
  native_->reactor = reactor;
  if (const int status = native_->start(*this); status < 0) {
    if (kind_ != Kind::transfer) uv_fs_req_cleanup(&native_->fs);
    return fail(-status);
  }
  at_worker_ = true;
  if (io_) io_->worker_begins();
  if (target_) target_->worker_begins();
  reactor->hold_time();
}

/// Runs on the worker: sends as much as the socket takes now. If sendfile() cannot send this file,
/// reads and writes it instead.
void IoRequest::move_piece() noexcept {
  NoPipeSignal no_signal;
  const int from = io_->native_;
  const int to = target_->native_;
  const off_t offset = native_->offset;
  const std::size_t size = native_->size;
  ssize_t moved = send_file(to, from, offset, size);
  if (moved < 0 && (errno == EINVAL || errno == ENOSYS)) {
    char piece[16 * 1024];
    moved = ::pread(from, piece, std::min(size, sizeof piece), offset);
    if (moved > 0) moved = target_->write_now(piece, static_cast<std::size_t>(moved));
  }
  native_->moved = moved < 0 ? -errno : moved;
  if (native_->moved == -EPIPE) no_signal.came();
}

void IoRequest::back_from_worker() noexcept {
  const std::int64_t result = native_->fs.result;
  if (kind_ == Kind::stat && result == 0) status_ = file_status(native_->fs.statbuf);
  if (kind_ != Kind::transfer) uv_fs_req_cleanup(&native_->fs);
  native_->reactor->release_time();
  native_->reactor->delivered();
  at_worker_ = false;
  const Ref<Io> keep = io_;
  const Ref<Io> target = target_;
  if (keep) keep->worker_ends();
  if (target) target->worker_ends();
  if (abandoned_ || is_completed()) {
    WEFT_PROBE("a worker came back to a request that was dropped");
    if (kind_ == Kind::open && result >= 0) real_calls.close(static_cast<int>(result));
    if (for_caller_ && result > 0 && abandoned_ && (keep->state_ & Io::closed) == 0) {
      keep->hold(std::string_view{parts_.front()}.substr(0, static_cast<std::size_t>(result)));
    }
    hand_back();
    if (abandoned_) Event::dispose();
    return;
  }
  const Ref<IoRequest> alive{this};
  try {
    take_result(result);
  } catch (...) {
    complete(-1, std::current_exception());
  }
}

void IoRequest::take_result(std::int64_t result) {
  if (result == UV_EINTR) return submit();
  if (kind_ == Kind::transfer && result == UV_EAGAIN) return wait_for(*target_, Poll::writable);
  if (result < 0) return fail(static_cast<int>(-result));
  switch (kind_) {
    case Kind::read:
    case Kind::multishot:
      if (result == 0) io_->state_ |= Io::end_of_file;
      return complete(result, nullptr);
    case Kind::write:
    case Kind::forget:
      transferred_ += result;
      rest_.skip(static_cast<std::size_t>(result));
      return submit();
    case Kind::transfer:
      transferred_ += result;
      if (result == 0 || static_cast<std::size_t>(transferred_) >= size_) {
        return complete(transferred_, nullptr);
      }
      return submit();
    case Kind::open: {
      const auto file = static_cast<int>(result);
      io_ = adopt_or_close(file);
      if (io_->type() == Io::Type::file)
        make_blocking(file);  // for devices, which respect the flag
      io_->set_name(std::string{io_->kind_name()} + " " + parts_.front());
      break;
    }
    case Kind::flush:
    case Kind::stat:
      break;
  }
  complete(0, nullptr);
}

}  // namespace weft
