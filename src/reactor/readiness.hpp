#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <sys/epoll.h>

namespace weft {

/// The kernel's list of the descriptors that somebody watches, and what it says of them. The one
/// place that knows epoll.
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
    level,  ///< reported in every look while it is true
    edge,   ///< reported once, when it becomes true or is true when the watch begins or changes
  };
  using Key = std::uint64_t;
  struct Report {
    Key key;
    unsigned mask;
  };

  Readiness() noexcept = default;
  ~Readiness() { close(); }
  Readiness(const Readiness&) = delete;
  Readiness& operator=(const Readiness&) = delete;

  /// Throws std::system_error.
  void open();
  /// A new and empty list under the same number. Throws std::system_error.
  void renew();
  void close() noexcept;
  /// Readable while there is something to report.
  [[nodiscard]] int descriptor() const noexcept { return epoll_; }

  /// Watches `number`; `known`: it is watched already, and this changes how. What is true now is
  /// reported in the next look in any case. Returns an errno, or 0.
  int watch(int number, unsigned mask, Style style, Key key, bool known) noexcept;
  void forget(int number) noexcept;
  /// How often the kernel was told of a descriptor.
  [[nodiscard]] std::uint64_t changes() const noexcept { return changes_; }

  /// Returns how many reports there are.
  std::size_t look() noexcept;
  [[nodiscard]] Report report(std::size_t index) const noexcept;
  [[nodiscard]] Key key(std::size_t index) const noexcept { return events_[index].data.u64; }

  /// The process has forked: closing a descriptor need not end its watch any more, because the
  /// child has it as well.
  static void note_fork() noexcept;
  [[nodiscard]] static bool may_be_shared() noexcept;

 private:
  /// So many reports in one look; the others wait for the next. Few, because who is woken should
  /// run while its memory is still near: with a thousand busy connections 256 cost 8 percent more.
  static constexpr std::size_t at_once = 64;

  int epoll_ = -1;
  std::uint64_t changes_ = 0;
  std::array<epoll_event, at_once> events_;
};

}  // namespace weft
