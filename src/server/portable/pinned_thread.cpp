#include "server/pinned_thread.hpp"

namespace weft {

std::vector<std::size_t> allowed_cores() { return {}; }

PinnedThread::PinnedThread(std::size_t /*core*/) {}
PinnedThread::~PinnedThread() = default;

}  // namespace weft
