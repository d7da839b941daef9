#include "process/child_watch.hpp"

#include <cerrno>
#include <csignal>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <uv.h>

#include "process/pipe_end.hpp"
#include "process/process_table.hpp"
#include "reactor/reactor.hpp"
#include "reactor/uv_handle.hpp"

namespace weft {

/// A pidfd: a descriptor of the process, readable when it has ended.
class ChildWatch::Native {
 public:
  Native(Reactor& reactor, int pid, PipeEnd descriptor)
      : reactor_{reactor}, pid_{pid}, descriptor_{std::move(descriptor)} {
    poll_.open(
        [&](uv_poll_t* handle) {
          handle->data = this;
          return uv_poll_init(&reactor.loop(), handle, descriptor_.get());
        },
        "watch a child");
    uv_poll_start(poll_.get(), UV_READABLE, &on_end);
  }
  ~Native() {
    if (reactor_.is_forgotten()) poll_.forget();  // the kernel's part is the parent's
  }
  Native(const Native&) = delete;
  Native& operator=(const Native&) = delete;

 private:
  static void on_end(uv_poll_t* handle, int /*status*/, int /*events*/) {
    uv_poll_stop(handle);  // it stays readable
    auto* const watch = static_cast<Native*>(handle->data);
    ProcessTable::of(watch->reactor_).check(watch->pid_);  // may end the watch
  }

  Reactor& reactor_;
  int pid_;
  PipeEnd descriptor_;  // destroyed after the handle
  UvHandle<uv_poll_t> poll_;
};

ChildWatch::ChildWatch() noexcept = default;
ChildWatch::~ChildWatch() = default;

bool ChildWatch::begin(Reactor& reactor, int pid) {
  try {
    PipeEnd descriptor{static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))};
    if (!descriptor.is_open()) {
      if (errno == ESRCH) return false;
      throw std::system_error{errno, std::generic_category(), "watch a child"};
    }
    native_ = std::make_unique<Native>(reactor, pid, std::move(descriptor));
  } catch (const std::system_error&) {  // an old kernel, or no descriptor left
    if (is_child_signal_blocked()) throw;
  }
  return true;
}

void ChildWatch::end() noexcept { native_.reset(); }

}  // namespace weft
