#pragma once

namespace weft {

/// What another room keeps for each loop, such as signals or children. The reactor makes a table at
/// the first Reactor::table() and knows nothing else of it. Tables are destroyed in the reverse
/// order of their making, so a table that uses another one takes it in its constructor.
class LoopTable {
 public:
  LoopTable() = default;
  /// The reactor ends; its loop is still open.
  virtual ~LoopTable() = default;
  LoopTable(const LoopTable&) = delete;
  LoopTable& operator=(const LoopTable&) = delete;

  /// In the child of a fork, which has a loop of its own now.
  virtual void after_fork() = 0;
};

}  // namespace weft
