#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <uv.h>

#include "weft/time.hpp"

namespace weft {

class Reactor;

/// Watches descriptors beside a libuv loop, and runs the turns that serve both. Each backend has
/// its own source.
class Readiness {
 public:
  /// What is watched for, as in Poll::Mask, and two bits that are always reported.
  enum Mask : unsigned {
    readable = 1,
    writable = 2,
    disconnect = 4,  ///< the peer will send no more
    prioritized = 8,
    hung_up = 16,
    failed = 32,
  };
  enum class Style : std::uint8_t {
    level,  ///< reported in every turn while it is true
    edge,   ///< reported once, when it becomes true, or is true when the watch begins or changes
  };
  using Key = std::uint64_t;

  Readiness() noexcept;
  ~Readiness();
  Readiness(const Readiness&) = delete;
  Readiness& operator=(const Readiness&) = delete;

  /// Reports go to Reactor::report(). `loop` must have an active handle in every turn, or libuv
  /// does nothing. Throws std::system_error.
  void open(uv_loop_t& loop, Reactor& reactor);
  /// In the child of a fork, after the loop was made anew: nothing is watched. Throws
  /// std::system_error.
  void renew();
  /// The handles close in the next turn of the loop.
  void close() noexcept;
  /// Instead of close(): the loop belongs to the parent process and must not be touched.
  void abandon() noexcept;

  static constexpr Duration forever = Duration::max();
  /// One turn: reports what is ready and runs libuv's callbacks. Waits for one of the two, at most
  /// `longest`; may return early without either.
  void turn(Duration longest) noexcept;
  /// Readable when a turn has something to do, except for libuv's timers and queues.
  [[nodiscard]] int descriptor() const noexcept;

  /// Watches `number`, or changes the watch if it is `known`. What is true now is reported in the
  /// next turn in any case. Returns an errno, or 0.
  int watch(int number, unsigned mask, Style style, Key key, bool known) noexcept;
  /// An edge-triggered descriptor was found not ready, and a stream waits for `way`: its next edge
  /// must be reported. Returns an errno, or 0.
  int expect(int number, unsigned way) noexcept;
  void forget(int number) noexcept;
  /// How often a watch was changed in the kernel.
  [[nodiscard]] std::uint64_t changes() const noexcept { return changes_; }
  /// How many reports are pending. For tests: takes edges among them away.
  [[nodiscard]] std::size_t count_reports() noexcept;

  /// The process has forked: closing a descriptor may not end its watch any more, because the child
  /// has it open too.
  static void note_fork() noexcept;
  /// Whether a watch must be ended before its descriptor is closed.
  [[nodiscard]] static bool may_be_shared() noexcept;

 private:
  struct Native;
  std::unique_ptr<Native> native_;
  std::uint64_t changes_ = 0;
};

}  // namespace weft
