#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <netdb.h>
#include <unordered_map>
#include <vector>

#include "bridge/facts.hpp"
#include "bridge/held_locks.hpp"
#include "weft/bridge.hpp"
#include "weft/detail/intrusive_list.hpp"

namespace weft::bridge {

class HeldNumber;
class Host;
class Wait;

/// What the bridge keeps for a thread that runs coroutines.
struct ThreadState {
  ThreadState() = default;
  ~ThreadState() = default;
  ThreadState(const ThreadState&) = delete;
  ThreadState& operator=(const ThreadState&) = delete;

  /// The waits of the two directions of a descriptor.
  struct Holders {
    Wait* by_way[2] = {nullptr, nullptr};
    std::uint32_t generation = 0;  // of the number, when it was watched
  };
  std::vector<Holders> holders;  // by descriptor
  std::vector<Facts> facts;      // the same
  Facts unkept;                  // where there is no memory for more
  /// Of set_read_timeout().
  struct ReadTimeout {
    Duration after{};
    bool has_passed = false;  // at the last read
  };
  std::unordered_map<int, ReadTimeout> read_timeouts;  // by descriptor
  detail::SlimList<Wait> waits;                        // of coroutines that are parked
  detail::SlimList<HeldNumber> held_numbers;           // the same
  bool ends_with_loop = false;                         // the loop forgets the waits when it ends
  unsigned immediate = 0;                              // calls in a row that did not wait
  unsigned direct = 0;                                 // living objects of Direct
  Host* host = nullptr;
  Refusal refusal;
  /// What gethostbyname() returns.
  struct FoundHost {
    hostent entry{};
    std::vector<char> memory;
  };
  std::unordered_map<std::uint64_t, FoundHost> hosts;  // by the id of the coroutine
  std::size_t hosts_kept = 0;  // when those of ended coroutines were dropped
  HeldLocks mutexes;
  unsigned mutexes_of = 0;  // the installation that they are of

  /// The coroutines that wait are those of the parent process.
  void forget_waits() noexcept {
    forget_lists();
    holders.clear();
    mutexes = {};
  }
  /// The waits are those of frames that are gone.
  void forget_lists() noexcept {
    std::construct_at(&waits);
    std::construct_at(&held_numbers);
  }
  /// The state of this thread.
  static ThreadState& here() noexcept { return mine_ != nullptr ? *mine_ : make(); }
  /// Null if the thread needed none yet.
  static ThreadState* if_made() noexcept { return mine_; }

 private:
  static ThreadState& make() noexcept;
  static void end(void* ended) noexcept;
  static constinit thread_local ThreadState* mine_;  // reaching it costs one instruction
};

}  // namespace weft::bridge
