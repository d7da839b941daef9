#pragma once

#include <atomic>
#include <cstdint>

#include "weft/time.hpp"

namespace weft::bridge {

/// What is known of a descriptor, to save system calls. The hooks that close, duplicate and change
/// descriptors make it void, on any thread.
struct Facts {
  enum class Kind : std::uint8_t { unknown, socket, regular, pipe, terminal, other };
  Kind kind = Kind::unknown;
  bool has_mode = false;
  bool has_timeouts = false;
  bool is_non_blocking = false;
  int type = 0;                  // of a socket, SOCK_STREAM; 0: not known yet
  std::uint32_t generation = 0;  // of the number, when this was found out
  std::uint32_t settings = 0;    // changes of modes and timeouts, when these were found out
  Duration receive_timeout{};    // zero: none
  Duration send_timeout{};
};

[[nodiscard]] Facts::Kind kind_of(int descriptor) noexcept;
[[nodiscard]] bool is_non_blocking(int descriptor) noexcept;
/// Whether epoll can watch the descriptor: not regular files and some devices.
[[nodiscard]] bool can_be_watched(int descriptor) noexcept;
/// SO_RCVTIMEO or SO_SNDTIMEO, or that of set_read_timeout(), or zero.
[[nodiscard]] Duration timeout_of(int descriptor, unsigned way) noexcept;
/// For has_read_timed_out().
void note_read(int descriptor, bool has_timed_out) noexcept;
/// SOCK_STREAM or another type; -1 for what is no socket.
[[nodiscard]] int type_of(int descriptor) noexcept;
/// Whether the descriptor is a unix socket. A system call each time.
[[nodiscard]] bool is_unix(int descriptor) noexcept;

/// Call before `descriptor` is closed or after its number was reused: discards its Facts and ends
/// the waits of this thread. Leaves errno alone. In a signal handler no wait ends.
void number_changes(int descriptor) noexcept;
/// number_changes() for all numbers from `first` to `last`.
void numbers_change(unsigned first, unsigned last) noexcept;
/// Discards what is known of all numbers, on all threads. Waits go on.
void forget_numbers() noexcept;
/// number_changes() for a number just returned by the system, unless it is negative: stored facts
/// belong to a file closed without the bridge noticing. Returns the number.
int next_generation(int descriptor) noexcept;
/// How often a number has passed to another file.
[[nodiscard]] std::uint32_t generation_of(int descriptor) noexcept;
/// A mode or a timeout of a file was changed, which other numbers may refer to as well.
void settings_change() noexcept;

}  // namespace weft::bridge
