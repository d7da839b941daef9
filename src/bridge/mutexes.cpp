#include <cerrno>
#include <cstdint>
#include <dlfcn.h>
#include <optional>
#include <pthread.h>
#include <sstream>
#include <string>

#include "base/warning.hpp"
#include "bridge/held_locks.hpp"
#include "bridge/hooks.hpp"
#include "bridge/install.hpp"
#include "bridge/thread_state.hpp"
#include "bridge/wait.hpp"
#include "scheduler/shield.hpp"

// A library may hold a lock of the thread while it waits: another coroutine of the thread would
// block it for ever in pthread_mutex_lock(), or enter a recursive mutex a second time. With
// Options::detect_locks the hooks of this file note which coroutine holds what, report such a wait,
// and let the other coroutines wait for the holder.
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

void warn_of_contention(HeldLocks& held_locks, const HeldLocks::Held& held, const char* function,
                        const void* place) noexcept {
  if (!held_locks.is_first_report(place, HeldLocks::Finding::wants_it)) return;
  try {
    warn(name_of(current_thread.scheduler->current()) + " wants " + held.what + ", with " +
         function + "() in " + name_of_place(place) + ", that " + name_of_coroutine(held.holder) +
         " of the same thread holds while it waits, locked in " + name_of_place(held.place) +
         ": it waits until that is free. Without detect_locks it would block the thread for ever");
  } catch (...) {  // no memory for the text
  }
}

/// The table of this thread; what was held before the bridge was installed again is not known.
HeldLocks& locks_here() noexcept {
  ThreadState& state = ThreadState::here();
  const unsigned now = installations();
  if (state.mutexes_of != now) {
    state.mutexes = {};
    state.mutexes_of = now;
  }
  return state.mutexes;
}

/// One call that locks, in a coroutine. Such calls cannot fail, so a cancellation does not end
/// them.
class Locking {
 public:
  Locking(const char* function, const void* lock, const char* what, const void* place) noexcept
      : function_{function}, lock_{lock}, what_{what}, place_{place}, locks_{locks_here()} {}
  ~Locking() { errno = error_; }
  Locking(const Locking&) = delete;
  Locking& operator=(const Locking&) = delete;

  /// While another coroutine holds the lock, suspends between tries: `attempt()` returns EBUSY
  /// until it has locked. Returns what it does; nothing if the lock is not held, or if the
  /// coroutine cannot suspend, so that the real call has to wait.
  template <class Try>
  std::optional<int> run_while_held(Try attempt) {
    std::optional<Shield> shield;
    std::optional<GrowingDelay> delay;
    while (const HeldLocks::Held* const held = holder()) {
      if (const int result = attempt(); result != EBUSY) return result;
      if (!delay) {
        warn_of_contention(locks_, *held, function_, place_);
        shield.emplace();
        delay.emplace(function_, -1, never, Restart::if_wanted);
      }
      const Ended ended = delay->wait();
      if (ended != Ended::ready && ended != Ended::interrupted) break;
    }
    return std::nullopt;
  }
  /// run_while_held(), or else `wait()`, which locks and may block the thread.
  template <class Try, class Wait>
  int run(Try attempt, Wait wait) {
    if (const std::optional<int> result = run_while_held(attempt)) return *result;
    const int result = wait();
    if (result == 0) note();
    return result;
  }
  /// The coroutine other than the current one that holds the lock; null if there is none.
  [[nodiscard]] const HeldLocks::Held* holder() const noexcept {
    return locks_.of_others(lock_, my_id());
  }
  /// The current coroutine holds it now.
  void note() noexcept { locks_.add({lock_, my_id(), place_, what_}); }
  void forget() noexcept { locks_.remove(lock_); }

 private:
  const char* function_;
  const void* lock_;
  const char* what_;
  const void* place_;
  HeldLocks& locks_;
  int error_ = errno;
};

void forget(const void* lock) noexcept {
  ThreadState* const state = ThreadState::if_made();
  if (state != nullptr && !state->mutexes.empty()) state->mutexes.remove(lock);
}

// Mutexes.

/// Of a recursive one the system only says that this thread holds it.
bool is_recursive(const pthread_mutex_t* mutex) noexcept {
  return (mutex->__data.__kind & 3) == PTHREAD_MUTEX_RECURSIVE_NP;
}

/// Tries to lock `mutex` for the current coroutine. EBUSY: it is held, perhaps by another coroutine
/// of this thread. An object that is not patched may have unlocked it: what the mutex itself says
/// counts.
int try_lock(Locking& locking, pthread_mutex_t* mutex) noexcept {
  const bool is_held = locking.holder() != nullptr;
  if (is_held && is_recursive(mutex)) return EBUSY;
  const int result = real.mutex_trylock(mutex);
  if (result != 0) return result;
  if (is_held) locking.forget();
  locking.note();
  return 0;
}

int hooked_mutex_lock(pthread_mutex_t* mutex) {
  if (!may_suspend()) return real.mutex_lock(mutex);
  Locking locking{"pthread_mutex_lock", mutex, "a mutex", __builtin_return_address(0)};
  return locking.run([&] { return try_lock(locking, mutex); },
                     [&] { return real.mutex_lock(mutex); });
}

