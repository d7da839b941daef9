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
  /// Suspends until it is set.
  void wait(Place place = Place::here()) {
    try {
      channel_.recv({}, place);
    } catch (const ChannelClosed&) {  // that is what we waited for
    }
  }

 private:
  TypedThreadChannel<char> channel_{1};
};

}  // namespace weft
