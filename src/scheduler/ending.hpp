#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>

#include "weft/extend/coroutine_base.hpp"
#include "weft/time.hpp"

namespace weft {

class Scheduler;

/// How the program of a Scheduler ends: by a shutdown, by an unhandled failure or by a deadlock.
/// Decides when which coroutines are cancelled, and keeps the error that the program ends with.
/// shutdown.cpp has the stages, deadlock.cpp the deadlock, abandon.cpp the coroutines that do not
/// end.
class Ending {
 public:
  explicit Ending(Scheduler& scheduler) noexcept : scheduler_{scheduler} {}

  /// Ends the program gracefully, with `failure` as its error, if any.
  void shutdown(std::string reason, std::exception_ptr failure) noexcept;
  /// The same; coroutines are cancelled with `cause`.
  void shutdown_with(std::exception_ptr cause) noexcept;
  /// Shuts down with an unhandled failure as the error of the program.
  void fail(std::exception_ptr error) noexcept;
  /// No coroutine is ready and no armed event can wake one: the next stage, or a deadlock.
  void resolve_stall() noexcept;
  /// All coroutines wait for ever: shuts down with a DeadlockError.
  void resolve_deadlock() noexcept;

  [[nodiscard]] bool has_begun() const noexcept { return stage_ != Stage::none; }
  /// Main and the clean-up coroutines are not cancelled yet.
  [[nodiscard]] bool spares_main() const noexcept { return stage_ == Stage::others; }
  /// Only main is left, so no other coroutine uses its frame any more.
  [[nodiscard]] bool is_main_alone() const noexcept;
  /// When the present stage ends at the latest.
  [[nodiscard]] TimePoint limit() const noexcept { return limit_; }
  /// All coroutines but main are left behind.
  [[nodiscard]] bool is_abandoning() const noexcept { return abandoning_; }
  /// A second failure came: coroutines that still wait are cancelled again.
  [[nodiscard]] bool is_final() const noexcept { return final_; }

  /// A shutdown under way has ended all coroutines but main, which goes on uncancelled.
  void spare_main_for_good() noexcept;
  void cancel_rest() noexcept;
  void check_limit() noexcept;
  void cancel_again() noexcept;
  void release_abandoned() noexcept;
  /// This is the child of a fork: the coroutines other than `kept` are the parent's.
  void leave_all_but(const CoroutineBase& kept) noexcept;
  void fail_main() noexcept;

  /// What cancelled coroutines throw, and its text; both may be empty.
  [[nodiscard]] const std::exception_ptr& cause() const noexcept { return cause_; }
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

  /// The error that ends the program, if there is one. take_error() gives it once.
  [[nodiscard]] bool has_error() const noexcept { return error_ != nullptr; }
  [[nodiscard]] std::exception_ptr take_error() noexcept;
  void propose_error(std::exception_ptr error) noexcept;
  /// Warns of the errors and coroutines that are not in the error of the program.
  void warn_of_the_rest() const noexcept;

 private:
  /// How often a coroutine that catches every cancellation and waits again is cancelled again.
  static constexpr unsigned patience = 16;
  /// How many later failures the chain of previous() holds.
  static constexpr std::size_t most_chained = 32;
  enum class Stage : std::uint8_t {
    none,
    others,  // all but main and the clean-up coroutines are cancelled
    all,     // main and the clean-up coroutines too
  };

  void begin(CancelReason reason) noexcept;
  void cancel_others() noexcept;
  void chain_to_error(std::exception_ptr error) noexcept;
  void give_up(const char* why) noexcept;
  void abandon_others(const char* why) noexcept;
  std::size_t close_all_but(const CoroutineBase* kept, const std::exception_ptr& outcome) noexcept;
  [[nodiscard]] std::string deadlock_report() const;
  [[nodiscard]] std::string remaining() const;

  Scheduler& scheduler_;
  Stage stage_ = Stage::none;
  CancelReason reason_ = CancelReason::shutdown;
  bool final_ = false;
  bool abandoning_ = false;
  unsigned deadlock_rounds_ = 0;
  unsigned cancel_rounds_ = 0;
  std::size_t abandoned_ = 0;
  std::size_t chained_ = 0;  // failures after the first
  TimePoint limit_ = never;
  TimePoint final_limit_ = never;
  std::string text_;
  std::exception_ptr cause_;
  std::exception_ptr error_;
  std::exception_ptr abandon_error_;  // names the coroutines that were left behind
};

}  // namespace weft
