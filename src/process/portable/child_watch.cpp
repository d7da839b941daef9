#include "process/child_watch.hpp"

#include <cerrno>
#include <csignal>
#include <mutex>
#include <sys/wait.h>
#include <thread>

#include <uv.h>

#include "process/process_table.hpp"
#include "reactor/reactor.hpp"
#include "reactor/uv_handle.hpp"

namespace weft {

/// Shared by a watch and its thread, which cannot be interrupted: the last one frees it.
class ChildWakeup {
 public:
  explicit ChildWakeup(uv_async_t* wakeup) noexcept : wakeup_{wakeup} {}
  /// On the thread, once.
  void send() noexcept {
    leave([this] {
      if (wakeup_ != nullptr) uv_async_send(wakeup_);
    });
  }
  /// On the loop's thread, once: the handle is closed.
  void detach() noexcept {
    leave([this] { wakeup_ = nullptr; });
  }

 private:
  template <class F>
  void leave(F last_act) noexcept {
    bool is_last = false;
    {
      const std::lock_guard lock{mutex_};
      last_act();
      is_last = --owners_ == 0;
    }
    if (is_last) delete this;
  }

  std::mutex mutex_;
  uv_async_t* wakeup_;
  int owners_ = 2;
};

namespace {

/// Waits until the child has ended, or is no child of this process. Leaves its status uncollected.
void await_end_of(int pid) noexcept {
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
}

/// Signals of the process are for its other threads.
class AllSignalsBlocked {
 public:
  AllSignalsBlocked() noexcept {
    sigset_t all{};
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~AllSignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  AllSignalsBlocked(const AllSignalsBlocked&) = delete;
  AllSignalsBlocked& operator=(const AllSignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

/// A thread that waits for the child, in place of the signal.
class ChildWatch::Native {
 public:
  Native(Reactor& reactor, int pid) : reactor_{reactor}, pid_{pid} {
    async_.open(
        [&](uv_async_t* handle) {
          handle->data = this;
          return uv_async_init(&reactor.loop(), handle, [](uv_async_t* rung) {
            const auto* const watch = static_cast<Native*>(rung->data);
            ProcessTable::of(watch->reactor_).check(watch->pid_);  // may end the watch
          });
        },
        "watch a child");
    auto wakeup = std::make_unique<ChildWakeup>(async_.get());
    const AllSignalsBlocked blocked;  // the thread inherits it
    std::thread{[shared = wakeup.get(), pid] {
      await_end_of(pid);
      shared->send();
    }}.detach();
    wakeup_ = wakeup.release();
  }
  ~Native() {
    if (reactor_.is_forgotten()) {  // the loop is the parent's, and the thread is not in the child
      async_.forget();
    } else {
      wakeup_->detach();
    }
  }
  Native(const Native&) = delete;
  Native& operator=(const Native&) = delete;

 private:
  Reactor& reactor_;
  int pid_;
  UvHandle<uv_async_t> async_;
  ChildWakeup* wakeup_ = nullptr;
};

ChildWatch::ChildWatch() noexcept = default;
ChildWatch::~ChildWatch() = default;

bool ChildWatch::begin(Reactor& reactor, int pid) {
  if (is_child_signal_blocked()) native_ = std::make_unique<Native>(reactor, pid);
  return true;
}

void ChildWatch::end() noexcept { native_.reset(); }

}  // namespace weft
