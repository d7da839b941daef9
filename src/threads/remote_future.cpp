#include "weft/remote_future.hpp"

#include "base/current.hpp"
#include "base/probe.hpp"
#include "threads/runtime_thread_state.hpp"
#include "weft/error.hpp"

namespace weft::detail {

RemoteBox::~RemoteBox() = default;

void RemoteBox::bind_writer() {
  const std::thread::id me = std::this_thread::get_id();
  const std::lock_guard lock{mutex_};
  if (away_ == std::thread::id{}) {
    if (me != home_) away_ = me;
  } else if (me != away_) {
    throw MisuseError{"FutureState cannot be transferred to multiple threads"};
  }
}

void RemoteBox::begin_write() {
  bind_writer();
  const std::lock_guard lock{mutex_};
  if (written_) throw MisuseError{"Future is already completed"};
  written_ = true;
}

void RemoteBox::undo_write() noexcept {
  const std::lock_guard lock{mutex_};
  written_ = false;
}

void RemoteBox::publish() noexcept {
  Function<void()> forgotten;  // destroyed outside the lock
  const std::lock_guard lock{mutex_};
  published_ = true;
  forgotten = std::move(on_cancel_);
  if (trigger_ != nullptr) trigger_->fire();
}

void RemoteBox::publish_error(std::exception_ptr failure) noexcept {
  error = std::move(failure);
  publish();
}

void RemoteBox::abandon() noexcept {
  {
    const std::lock_guard lock{mutex_};
    if (written_) return;
    written_ = true;
  }
  std::exception_ptr broken;
  try {
    broken = std::make_exception_ptr(
        BrokenPromise{"The promise was dropped without completing its future"});
  } catch (...) {
    broken = std::current_exception();
  }
  publish_error(std::move(broken));
}

void RemoteBox::on_cancel(Function<void()> handler) {
  bind_writer();
  {
    const std::lock_guard lock{mutex_};
    if (published_) return;
    if (!cancel_requested_.load()) {
      std::swap(on_cancel_, handler);
      return;
    }
  }
  handler();
}

void RemoteBox::attach(Trigger* trigger) noexcept {
  const std::lock_guard lock{mutex_};
  trigger_ = trigger;
  if (published_ && trigger_ != nullptr) trigger_->fire();
}

bool RemoteBox::is_published() const noexcept {
  const std::lock_guard lock{mutex_};
  return published_;
}

void RemoteBox::request_cancel() noexcept {
  Function<void()> handler;
  {
    const std::lock_guard lock{mutex_};
    if (published_ || cancel_requested_.exchange(true)) return;
    handler = std::move(on_cancel_);
  }
  WEFT_PROBE("cancellation asked for across threads");
  if (handler) handler();
}

RemoteTrigger::RemoteTrigger(Callback& arrival) : trigger_{make_ref<Trigger>()}, arrival_{arrival} {
  trigger_->add_callback(arrival_);
  trigger_->set_hidden(true);
  // Armed here, the trigger delivers the outcome before any wait; without a loop, the first wait
  // does.
  if (current_thread.reactor != nullptr) trigger_->start();
}

RemoteTrigger::~RemoteTrigger() { close(); }

void RemoteTrigger::close() noexcept {
  trigger_->close();
  trigger_->remove_callback(arrival_);
}

void RemoteTrigger::add_waiter() {
  awaited_ = true;
  if (waiters_++ > 0 || trigger_->is_closed()) return;
  trigger_->set_hidden(false);
  try {
    if (!trigger_->is_armed()) trigger_->start();
  } catch (...) {
    trigger_->set_hidden(true);
    --waiters_;
    throw;
  }
}

void RemoteTrigger::drop_waiter() noexcept {
  if (--waiters_ == 0) trigger_->set_hidden(true);
}

std::string remote_info(RemoteKind kind, const Origin& origin, bool completed) {
  if (kind == RemoteKind::thread) return origin.describe("thread", {}, "spawned");
  if (kind == RemoteKind::task) return "ThreadPoolTask";
  return completed ? "RemoteFuture(completed)" : "RemoteFuture(pending)";
}

std::string describe_remote(RemoteKind kind, const Origin& origin, bool completed) {
  const char* const details = completed ? "completed" : "";
  if (kind == RemoteKind::thread) return origin.describe("thread", details, "spawned");
  if (kind == RemoteKind::task) return origin.describe("ThreadPoolTask", details, "submitted");
  return origin.describe("RemoteFuture", details);
}

void keep_with_runtime(Event& event) { RuntimeThreadState::here().keep(event); }

void forget_with_runtime(Event& event) noexcept {
  if (RuntimeThreadState* state = RuntimeThreadState::find()) state->forget(event);
}

}  // namespace weft::detail
