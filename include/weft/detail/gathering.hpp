#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <limits>
#include <string>

#include "weft/coroutine.hpp"
#include "weft/extend/event.hpp"
#include "weft/function.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"

namespace weft::detail {

/// When a wait for several events is over, at the latest when all have settled.
struct GatherGoal {
  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
  const char* operation = "await_all()";  ///< the function that the user called, for error texts
  std::size_t successes = unlimited;      ///< this many have succeeded
  std::size_t settled = unlimited;        ///< this many have ended, with a value or an error
  bool fail_fast = false;                 ///< one has failed
};

/// Underneath the await combinators: counts coroutines and futures that end, and happens itself
/// when its goal is reached. It lives on the stack of the waiting coroutine; each member costs the
/// same, however many there are and however often one is given.
class Gathering final : public Event {
 public:
  explicit Gathering(GatherGoal goal) : goal_{goal} { set(passive_flag); }
  ~Gathering() override;

  /// Whose error a member has: that of the caller's handle, or of this wait alone.
  enum class Owner : std::uint8_t { caller, wait };
  /// The function that the user called.
  [[nodiscard]] const char* operation() const noexcept { return goal_.operation; }
  /// Adds a member, which must outlive this object. It counts at once if it has ended.
  void add(Event& member, Owner owner = Owner::caller);
  /// Call it after the last add().
  void close_entry() noexcept;
  /// The same, and the wait throws `error`.
  void fail(std::exception_ptr error) noexcept;
  /// Suspends until the goal is reached; returns at once if it is. Throws OperationCancelled if
  /// `token` fires first, or has fired already, and what fail() was given. The errors of members
  /// that this wait owns are the previous() of what it throws.
  void wait(Token token, Place place);

  /// The member that failed first, or nowhere.
  static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();
  [[nodiscard]] std::size_t first_failure() const noexcept;
  [[nodiscard]] std::size_t first_success() const noexcept;
  [[nodiscard]] std::size_t first_settled() const noexcept;
  /// Whether `member` had settled when the goal was reached.
  [[nodiscard]] bool is_counted(std::size_t member) const noexcept;
  /// Calls `visit(member, failed)` in the order in which they settled, up to the goal.
  template <class F>
  void for_each_settled(F&& visit) const {
    for (const Member* m = first_; m != nullptr; m = m->next) visit(m->index, m->failed);
  }

  bool replay(Outcome& outcome) const override;
  using Event::replay;
  [[nodiscard]] std::string info() const override;

 private:
  class Member final : public Callback {
   public:
    Member(Gathering& all, Event& awaited, std::size_t position, Owner whose) noexcept
        : gathering{all}, event{awaited}, index{position}, owner{whose} {}
    ~Member() override = default;
    void on_notify(Event& event, const Outcome& outcome) noexcept override;

    Gathering& gathering;
    Event& event;
    std::size_t index;
    Member* next = nullptr;  // the one that settled after it; none leaves, so one link is enough
    Owner owner;
    bool counted = false;
    bool failed = false;
  };
  void link_own_errors(const std::exception_ptr& thrown) noexcept;
  void count(Member& member, bool failed) noexcept;
  void decide() noexcept;

  GatherGoal goal_;
  std::deque<Member> members_;
  Member* first_ = nullptr;  // in the order in which they settled
  Member* last_ = nullptr;
  std::size_t settled_ = 0;
  std::size_t failures_ = 0;
  std::exception_ptr error_;
  bool entry_closed_ = false;
};

/// Starts `body`, which reads a source, in a child of the current scope: that can spawn even if the
/// scope was cancelled. Coroutines that the source spawns stay there and keep running.
[[nodiscard]] Coroutine<void> spawn_reader(const char* operation, Function<void()> body,
                                           Place place);

/// Suspends until `coroutine`, which refers to the caller's frame, has ended, after cancelling it.
/// A cancellation of the caller that arrives meanwhile is thrown at the next suspension.
void cancel_and_join(CoroutineBase& coroutine) noexcept;

}  // namespace weft::detail
