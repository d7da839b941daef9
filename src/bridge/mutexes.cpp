#include <cerrno>
#include <dlfcn.h>
#include <pthread.h>
#include <sstream>
#include <string>

#include "base/warning.hpp"
#include "bridge/held_mutexes.hpp"
#include "bridge/hooks.hpp"
#include "bridge/install.hpp"
#include "bridge/thread_state.hpp"
#include "bridge/wait.hpp"
#include "scheduler/shield.hpp"

// A library that waits while it holds a mutex of the thread: the other coroutines of the thread
// would block it for ever in pthread_mutex_lock(), or enter a recursive mutex a second time. With
// Options::detect_locks the bridge knows who holds what: it reports such a wait, and lets the other
// coroutines wait for the holder.
namespace weft::bridge {
namespace {

/// "libfoo.so, fetch()+0x1c", as far as it is known.
std::string name_of_place(const void* place) {
  std::ostringstream text;
  Dl_info info{};
  if (::dladdr(place, &info) == 0) {
    text << place;
    return text.str();
  }
  const std::string path = info.dli_fname != nullptr ? info.dli_fname : "";
  const auto* const from =
      static_cast<const char*>(info.dli_saddr != nullptr ? info.dli_saddr : info.dli_fbase);
  text << path.substr(path.find_last_of('/') + 1) << ", ";
  if (info.dli_sname != nullptr) text << info.dli_sname;
  text << "+0x" << std::hex << static_cast<const char*>(place) - from;
  return text.str();
}

/// Of the coroutine with this id, which may have ended.
std::string name_of_coroutine(std::uint64_t id) {
  const Scheduler& scheduler = *current_thread.scheduler;
  for (const CoroutineBase* c = scheduler.registry().first(); c != nullptr;
       c = Scheduler::next_registered(*c)) {
    if (c->id() == id) return name_of(*c);
  }
  return "coroutine " + std::to_string(id) + ", which has ended";
}

std::uint64_t my_id() noexcept { return current_thread.scheduler->current().id(); }

void warn_of_contention(HeldMutexes& mutexes, const HeldMutexes::Held& held,
                        const void* place) noexcept {
  if (!mutexes.is_new(place, HeldMutexes::Finding::wants_it)) return;
  try {
    warn(name_of(current_thread.scheduler->current()) + " wants a mutex, in " +
         name_of_place(place) + ", that " + name_of_coroutine(held.holder) +
         " of the same thread holds while it waits, locked in " + name_of_place(held.place) +
         ": it waits until the mutex is free. Without detect_locks it would block the thread for "
         "ever");
  } catch (...) {  // no memory for the text
  }
}

/// Of a recursive one the system only says that this thread holds it.
bool is_recursive(const pthread_mutex_t* mutex) noexcept {
  return (mutex->__data.__kind & 3) == PTHREAD_MUTEX_RECURSIVE_NP;
}

/// Tries to lock `mutex` for the current coroutine. EBUSY: it is held, perhaps by another coroutine
/// of this thread. An object that is not patched may have unlocked it: what the mutex itself says
/// counts.
int try_lock(HeldMutexes& mutexes, pthread_mutex_t* mutex, const void* place) noexcept {
  const bool is_held = mutexes.of_others(mutex, my_id()) != nullptr;
  if (is_held && is_recursive(mutex)) return EBUSY;
  const int result = real.mutex_trylock(mutex);
  if (result != 0) return result;
  if (is_held) mutexes.remove(mutex);
  mutexes.add({mutex, my_id(), place});
  return 0;
}

/// The table of this thread; what was held before the bridge was installed again is not known.
HeldMutexes& mutexes_here() noexcept {
  ThreadState& state = ThreadState::here();
  const unsigned now = installations();
  if (state.mutexes_of != now) {
    state.mutexes = {};
    state.mutexes_of = now;
  }
  return state.mutexes;
}

/// Such a call cannot fail, so a cancellation does not end it.
int hooked_mutex_lock(pthread_mutex_t* mutex) {
  if (!may_suspend()) return real.mutex_lock(mutex);
  const void* const place = __builtin_return_address(0);
  const int error = errno;
  HeldMutexes& mutexes = mutexes_here();
  if (const HeldMutexes::Held* const held = mutexes.of_others(mutex, my_id())) {
    warn_of_contention(mutexes, *held, place);
    const Shield shield;
    GrowingDelay delay{"pthread_mutex_lock", never, Restart::if_wanted};
    while (mutexes.of_others(mutex, my_id()) != nullptr) {
      if (const int result = try_lock(mutexes, mutex, place); result != EBUSY) {
        errno = error;
        return result;
      }
      const Ended ended = delay.wait();
      if (ended != Ended::ready && ended != Ended::interrupted) break;  // then the thread waits
    }
  }
  const int result = real.mutex_lock(mutex);
  if (result == 0) mutexes.add({mutex, my_id(), place});
  errno = error;
  return result;
}

int hooked_mutex_trylock(pthread_mutex_t* mutex) {
  if (!may_suspend()) return real.mutex_trylock(mutex);
  return try_lock(mutexes_here(), mutex, __builtin_return_address(0));
}

int hooked_mutex_unlock(pthread_mutex_t* mutex) {
  ThreadState* const state = ThreadState::if_made();
  if (state != nullptr && !state->mutexes.empty()) state->mutexes.remove(mutex);
  return real.mutex_unlock(mutex);
}

}  // namespace

void warn_of_held_mutexes(HeldMutexes& held, const char* function) noexcept {
  const HeldMutexes::Held* const mine = held.first_of(my_id());
  if (mine == nullptr || !held.is_new(mine->place, HeldMutexes::Finding::waits_with_it)) return;
  try {
    warn(name_of(current_thread.scheduler->current()) + " waits in " + function +
         "() and holds a mutex, locked in " + name_of_place(mine->place) +
         ": other coroutines of the thread that want it wait for the whole call");
  } catch (...) {  // no memory for the text
  }
}

void add_mutexes(Hooks& hooks) {
  hooks.push_back(hook("pthread_mutex_lock", &hooked_mutex_lock, real.mutex_lock, mutexes_family));
  hooks.push_back(
      hook("pthread_mutex_trylock", &hooked_mutex_trylock, real.mutex_trylock, mutexes_family));
  hooks.push_back(
      hook("pthread_mutex_unlock", &hooked_mutex_unlock, real.mutex_unlock, mutexes_family));
}

}  // namespace weft::bridge
