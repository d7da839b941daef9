#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "chaos_gate.hpp"
#include "weft/weft.hpp"

// Conversations that detect lost bytes and errors that no network causes.
namespace weft_test {

/// One side of a conversation. Both sides send the same bytes, so that each knows what to expect.
class ChaosTalk {
 public:
  /// `patience`: how long a single operation may take; 0: no limit.
  ChaosTalk(std::uint64_t seed, weft::Duration patience) noexcept
      : random_{seed}, patience_{patience} {}

  /// Suspends. Sends `bytes` bytes and shuts down writing; meanwhile reads until the end.
  void ask(weft::TcpStream& stream, std::size_t bytes);
  /// Suspends. Sends back all bytes that it reads, until the end.
  void echo(weft::TcpStream& stream);

  [[nodiscard]] std::size_t received() const noexcept { return received_; }
  [[nodiscard]] bool came_to_its_end() const noexcept { return ended_; }
  /// The errors that have ended a direction of this side.
  [[nodiscard]] const std::vector<std::exception_ptr>& errors() const noexcept { return errors_; }
  /// What has happened that no network may cause; empty if nothing has.
  [[nodiscard]] const std::string& wrong() const noexcept { return wrong_; }
  /// Runs `body`; an exception of it counts as an error of this side.
  template <class F>
  void allowing_errors(F&& body) {
    try {
      body();
    } catch (const std::exception&) {
      failed(std::current_exception());
    }
  }

 private:
  void failed(std::exception_ptr error);
  void say(weft::TcpStream& stream, std::string_view piece);
  std::string listen(weft::TcpStream& stream);
  template <class F>
  auto patiently(F body) {
    if (patience_ == weft::Duration::zero()) return body(weft::Token{});
    weft::Timeout timeout{patience_};
    return body(weft::Token{timeout});
  }

  Random random_;
  weft::Duration patience_;
  std::size_t received_ = 0;
  bool ended_ = false;
  std::vector<std::exception_ptr> errors_;
  std::string wrong_;
};

/// Why a bad network may not cause `error`, or what its text lacks: the operation and the peer.
/// Empty if `error` is right.
std::string objection_to(const std::exception_ptr& error);

/// The seeds to try: `count` from `first` on, or the one that WEFT_CHAOS_SEED names.
std::vector<std::uint64_t> chaos_seeds(std::uint64_t first, std::uint64_t count);

/// The open descriptors of this process, as "number: target".
std::vector<std::string> listed_descriptors();

}  // namespace weft_test
