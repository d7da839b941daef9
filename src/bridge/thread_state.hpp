#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bridge/facts.hpp"
#include "weft/bridge.hpp"

namespace weft::bridge {

class Host;
class Wait;

/// What the bridge keeps for a thread that runs coroutines.
struct ThreadState {
  ThreadState() = default;
  ~ThreadState();
  ThreadState(const ThreadState&) = delete;
  ThreadState& operator=(const ThreadState&) = delete;

  /// The waits of the two directions of a descriptor.
  struct Holders {
    Wait* by_way[2] = {nullptr, nullptr};
    std::uint32_t births = 0;  // of the number, when it was watched
  };
  std::vector<Holders> holders;  // by descriptor
  std::vector<Facts> facts;      // the same
  Facts unkept;                  // where there is no memory for more
  Wait* first = nullptr;         // of all waits
  unsigned immediate = 0;        // calls in a row that did not wait
  unsigned direct = 0;           // living objects of Direct
  Host* host = nullptr;
  Refusal refusal;

  /// The state of this thread.
  static ThreadState& here() noexcept;
};

}  // namespace weft::bridge
