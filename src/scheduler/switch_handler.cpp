#include "scheduler/switch_handler.hpp"

#include "base/current.hpp"
#include "base/warning.hpp"
#include "scheduler/scheduler.hpp"
#include "scheduler/thread_memory.hpp"
#include "weft/coroutine.hpp"
#include "weft/error.hpp"

namespace weft {
namespace {

bool contains(const std::vector<Ref<SwitchHandler>>& handlers, const SwitchHandler& handler) {
  for (const Ref<SwitchHandler>& present : handlers) {
    if (present->same_pair(handler)) return true;
  }
  return false;
}

}  // namespace

bool SwitchHandlers::add(Ref<SwitchHandler> handler) {
  if (running_) {
    warn("a switch handler cannot be added while the switch handlers of its coroutine run");
    return false;
  }
  if (contains(handlers_, *handler)) return false;
  handlers_.push_back(std::move(handler));
  return true;
}

void SwitchHandlers::run(CoroutineBase& coroutine, Switch what) noexcept {
  running_ = true;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < handlers_.size(); ++i) {
    bool keep = true;
    try {
      keep = handlers_[i]->call(coroutine, what);
    } catch (...) {
      leave_pending(std::current_exception());
    }
    if (keep) {
      if (kept != i) handlers_[kept] = std::move(handlers_[i]);
      ++kept;
    }
  }
  handlers_.erase(handlers_.begin() + static_cast<std::ptrdiff_t>(kept), handlers_.end());
  running_ = false;
}

void on_main_start(Function<bool(CoroutineBase&, Switch)> handler) {
  ThreadMemory::of_thread().main_start.push_back(make_ref<SwitchHandler>(std::move(handler)));
}

bool on_main_start(bool (*handler)(CoroutineBase&, Switch, void*), void* data) {
  auto made = make_ref<SwitchHandler>(handler, data);
  std::vector<Ref<SwitchHandler>>& list = ThreadMemory::of_thread().main_start;
  if (contains(list, *made)) return false;
  list.push_back(std::move(made));
  return true;
}

void clear_main_start() noexcept {
  if (current_thread.memory != nullptr) current_thread.memory->main_start.clear();
}

bool add_switch_handler(Function<bool(CoroutineBase&, Switch)> handler) {
  Scheduler* scheduler = current_thread.scheduler;
  if (scheduler == nullptr) {
    on_main_start(std::move(handler));
    return true;
  }
  if (!scheduler->has_current()) {
    throw MisuseError{"The operation cannot be executed in the scheduler context"};
  }
  return scheduler->current().add_switch_handler(std::move(handler));
}

}  // namespace weft
