#pragma once

#include <mutex>

#include "weft/await.hpp"
#include "weft/thread_channel.hpp"

namespace weft {

/// Set once by one thread; coroutines of any thread wait for it.
class ThreadLatch {
 public:
  void set() noexcept { channel_.close(); }
  [[nodiscard]] bool is_set() const noexcept { return channel_.is_closed(); }
  /// Suspends until the latch is set. If it throws, the latch is not set.
  void wait(Place place = Place::here()) {
    if (is_set()) return;
    try {
      channel_.recv({}, place);
    } catch (...) {  // closed, so set; or std::bad_alloc in place of ChannelClosed
      if (!is_set()) throw;
    }
  }

 private:
  detail::TypedThreadChannel<char> channel_{1};
};

}  // namespace weft
