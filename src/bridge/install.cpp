#include "bridge/install.hpp"

#include <atomic>
#include <dlfcn.h>
#include <link.h>
#include <memory>
#include <mutex>
#include <utility>

#include "bridge/facts.hpp"
#include "bridge/forking.hpp"
#include "bridge/hooks.hpp"
#include "bridge/objects.hpp"
#include "bridge/signals.hpp"
#include "bridge/thread_state.hpp"
#include "weft/extend/bridge_host.hpp"

namespace weft::bridge {

constinit Real real{};

namespace {

std::mutex mutex;  // guards all below
constinit std::atomic<unsigned> families{0};
constinit std::atomic<bool> installed{false};
constinit std::atomic<unsigned> installed_times{0};

struct Installation {
  Hooks hooks;
  Options options;
  unsigned families = 0;  // of objects that are patched from now on
  std::unique_ptr<Objects> objects;
};
/// Never destroyed: handlers of exit() may load libraries, or uninstall the bridge.
Installation& installation() {
  static Installation& one = *new Installation;
  return one;
}

/// Whether the address is that of a jump through a slot, which will be patched: a program that is
/// not position-independent gives it to functions of libraries whose address it takes.
bool is_jump(void* address) noexcept {
  Dl_info object;
  void* entry = nullptr;
  if (::dladdr1(address, &object, &entry, RTLD_DL_SYMENT) == 0 || entry == nullptr) return false;
  return static_cast<const ElfW(Sym)*>(entry)->st_shndx == SHN_UNDEF;
}

/// What the loader would bind a call to. A sanitizer, or what was preloaded, comes before libc.
void* find_real(const char* name) noexcept {
  void* const found = ::dlsym(RTLD_DEFAULT, name);
  return found != nullptr && !is_jump(found) ? found : ::dlsym(RTLD_NEXT, name);
}

Hooks all_hooks() {
  Hooks hooks;
  add_waiting(hooks);
  add_selecting(hooks);
  add_connecting(hooks);
  add_transfer(hooks);
  add_receiving(hooks);
  add_sending(hooks);
  add_messages(hooks);
  add_sleeping(hooks);
  add_children(hooks);
  add_commands(hooks);
  add_names(hooks);
  add_hosts(hooks);
  add_resolver(hooks);
  add_locks(hooks);
  add_signals(hooks);
  add_closing(hooks);
  add_modes(hooks);
  add_forking(hooks);
  add_loading(hooks);
  add_mutexes(hooks);
  return hooks;
}

}  // namespace

bool has_family(Family family) noexcept {
  return (families.load(std::memory_order_relaxed) & family) != 0;
}

void lock_installation() noexcept { mutex.lock(); }
void unlock_installation() noexcept { mutex.unlock(); }

unsigned installations() noexcept { return installed_times.load(std::memory_order_relaxed); }

void install(Options options) {
  const ForkableLock lock{mutex};
  Installation& mine = installation();
  watch_forks_for_bridge();
  static std::once_flag once;  // real functions, once found, are never touched again
  std::call_once(once, [] {
    for (const Hook& hook : all_hooks()) {
      if (*hook.real == nullptr) *hook.real = find_real(hook.name);
    }
  });
  if (mine.objects == nullptr) {
    mine.hooks = all_hooks();
    mine.objects = std::make_unique<Objects>(mine.hooks);
    installed_times.fetch_add(1, std::memory_order_relaxed);
    families.store(0, std::memory_order_relaxed);
    forget_numbers();  // what happened since uninstall() was not seen
  }
  mine.families = (options.families & all_families) | (options.detect_locks ? locks_family : 0U);
  families.fetch_or(mine.families, std::memory_order_relaxed);
  mine.options = std::move(options);
  installed.store(true, std::memory_order_release);
  mine.objects->patch(mine.options, mine.families);
}

void uninstall() noexcept {
  const ForkableLock lock{mutex};
  Installation& mine = installation();
  if (mine.objects == nullptr) return;
  installed.store(false, std::memory_order_release);
  mine.objects->restore();
  mine.objects.reset();
}

std::size_t rescan() {
  const ForkableLock lock{mutex};
  Installation& mine = installation();
  return mine.objects != nullptr ? mine.objects->patch(mine.options, mine.families) : 0;
}

bool is_installed() noexcept { return installed.load(std::memory_order_acquire); }

Report report() {
  const ForkableLock lock{mutex};
  const Installation& mine = installation();
  return mine.objects != nullptr ? mine.objects->report() : Report{};
}

std::size_t Report::slots() const noexcept {
  std::size_t count = 0;
  for (const Object& object : objects) count += object.calls.size();
  return count;
}

std::string Report::text() const {
  std::string text;
  for (const Object& object : objects) {
    text += object.name + ":";
    for (const std::string& call : object.calls) text += " " + call;
    text += "\n";
  }
  return text;
}

Direct::Direct() noexcept { ++ThreadState::here().direct; }
Direct::~Direct() { --ThreadState::here().direct; }

Refusal last_refusal() { return ThreadState::here().refusal; }

Host* set_host(Host* host) noexcept {
  Host* const before = std::exchange(ThreadState::here().host, host);
  watch_handlers_for_host();
  return before;
}

}  // namespace weft::bridge
