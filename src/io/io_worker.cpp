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

void IoRequest::submit() {
  Reactor* const reactor = current_thread.reactor;
  if (reactor == nullptr) throw MisuseError{"Files can only be used inside weft::run()"};
  uv_loop_t& loop = reactor->loop();
  if (!native_) native_ = std::make_unique<Native>();
  native_->fs.data = this;
  native_->reactor = reactor;
  const auto back = [](uv_fs_t* fs) { static_cast<IoRequest*>(fs->data)->back_from_worker(); };
  std::vector<uv_buf_t>& buffers = native_->buffers;
  buffers.clear();
  uv_fs_t* const fs = &native_->fs;
  const int file = io_ ? io_->native_ : -1;
  int status = 0;
  switch (kind_) {
    case Kind::read:
    case Kind::multishot:
      parts_.resize(1);
      parts_.front().resize(size_);
      buffers.push_back(uv_buf_init(parts_.front().data(), static_cast<unsigned>(size_)));
      status = uv_fs_read(&loop, fs, file, buffers.data(), 1, offset_, back);
      break;
    case Kind::write:
    case Kind::forget:
      if (rest_.is_empty()) return complete(transferred_, nullptr);
      for (std::size_t i = 0; i < rest_.count(); ++i) {
        const ConstBytes part = rest_[i];
        auto* const memory = const_cast<char*>(reinterpret_cast<const char*>(part.data()));
        buffers.push_back(uv_buf_init(memory, static_cast<unsigned>(part.size())));
      }
      status = uv_fs_write(&loop, fs, file, buffers.data(), static_cast<unsigned>(buffers.size()),
                           offset_, back);
      break;
    case Kind::flush:
      status = uv_fs_fsync(&loop, fs, file, back);
      break;
    case Kind::stat:
      status = uv_fs_fstat(&loop, fs, file, back);
      break;
    case Kind::transfer:
      native_->work.data = this;
      native_->offset = offset_ + transferred_;
      native_->size = size_ - static_cast<std::size_t>(transferred_);
      status = uv_queue_work(
          &loop, &native_->work,
          [](uv_work_t* work) { static_cast<IoRequest*>(work->data)->move_piece(); },
          [](uv_work_t* work, int cancelled) {
            auto* const request = static_cast<IoRequest*>(work->data);
            request->native_->fs.result =
                static_cast<ssize_t>(cancelled != 0 ? cancelled : request->native_->moved);
            request->back_from_worker();
          });
      break;
    case Kind::open:
      status = uv_fs_open(&loop, fs, parts_.front().c_str(), flags_, static_cast<int>(mode_), back);
      break;
  }
  if (status < 0) {
    if (kind_ != Kind::transfer) uv_fs_req_cleanup(fs);
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
