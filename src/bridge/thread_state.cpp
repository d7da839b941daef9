#include "bridge/thread_state.hpp"

#include <new>
#include <pthread.h>

namespace weft::bridge {

constinit thread_local ThreadState* ThreadState::mine_ = nullptr;

void ThreadState::end(void* ended) noexcept {
  auto* const state = static_cast<ThreadState*>(ended);
  if (state->first != nullptr || state->direct != 0) return;  // in use for good: it stays
  mine_ = nullptr;
  delete state;
}

/// A key of threads, and no thread-local object: the destructors of such objects, and handlers of
/// exit(), make calls too. They come before the end of the key, which the main thread does not
/// reach. A call that comes even later makes a new state, and the key ends again.
ThreadState& ThreadState::make() noexcept {
  static const pthread_key_t key = [] {
    pthread_key_t made{};
    ::pthread_key_create(&made, &ThreadState::end);
    return made;
  }();
  mine_ = new ThreadState;  // a thread without it cannot go on: ends the program
  ::pthread_setspecific(key, mine_);
  return *mine_;
}

}  // namespace weft::bridge
