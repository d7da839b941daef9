#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "chaos_gate.hpp"
#include "weft/weft.hpp"

// Conversations that can tell whether something got lost, and what the errors may look like.
namespace weft_test {

/// One side's part of a conversation. Both say the same, so that each knows what comes.
class ChaosTalk {
 public:
  /// `patience`: how long a single operation may take; 0: for ever.
  ChaosTalk(std::uint64_t seed, weft::Duration patience) noexcept
      : random_{seed}, patience_{patience} {}

  /// Suspends. Says `bytes` bytes and ends its side, while it listens to the end.
  void ask(weft::TcpStream& stream, std::size_t bytes);
  /// Suspends. Says back what it hears, to the end.
  void echo(weft::TcpStream& stream);

  [[nodiscard]] std::size_t heard() const noexcept { return heard_; }
  [[nodiscard]] bool came_to_its_end() const noexcept { return ended_; }
  /// What ended one of its directions.
  [[nodiscard]] const std::vector<std::exception_ptr>& errors() const noexcept { return errors_; }
  /// What must never be, whatever the network does; empty if all is well.
  [[nodiscard]] const std::string& wrong() const noexcept { return wrong_; }
  /// Runs `body`; what ends it counts as an error of this side.
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
  std::size_t heard_ = 0;
  bool ended_ = false;
  std::vector<std::exception_ptr> errors_;
  std::string wrong_;
};

/// Empty if `error` is one that a bad network may cause, and says what was tried with whom.
std::string objection_to(const std::exception_ptr& error);

/// The seeds to try: `count` from `first` on, or the one that WEFT_CHAOS_SEED names.
std::vector<std::uint64_t> chaos_seeds(std::uint64_t first, std::uint64_t count);

/// What a process has open, as "number: what".
std::vector<std::string> listed_descriptors();

}  // namespace weft_test
