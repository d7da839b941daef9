#include "scheduler/thread_memory.hpp"

#include <pthread.h>

#include "base/current.hpp"

namespace weft {
namespace {

// The thread-local has no destructor, so that access to it costs nothing; this key has one.
void free_with_thread(ThreadMemory* memory) {
  static const pthread_key_t key = [] {
    pthread_key_t made{};
    ::pthread_key_create(&made, [](void* ended) { delete static_cast<ThreadMemory*>(ended); });
    return made;
  }();
  ::pthread_setspecific(key, memory);
}

}  // namespace

ThreadMemory& ThreadMemory::of_thread() {
  if (current_thread.memory == nullptr) {
    current_thread.memory = new ThreadMemory;
    free_with_thread(current_thread.memory);
  }
  return *current_thread.memory;
}

}  // namespace weft
