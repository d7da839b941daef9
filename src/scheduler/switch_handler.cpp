#include "scheduler/switch_handler.hpp"

#include <pthread.h>

#include "base/current.hpp"
#include "base/warning.hpp"
#include "scheduler/scheduler.hpp"
#include "weft/coroutine.hpp"

namespace weft {
namespace {

bool contains(const std::vector<Ref<SwitchHandler>>& handlers, const SwitchHandler& handler) {
  for (const Ref<SwitchHandler>& present : handlers) {
    if (present->same_pair(handler)) return true;
  }
  return false;
}

// Frees the list of a thread that ends. The thread-local itself has no destructor, so that using it
// stays free.
void free_list(void* list) { delete static_cast<MainStartList*>(list); }

void free_with_thread(MainStartList* list) {
  static const pthread_key_t key = [] {
    pthread_key_t made{};
    ::pthread_key_create(&made, &free_list);
    return made;
  }();
  ::pthread_setspecific(key, list);
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

MainStartList& MainStartList::of_thread() {
  if (current_thread.main_start == nullptr) {
    current_thread.main_start = new MainStartList;
    free_with_thread(current_thread.main_start);
  }
  return *current_thread.main_start;
}

bool MainStartList::add(Ref<SwitchHandler> handler) {
  if (contains(handlers_, *handler)) return false;
  handlers_.push_back(std::move(handler));
  return true;
}

void MainStartList::copy_into(CoroutineBase& main) const {
  for (const Ref<SwitchHandler>& handler : handlers_) Scheduler::add_handler(main, handler);
}

void on_main_start(Function<bool(CoroutineBase&, Switch)> handler) {
  MainStartList::of_thread().add(make_ref<SwitchHandler>(std::move(handler)));
}

bool on_main_start(bool (*handler)(CoroutineBase&, Switch, void*), void* data) {
  return MainStartList::of_thread().add(make_ref<SwitchHandler>(handler, data));
}

void clear_main_start() noexcept {
  if (current_thread.main_start == nullptr) return;
  delete std::exchange(current_thread.main_start, nullptr);
  free_with_thread(nullptr);
}

bool add_switch_handler(Function<bool(CoroutineBase&, Switch)> handler) {
  Scheduler* scheduler = current_thread.scheduler;
  if (scheduler == nullptr) {
    on_main_start(std::move(handler));
    return true;
  }
  return scheduler->current().add_switch_handler(std::move(handler));
}

}  // namespace weft
