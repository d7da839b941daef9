#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "weft/weft.hpp"

// A bad network inside the test: a proxy between a client and a server that delays, slices, drops
// and resets as networks do. Every decision comes from one seed.
namespace weft_test {

/// Pseudo-random numbers, the same for the same seed on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept : state_{seed} {}
  std::uint64_t next() noexcept;
  /// A number in [0, end).
  std::size_t below(std::size_t end) noexcept { return static_cast<std::size_t>(next() % end); }
  /// A number in [1, most]; small sizes are as likely as large ones.
  std::size_t size(std::size_t most) noexcept;
  bool one_in(std::size_t n) noexcept { return below(n) == 0; }
  weft::Duration time(weft::Duration most) noexcept;

 private:
  std::uint64_t state_;
};

/// How the gate ends one direction of a connection.
enum class ChaosEnd : std::uint8_t {
  none,
  drop,        ///< both sides see an orderly end
  reset,       ///< both sides see "Connection reset by peer"
  half_close,  ///< the receiver sees the end; bytes from the sender are discarded
  never_read,  ///< the gate stops reading; neither side is told
};
inline constexpr std::size_t chaos_ends = 5;
const char* name_of(ChaosEnd end) noexcept;

/// What happens to the bytes of one direction.
struct ChaosWay {
  std::uint64_t seed = 0;
  std::size_t slices = 0;  ///< how many pieces have at most `slice` bytes; later ones are not cut
  std::size_t slice = 1;
  bool concatenates = false;  ///< holds pieces back and passes them on as one
  std::size_t delays = 0;     ///< how many pieces are held for up to `delay`
  weft::Duration delay = {};
  std::size_t bytes_per_ms = std::numeric_limits<std::size_t>::max();
  ChaosEnd end = ChaosEnd::none;
  std::size_t end_after = 0;  ///< bytes
};

/// What happens to one connection.
struct ChaosPlan {
  ChaosWay up;    ///< from the client
  ChaosWay down;  ///< to the client

  /// A plan for a connection that carries about `bytes` each way.
  static ChaosPlan of(std::uint64_t seed, std::size_t bytes);
  /// Whether no bytes are lost: a reader that waits long enough gets all.
  [[nodiscard]] bool is_harmless() const noexcept {
    return up.end == ChaosEnd::none && down.end == ChaosEnd::none;
  }
  [[nodiscard]] std::string describe() const;
};

class ChaosGate {
 public:
  /// Passes each connection on to `target` as `plan` says.
  ChaosGate(const weft::Address& target, const ChaosPlan& plan)
      : target_{target}, plan_{plan}, listener_{weft::Listener::tcp("127.0.0.1", 0)} {}

  [[nodiscard]] std::uint16_t port() const { return listener_.port(); }
  /// Suspends until the calling coroutine is cancelled; then closes all connections.
  void run();

 private:
  struct Link;
  void pass(Link& link, bool up) const;

  weft::Address target_;
  ChaosPlan plan_;
  weft::Listener listener_;
};

}  // namespace weft_test
