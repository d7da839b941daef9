#include "bridge/thread_state.hpp"

#include <atomic>
#include <cstdint>
#include <new>
#include <pthread.h>

namespace weft::bridge {

constinit thread_local ThreadState* ThreadState::mine_ = nullptr;

void ThreadState::end(void* ended) noexcept {
  auto* const state = static_cast<ThreadState*>(ended);
  if (!state->waits.empty() || state->direct != 0) return;  // in use for good: it stays
  mine_ = nullptr;
  delete state;
}

namespace {

/// A static variable of a function would call hooks, which need the state.
pthread_key_t key_of_threads(void (*end)(void*)) noexcept {
  static constinit std::atomic<std::uint64_t> made{0};  // one more than the key
  std::uint64_t known = made.load(std::memory_order_acquire);
  if (known != 0) return static_cast<pthread_key_t>(known - 1);
  pthread_key_t mine{};
  ::pthread_key_create(&mine, end);
  if (made.compare_exchange_strong(known, std::uint64_t{mine} + 1)) return mine;
  ::pthread_key_delete(mine);
  return static_cast<pthread_key_t>(known - 1);
}

}  // namespace

/// A pthread key, not a thread_local object, because destructors of thread_locals and exit()
/// handlers make hooked calls as well. Keys end later, and never on the main thread. A call that
/// comes even later makes a new state, and the key ends again.
ThreadState& ThreadState::make() noexcept {
  mine_ = new ThreadState;  // a thread without it cannot go on: ends the program
  ::pthread_setspecific(key_of_threads(&ThreadState::end), mine_);
  return *mine_;
}

}  // namespace weft::bridge
