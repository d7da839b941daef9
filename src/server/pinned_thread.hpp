#pragma once

#include <cstddef>
#include <vector>

namespace weft {

/// The cores that the calling thread may use; empty if unknown, and then nothing is pinned. Each
/// backend has its own source.
std::vector<std::size_t> allowed_cores();

/// Keeps the calling thread on one core while it lives.
class PinnedThread {
 public:
  explicit PinnedThread(std::size_t core);
  ~PinnedThread();
  PinnedThread(const PinnedThread&) = delete;
  PinnedThread& operator=(const PinnedThread&) = delete;

 private:
  std::vector<std::size_t> before_;
};

}  // namespace weft
