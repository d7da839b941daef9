#include "server/pinned_thread.hpp"

#include <pthread.h>
#include <sched.h>

namespace weft {
namespace {

void stay_on(const std::vector<std::size_t>& cores) noexcept {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const std::size_t core : cores) CPU_SET(core, &set);
  ::pthread_setaffinity_np(::pthread_self(), sizeof set, &set);
}

}  // namespace

std::vector<std::size_t> allowed_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<std::size_t> cores;
  if (::pthread_getaffinity_np(::pthread_self(), sizeof set, &set) != 0) return cores;
  for (std::size_t core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &set)) cores.push_back(core);
  }
  return cores;
}

PinnedThread::PinnedThread(std::size_t core) : before_{allowed_cores()} { stay_on({core}); }

PinnedThread::~PinnedThread() {
  if (!before_.empty()) stay_on(before_);
}

}  // namespace weft
