#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <uv.h>

#include "weft/time.hpp"

namespace weft {

class Reactor;

/// The descriptors that are watched beside a libuv loop, what the kernel says of them, and the
/// turns that serve both. Each backend has its own source.
class Readiness {
 public:
  /// What is watched for, as in Poll::Mask, and two more that are always reported.
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
    edge,   ///< reported once, when it becomes true or is true when the watch begins or changes
  };
  using Key = std::uint64_t;

  Readiness() noexcept;
  ~Readiness();
  Readiness(const Readiness&) = delete;
  Readiness& operator=(const Readiness&) = delete;

  /// Reports go to Reactor::report(). `loop` must be alive in every turn: libuv does nothing in one
  /// that is not. Throws std::system_error.
  void open(uv_loop_t& loop, Reactor& reactor);
  /// In the child of a fork, after the loop was made anew: nothing is watched. Throws
  /// std::system_error.
  void renew();
  /// The handles close in the next turn of the loop.
  void close() noexcept;
  /// Instead of close(): the loop is the parent's and must not be touched.
  void abandon() noexcept;

  static constexpr Duration forever = Duration::max();
  /// Reports what is ready and lets libuv do what it has to do. Waits for one of the two, `longest`
  /// at most; may return early and without either.
  void turn(Duration longest) noexcept;
  /// Readable when a turn has something to do, unless only libuv's timers or queues know of it.
  [[nodiscard]] int descriptor() const noexcept;

  /// Watches `number`; `known`: it is watched already, and this changes how. What is true now is
  /// reported in the next turn in any case. Returns an errno, or 0.
  int watch(int number, unsigned mask, Style style, Key key, bool known) noexcept;
  /// A descriptor watched by its edges was found not ready, and `way` is waited for: its next edge
  /// must be reported. Returns an errno, or 0.
  int expect(int number, unsigned way) noexcept;
  void forget(int number) noexcept;
  /// How often the kernel was told of a descriptor.
  [[nodiscard]] std::uint64_t changes() const noexcept { return changes_; }
  /// How many reports wait for the next turn. For tests: edges among them are lost.
  [[nodiscard]] std::size_t count_reports() noexcept;

  /// The process has forked: closing a descriptor need not end its watch any more, because the
  /// child has it as well.
  static void note_fork() noexcept;
  /// Whether a watch must be ended before its descriptor is closed.
  [[nodiscard]] static bool may_be_shared() noexcept;

 private:
  struct Native;
  std::unique_ptr<Native> native_;
  std::uint64_t changes_ = 0;
};

}  // namespace weft
