#pragma once

#include <cstdint>
#include <string>

#include "weft/extend/loop_event.hpp"

namespace weft {

class Descriptor;

/// Tells when a descriptor can be read or written, again and again. Any number of them may wait for
/// the same descriptor: the system watches it for all that they want together, and each hears only
/// of what it wants. A hang-up or an error wakes them all.
///
/// The descriptor becomes non-blocking, and must stay open as long as somebody waits for it.
class Poll final : public LoopEvent {
 public:
  enum Mask : unsigned {
    readable = 1,
    writable = 2,
    disconnect = 4,   ///< the peer has closed its side, or the descriptor is bad
    prioritized = 8,  ///< out-of-band data
  };

  /// `wanted` is a union of masks. Throws ValueError for an empty one or a negative descriptor.
  Poll(int descriptor, unsigned wanted);
  /// Of a stream, which finds out by itself whether a report is true, and says what it found.
  Poll(Ref<Descriptor> parent, unsigned wanted, const Event& stream) noexcept;
  /// Closes it.
  ~Poll() override;

  /// What happened last: of what was wanted, and `disconnect` whether wanted or not.
  [[nodiscard]] unsigned triggered() const noexcept { return triggered_; }
  [[nodiscard]] unsigned wanted() const noexcept { return wanted_; }
  [[nodiscard]] int descriptor() const noexcept { return number_; }

  /// The descriptor belongs to this event and is closed with it. Then
  /// everybody else who waits for the descriptor is woken with an error.
  void close_descriptor_at_end() noexcept { set(close_descriptor_flag); }
  /// Ends it for good; whoever waits for it throws std::system_error.
  void close() noexcept;

  /// Of one that was closed: the error.
  bool replay(Outcome& outcome) const override;
  /// "Poll(socket=7, events=rw)", "Poll(fd=7, events=r)", or, of one that serves a stream,
  /// "PollProxy(events=r)".
  [[nodiscard]] std::string info() const override;
  /// What the descriptor is as well: "Poll(...) of TCP 127.0.0.1:80".
  [[nodiscard]] std::string describe() const override;
  /// What a union of masks is called in these texts.
  [[nodiscard]] static std::string letters(unsigned mask);

 private:
  friend class Descriptor;

  void arm(Reactor& reactor) override;
  void disarm(Reactor& reactor) noexcept override;
  void happened(unsigned mask, const Outcome& outcome) noexcept;
  void shut(const Outcome& outcome) noexcept;

  int number_;
  std::uint8_t wanted_;
  std::uint8_t triggered_ = 0;
  std::uint32_t round_ = 0;        // of the last report it was in the list for
  const Event* stream_ = nullptr;  // that it serves; only compared
  Ref<Descriptor> parent_;
  Poll* previous_ = nullptr;  // in the list of the parent, while armed
  Poll* next_ = nullptr;
};

}  // namespace weft