int hooked_mutex_trylock(pthread_mutex_t* mutex) {
  if (!may_suspend()) return real.mutex_trylock(mutex);
  Locking locking{"pthread_mutex_trylock", mutex, "a mutex", __builtin_return_address(0)};
  return try_lock(locking, mutex);
}

int hooked_mutex_unlock(pthread_mutex_t* mutex) {
  forget(mutex);
  return real.mutex_unlock(mutex);
}

// Locks of readers and writers.

int hooked_read_lock(pthread_rwlock_t* lock) {
  if (!may_suspend()) return real.read_lock(lock);
  Locking locking{"pthread_rwlock_rdlock", lock, "a read-write lock", __builtin_return_address(0)};
  const auto attempt = [&] {
    const int result = real.try_read_lock(lock);
    if (result == 0) locking.note();
    return result;
  };
  return locking.run(attempt, [&] { return real.read_lock(lock); });
}

int hooked_write_lock(pthread_rwlock_t* lock) {
  if (!may_suspend()) return real.write_lock(lock);
  Locking locking{"pthread_rwlock_wrlock", lock, "a read-write lock", __builtin_return_address(0)};
  const auto attempt = [&] {
    const int result = real.try_write_lock(lock);
    if (result == 0) locking.note();
    return result;
  };
  return locking.run(attempt, [&] { return real.write_lock(lock); });
}

int hooked_try_read_lock(pthread_rwlock_t* lock) {
  const int result = real.try_read_lock(lock);
  if (result == 0 && may_suspend()) {
    Locking{"pthread_rwlock_tryrdlock", lock, "a read-write lock", __builtin_return_address(0)}
        .note();
  }
  return result;
}

int hooked_try_write_lock(pthread_rwlock_t* lock) {
  const int result = real.try_write_lock(lock);
  if (result == 0 && may_suspend()) {
    Locking{"pthread_rwlock_trywrlock", lock, "a read-write lock", __builtin_return_address(0)}
        .note();
  }
  return result;
}

int hooked_read_write_unlock(pthread_rwlock_t* lock) {
  forget(lock);
  return real.read_write_unlock(lock);
}

// Initialisations that are done once.

/// The routine may throw.
int hooked_once(pthread_once_t* control, void (*routine)()) {
  if (!may_suspend()) return real.once(control, routine);
  Locking locking{"pthread_once", control, "an initialisation", __builtin_return_address(0)};
  static_cast<void>(locking.run_while_held([] { return EBUSY; }));
  struct Forget {
    Locking& locking;
    ~Forget() { locking.forget(); }
  } const when_done{locking};
  locking.note();
  return real.once(control, routine);
}

/// Guard of a function-local static: returns 1 if the caller must initialise it.
int hooked_guard_acquire(std::int64_t* guard) {
  if (!may_suspend()) return real.guard_acquire(guard);
  Locking locking{"__cxa_guard_acquire", guard, "a variable that is being initialised",
                  __builtin_return_address(0)};
  static_cast<void>(locking.run_while_held([] { return EBUSY; }));
  const int is_mine = real.guard_acquire(guard);
  if (is_mine != 0) locking.note();
  return is_mine;
}

void hooked_guard_release(std::int64_t* guard) {
  forget(guard);
  real.guard_release(guard);
}

void hooked_guard_abort(std::int64_t* guard) {
  forget(guard);
  real.guard_abort(guard);
}

}  // namespace

void warn_of_held_mutexes(HeldLocks& held, const char* function) noexcept {
  const HeldLocks::Held* const mine = held.first_of(my_id());
  if (mine == nullptr) return;
  if (!held.is_first_report(mine->place, HeldLocks::Finding::waits_with_it)) return;
  try {
    warn(name_of(current_thread.scheduler->current()) + " waits in " + function + "() and holds " +
         mine->what + ", locked in " + name_of_place(mine->place) +
         ": other coroutines of the thread that want it wait for the whole call");
  } catch (...) {  // no memory for the text
  }
}

void add_mutexes(Hooks& hooks) {
  const auto add = [&hooks](const char* name, auto* replacement, auto*& behind) {
    hooks.push_back(hook(name, replacement, behind, locks_family));
  };
  add("pthread_mutex_lock", &hooked_mutex_lock, real.mutex_lock);
  add("pthread_mutex_trylock", &hooked_mutex_trylock, real.mutex_trylock);
  add("pthread_mutex_unlock", &hooked_mutex_unlock, real.mutex_unlock);
  add("pthread_rwlock_rdlock", &hooked_read_lock, real.read_lock);
  add("pthread_rwlock_wrlock", &hooked_write_lock, real.write_lock);
  add("pthread_rwlock_tryrdlock", &hooked_try_read_lock, real.try_read_lock);
  add("pthread_rwlock_trywrlock", &hooked_try_write_lock, real.try_write_lock);
  add("pthread_rwlock_unlock", &hooked_read_write_unlock, real.read_write_unlock);
  add("pthread_once", &hooked_once, real.once);
  add("__cxa_guard_acquire", &hooked_guard_acquire, real.guard_acquire);
  add("__cxa_guard_release", &hooked_guard_release, real.guard_release);
  add("__cxa_guard_abort", &hooked_guard_abort, real.guard_abort);
}

}  // namespace weft::bridge
