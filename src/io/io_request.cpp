#include "weft/extend/io_request.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <unistd.h>

#include "base/current.hpp"
#include "event/callback_phase.hpp"
#include "io/descriptor_wait.hpp"
#include "io/io_error.hpp"
#include "io/io_native.hpp"
#include "reactor/descriptor.hpp"
#include "reactor/reactor.hpp"
#include "weft/error.hpp"

namespace weft {

IoRequest::IoRequest(Ref<Io> io, Kind kind) noexcept : io_{std::move(io)}, kind_{kind} {}

Ref<IoRequest> IoRequest::make(Io* io, Kind kind) {
  auto* const made = new IoRequest{Ref<Io>{io}, kind};
  made->free_with_last_reference();
  return Ref<IoRequest>::adopt(made);
}

IoRequest::~IoRequest() {
  stop_waiting();
  hand_back();
}

/// The last reference was dropped. A request that a worker uses is freed when the worker is done.
void IoRequest::dispose() noexcept {
  stop_all();
  if (!at_worker_) {
    Event::dispose();
    return;
  }
  abandoned_ = true;
  stop_waiting();
  if (kind_ == Kind::transfer) {
    uv_cancel(reinterpret_cast<uv_req_t*>(&native_->work));
  } else {
    uv_cancel(reinterpret_cast<uv_req_t*>(&native_->fs));
  }
}

bool IoRequest::replay(Outcome& outcome) const {
  if (!is_closed()) return false;
  outcome = Outcome{error_};
  return true;
}

std::string IoRequest::info() const {
  return std::string{"IoRequest("} + operation_name() + (io_ ? " " + io_->info() : std::string{}) +
         ")";
}

std::string IoRequest::describe() const { return std::string{operation_name()} + " " + object(); }

std::string IoRequest::object() const { return kind_ == Kind::open ? parts_.front() : io_->name(); }

const char* IoRequest::operation_name() const noexcept {
  switch (kind_) {
    case Kind::read:
    case Kind::multishot:
      return "read from";
    case Kind::write:
    case Kind::forget:
      return "write to";
    case Kind::flush:
      return "flush";
    case Kind::stat:
      return "stat";
    case Kind::transfer:
      return "send from";
    case Kind::open:
      break;
  }
  return "open";
}

std::string_view IoRequest::data() const noexcept {
  if ((kind_ != Kind::read && kind_ != Kind::multishot) || transferred_ <= 0) return {};
  return std::string_view{parts_.front()}.substr(0, static_cast<std::size_t>(transferred_));
}

detail::StreamLock& IoRequest::stream_lock() const noexcept {
  Io& io = locked_io();
  const bool reads = kind_ == Kind::read || kind_ == Kind::multishot;
  return reads ? io.reading() : io.writing_;
}

void IoRequest::begin() {
  if (kind_ != Kind::open) {
    locked_io().requests_.push_front(*this);
    if (for_caller_) return go_on();
    if (stream_lock().is_locked()) {
      lock_wait_ = std::make_unique<QueuedWaiter>(*this);
      stream_lock().lock_or_queue(*lock_wait_);
      return;
    }
    stream_lock().lock({}, Place::here());
    mark_locked();
  }
  go_on();
}

void IoRequest::mark_locked() noexcept {
  has_lock_ = true;
  if (kind_ == Kind::multishot) stream_lock().keep();
}

void IoRequest::leave_list() noexcept {
  if (list_links_.is_listed()) detail::SlimList<IoRequest>::remove(*this);
}

void IoRequest::QueuedWaiter::notify_others(const std::exception_ptr& error) noexcept {
  if (error == nullptr)
    request_.on_lock_granted();  // with an error the handle was closed: the request is completed
}

void IoRequest::on_lock_granted() noexcept {
  if (is_completed() || abandoned_) return;
  const CallbackPhase phase;
  const Ref<IoRequest> keep{this};
  mark_locked();
  go_on();
}

void IoRequest::descriptor_is_ready() noexcept {
  if (is_completed() || abandoned_) return;
  const CallbackPhase phase;
  const Ref<IoRequest> keep{this};
  go_on();
}

void IoRequest::arm(Reactor& reactor) {
  if (kind_ == Kind::multishot && has_lock_ && !is_completed()) go_on();
  if (kind_ == Kind::forget && done_) {
    background_op_of_ = &reactor;
    reactor.background_op_begins();
  }
}

void IoRequest::disarm(Reactor& /*reactor*/) noexcept {
  if (kind_ == Kind::multishot && wait_) wait_->end();
  // write_and_forget() has no owner, so the end of the runtime completes it.
  if (kind_ == Kind::forget && list_links_.is_listed()) complete(-1, stream_was_closed());
}

void IoRequest::go_on() noexcept {
  try {
    try_go_on();
  } catch (...) {
    complete(-1, std::current_exception());
  }
}

void IoRequest::try_go_on() {
  const bool by_worker = kind_ == Kind::open || kind_ == Kind::transfer || kind_ == Kind::flush ||
                         kind_ == Kind::stat || io_->type() == Io::Type::file;
  const bool reads = kind_ == Kind::read || kind_ == Kind::multishot;
  const bool from_held = reads && !for_caller_ && io_->buffered() > 0;
  const bool writes = kind_ == Kind::write || kind_ == Kind::forget;
  if (writes && io_->type() == Io::Type::file) io_->unread();
  if (by_worker && !from_held) return submit();
  if (reads) return read_chunk();
  write_on();
}

void IoRequest::wait_for(Io& io, unsigned way) {
  if (!wait_) wait_ = std::make_unique<DescriptorWait>(*this, io);
  wait_->begin(io.watched(), way);
}

void IoRequest::read_chunk() {
  Io& io = *io_;
  // A multishot read goes on only while a coroutine waits for it.
  while (kind_ == Kind::read || (is_armed() && !is_completed())) {
    parts_.resize(1);
    parts_.front().resize(size_);
    const Bytes to{parts_.front().data(), size_};
    const std::int64_t n = io.reader_.try_read_some(to, [&](Bytes into) -> std::int64_t {
      if (io.is_at_end()) return 0;
      const bool is_ready = io.watched_ && io.watched_->is_ready(Poll::readable);
      return is_ready ? io.try_read(into) : -1;
    });
    if (n < 0) return wait_for(io, Poll::readable);
    const bool ends = n == 0 && io.is_at_end();  // an empty datagram is not the end
    if (kind_ == Kind::read || ends) return complete(n, nullptr);
    transferred_ = n;
    notify(Outcome::of(transferred_));
    if (is_armed() && !is_completed() && io.buffered() == 0) return wait_for(io, Poll::readable);
  }
}

void IoRequest::write_on() {
  while (!rest_.is_empty()) {
    const std::int64_t n = io_->try_write(rest_);
    if (n < 0) return wait_for(*io_, Poll::writable);
    transferred_ += n;
  }
  complete(transferred_, nullptr);
}

void IoRequest::fail(int error) noexcept {
  try {
    throw_io_error(error, describe());
  } catch (...) {  // the error, or std::bad_alloc if there is no memory for it
    complete(-1, std::current_exception());
  }
}

void IoRequest::complete(std::int64_t transferred, std::exception_ptr error) noexcept {
  if (is_completed()) return;
  const Ref<Io> keep = io_;
  const Ref<Io> target = target_;
  transferred_ = transferred;
  error_ = std::move(error);
  stop_waiting();
  // Notifies before it unlocks the stream, so that requests complete in their order.
  detail::StreamLock* const held = has_lock_ && !at_worker_ ? &stream_lock() : nullptr;
  if (held != nullptr) has_lock_ = false;
  give_memory_back();
  const Ref<IoRequest> forgotten = kind_ == Kind::forget ? Ref<IoRequest>::adopt(this) : nullptr;
  notify_and_close(Outcome{error_});
  if (held != nullptr) held->unlock();
  if (keep && keep->subscribers() > 0) keep->notify();
}

void IoRequest::stop_waiting() noexcept {
  leave_list();
  if (std::exchange(holds_source_, false)) io_->worker_ends();
  if (lock_wait_) lock_wait_->leave();
  if (wait_) wait_->end();
}

/// Calls `done_` exactly once, whether the write succeeded or not.
void IoRequest::give_memory_back() noexcept {
  if (!done_ || at_worker_) return;
  if (background_op_of_ != nullptr) std::exchange(background_op_of_, nullptr)->background_op_ends();
  try {
    std::exchange(done_, Function<void()>{})();
  } catch (...) {
    leave_pending(std::current_exception());
  }
}

void IoRequest::hand_back() noexcept {
  give_memory_back();
  if (!has_lock_) return;
  has_lock_ = false;
  const Ref<Io> keep = io_;
  const Ref<Io> target = target_;
  stream_lock().unlock();
}

/// The call that made this request ends early. A worker that has the request keeps the lock until
/// it is done.
void IoRequest::detach_caller(detail::StreamLockGuard& guard) noexcept {
  if (at_worker_) {
    has_lock_ = true;
    guard.release();
  } else {
    io_->hold(data());
  }
}

void IoRequest::on_io_closed(const std::exception_ptr& error) noexcept {
  io_closed_ = true;
  complete(0, error);
}

}  // namespace weft
