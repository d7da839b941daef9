#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>

#include "weft/extend/coroutine_base.hpp"
#include "weft/time.hpp"

namespace weft {

class Scheduler;

/// How the program of a Scheduler ends: by a shutdown, by a failure that was not handled, or by a
/// deadlock. Decides which coroutines are cancelled when, and keeps the error that the program ends
/// with. shutdown.cpp has the stages, deadlock.cpp what begins one by itself, abandon.cpp what
/// becomes of coroutines that do not end.
class Ending {
 public:
  explicit Ending(Scheduler& scheduler) noexcept : scheduler_{scheduler} {}

  /// Ends the program gracefully, with `failure` as its error, if any.
  void shutdown(std::string reason, std::exception_ptr failure) noexcept;
  /// The same; `cause` is what coroutines are cancelled with.
  void shutdown_with(std::exception_ptr cause) noexcept;
  /// Something failed and was not handled: the program ends with it, gracefully.
  void fail(std::exception_ptr error) noexcept;
  /// Nothing is ready, and nothing that is armed can change that.
  void resolve_stall() noexcept;
  /// All coroutines wait for ever: the program ends, but cleans up first.
  void resolve_deadlock() noexcept;

  [[nodiscard]] bool has_begun() const noexcept { return stage_ != Stage::none; }
  /// Main and the clean-up coroutines are not cancelled yet.
  [[nodiscard]] bool spares_main() const noexcept { return stage_ == Stage::others; }
  /// The others have ended, so nothing uses the frame of main any more.
  [[nodiscard]] bool is_main_alone() const noexcept;
  /// When its present stage is to be over.
  [[nodiscard]] TimePoint limit() const noexcept { return limit_; }
  /// All coroutines but main are left behind.
  [[nodiscard]] bool is_abandoning() const noexcept { return abandoning_; }
  /// A second failure came: a coroutine that still waits is cancelled again.
  [[nodiscard]] bool is_final() const noexcept { return final_; }

  void cancel_rest() noexcept;
  void check_limit() noexcept;
  void insist() noexcept;
  void bury_abandoned() noexcept;
  void fail_main() noexcept;

  /// What a cancelled coroutine is thrown, and why; both may be empty.
  [[nodiscard]] const std::exception_ptr& cause() const noexcept { return cause_; }
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

  /// The error that ends the program, if there is one; it is given once.
  [[nodiscard]] bool has_error() const noexcept { return error_ != nullptr; }
  [[nodiscard]] std::exception_ptr take_error() noexcept;
  void propose_error(std::exception_ptr error) noexcept;
  /// Says what came too late to be told otherwise.
  void warn_of_the_rest() const noexcept;

 private:
  /// A coroutine that swallows every cancellation and waits again cannot be helped for ever.
  static constexpr unsigned patience = 16;
  /// How many later failures previous() of the error leads to.
  static constexpr std::size_t most_chained = 32;
  enum class Stage : std::uint8_t {
    none,
    others,  // all but main and the clean-up coroutines are cancelled
    all,     // these too
  };

  void begin(CancelReason reason) noexcept;
  void cancel_others() noexcept;
  void chain_to_error(std::exception_ptr error) noexcept;
  void give_up(const char* why) noexcept;
  void abandon_others(const char* why) noexcept;
  [[nodiscard]] std::string deadlock_report() const;
  [[nodiscard]] std::string remaining() const;

  Scheduler& scheduler_;
  Stage stage_ = Stage::none;
  CancelReason reason_ = CancelReason::shutdown;
  bool final_ = false;
  bool abandoning_ = false;
  unsigned deadlock_rounds_ = 0;
  unsigned insisted_ = 0;
  std::size_t abandoned_ = 0;
  std::size_t chained_ = 0;  // failures after the first
  TimePoint limit_ = never;
  TimePoint final_limit_ = never;
  std::string text_;
  std::exception_ptr cause_;
  std::exception_ptr error_;
  std::exception_ptr abandon_error_;  // names those that were left behind
};

}  // namespace weft
