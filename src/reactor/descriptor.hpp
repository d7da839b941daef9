#pragma once

#include <cstdint>
#include <exception>
#include <vector>

#include <uv.h>

#include "reactor/uv_handle.hpp"
#include "weft/poll_event.hpp"
#include "weft/ref.hpp"

namespace weft {

class DescriptorTable;
class Reactor;

/// A native poll handle. The descriptor, if it is to be closed with it, is closed with its memory:
/// when libuv has let go of both.
struct PollHandle : uv_poll_t {
  ~PollHandle();
  Reactor* reactor = nullptr;
  int owned = -1;
};

/// One descriptor in one loop: its native handle, and everybody who waits for it. There is one per
/// descriptor, found in the table of the reactor, because libuv allows no second handle.
///
/// What streams want stays armed between their waits, because arming costs system calls; it is
/// taken out when it was reported a few times and nobody wanted it.
class Descriptor {
 public:
  /// Finds or makes it. Throws std::system_error naming the libuv error.
  static Ref<Descriptor> of(Reactor& reactor, int number);
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  void enter(Poll& poll);
  void leave(Poll& poll) noexcept;
  /// Everybody who waits throws `error`; the native handle goes. With `close_it` the descriptor is
  /// closed when libuv has let go of it.
  void shut(const std::exception_ptr& error, bool close_it) noexcept;
  /// The loop ends before its descriptors do.
  void abandon() noexcept;

  /// Whether a read would probably find something: it was reported, and nobody has found it empty
  /// since. A guess, which saves the system call that would find out.
  [[nodiscard]] bool is_ready() const noexcept { return ready_; }
  void set_ready(bool ready) noexcept { ready_ = ready; }
  /// One that was woken, and was `parked_`, runs again.
  void has_come() noexcept;
  [[nodiscard]] bool is_awaited() const noexcept { return first_ != nullptr; }
  /// The loop it is in; null if that is gone.
  [[nodiscard]] Reactor* reactor() const noexcept { return reactor_; }
  /// What the native handle is armed with.
  [[nodiscard]] unsigned armed() const noexcept { return armed_; }
  [[nodiscard]] int number() const noexcept { return number_; }

  void retain() noexcept { ++references_; }
  void release() noexcept {
    if (--references_ == 0) delete this;
  }

 private:
  Descriptor(Reactor& reactor, int number);
  ~Descriptor();
  static void on_ready(uv_poll_t* handle, int status, int events);
  void report(int status, unsigned mask) noexcept;
  void tell(unsigned mask, bool terminal, const Outcome& outcome) noexcept;
  [[nodiscard]] unsigned wanted() const noexcept;
  [[nodiscard]] bool is_false_alarm() const noexcept;
  void give_up(unsigned unwanted) noexcept;
  /// Arms the native handle with what is wanted now. Returns libuv's error, or 0.
  int refresh() noexcept;
  void close_handle(bool close_it) noexcept;

  /// So many reports in vain are cheaper than taking a reader out and in again: it may come back.
  static constexpr unsigned patience = 3;

  Reactor* reactor_;
  UvHandle<PollHandle> handle_;
  Poll* first_ = nullptr;
  Poll* last_ = nullptr;
  Poll* cursor_ = nullptr;  // next to be told in a round
  std::uint32_t references_ = 0;
  std::uint32_t round_ = 0;
  std::uint32_t coming_ = 0;  // woken, and have not run since: they may still want what is there
  int number_;
  unsigned armed_ = 0;
  unsigned kept_ = 0;   // armed for streams, whether one waits now or not
  unsigned spent_ = 0;  // told, would be reported for ever, and is left out until the next wait
  unsigned vain_reads_ = 0;
  unsigned vain_writes_ = 0;
  bool ready_ = false;
  enum class Sort : std::uint8_t { unknown, stream_socket, other };
  mutable Sort sort_ = Sort::unknown;
};

/// The descriptors of a reactor by their number.
class DescriptorTable {
 public:
  [[nodiscard]] Descriptor* find(int number) const noexcept {
    const auto index = static_cast<std::size_t>(number);
    return index < by_number_.size() ? by_number_[index] : nullptr;
  }
  void reserve(int number) {
    if (const auto index = static_cast<std::size_t>(number); index >= by_number_.size()) {
      by_number_.resize(index + 1 + index / 2);
    }
  }
  void set(int number, Descriptor* descriptor) noexcept {
    by_number_[static_cast<std::size_t>(number)] = descriptor;
  }
  void abandon_all() noexcept;

 private:
  std::vector<Descriptor*> by_number_;
};

}  // namespace weft
