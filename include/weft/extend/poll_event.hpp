#pragma once

#include "weft/detail/abi.hpp"

#include <cstdint>
#include <string>

#include "weft/detail/intrusive_list.hpp"
#include "weft/extend/loop_event.hpp"

namespace weft {

class Descriptor;

/// Notifies whenever a descriptor can be read or written. Any number of Polls may watch the same
/// descriptor: the system watches it for all of them together, and each is notified only of what it
/// wants. A hang-up or an error wakes them all.
///
/// The descriptor becomes non-blocking, unless leave_mode_alone() was called, and must stay open as
/// long as a Poll waits for it; see descriptor_closed().
class Poll final : public LoopEvent {
 public:
  /// What can be waited for: `readable`, `writable`, and two more.
  enum Mask : unsigned {
    readable = 1,
    writable = 2,
    disconnect = 4,   ///< the peer has closed its side, or the descriptor is bad
    prioritized = 8,  ///< out-of-band data
  };

  /// `wanted` is a bitwise or of masks. Throws ValueError for an empty one or a negative
  /// descriptor.
  Poll(int descriptor, unsigned wanted);
  /// For a stream, which checks by itself whether it is ready, and reports what it found.
  Poll(int descriptor, unsigned wanted, const Event& stream);
  /// Closes the Poll.
  ~Poll() override;

  /// What was ready last: of what was wanted, and `disconnect` whether wanted or not.
  [[nodiscard]] unsigned triggered() const noexcept { return triggered_; }
  /// What it waits for: a union of Mask.
  [[nodiscard]] unsigned wanted() const noexcept { return wanted_; }
  /// The descriptor it watches.
  [[nodiscard]] int descriptor() const noexcept { return number_; }

  /// The descriptor belongs to this event and is closed with it. Then all other waiters of the
  /// descriptor are woken with an error.
  void close_descriptor_at_end() noexcept { set(close_descriptor_flag); }
  /// A blocking descriptor stays a blocking one: for descriptors of code that does not know of
  /// weft.
  void leave_mode_alone() noexcept { leaves_mode_alone_ = true; }
  /// Closes the Poll permanently; its waiters throw std::system_error.
  void close() noexcept;

  /// The error, if it was closed.
  bool replay(Outcome& outcome) const override;
  /// "Poll(socket=7, events=rw)", "Poll(fd=7, events=r)", or, for a stream, "PollProxy(events=r)".
  [[nodiscard]] std::string info() const override;
  /// Also says what the descriptor is: "Poll(...) of TCP 127.0.0.1:80".
  [[nodiscard]] std::string describe() const override;
  /// The letters of a mask in these texts.
  [[nodiscard]] static std::string letters(unsigned mask);

 private:
  friend class Descriptor;
  friend class detail::ListAccess;

  void arm(Reactor& reactor) override;
  void disarm(Reactor& reactor) noexcept override;
  void on_ready(unsigned mask, const Outcome& outcome) noexcept;
  void close_with(const Outcome& outcome) noexcept;

  int number_;
  std::uint8_t wanted_;
  std::uint8_t triggered_ = 0;
  bool leaves_mode_alone_ = false;
  const Event* stream_ = nullptr;  // that it serves; only compared
  Ref<Descriptor> parent_;
  detail::ListLinks<Poll> list_links_;  // in the parent, while armed
};

}  // namespace weft
