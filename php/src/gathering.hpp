#pragma once

#include <cstdint>
#include <deque>
#include <exception>
#include <string>
#include <vector>

#include "engine.hpp"

namespace weft_php {

/// Waits for several events until enough of them have succeeded, until all have settled, or until
/// the first error if it fails fast. In the runtime; no PHP code runs in it.
/// Not the one of weft's combinators, whose members are coroutines and futures that outlive it:
/// here they are the events of any Awaitable, such as a Timeout, which are started and kept by
/// reference.
class Gathering {
 public:
  Gathering(std::uint32_t successes, bool fails_fast) noexcept
      : missing_{successes}, fails_fast_{fails_fast} {}
  ~Gathering();
  Gathering(const Gathering&) = delete;
  Gathering& operator=(const Gathering&) = delete;

  /// Adds a member: `event`, with the caller's `position`. If more are expected, also during the
  /// wait.
  void add(weft::Event& event, std::uint32_t position);
  /// Another coroutine adds members during the wait: it does not end when all have settled, before
  /// no_more().
  void expect_more() noexcept { expects_more_ = true; }
  /// No more members come; `error`, if any, has ended their reading, and wait() throws it.
  void no_more(std::exception_ptr error) noexcept;
  [[nodiscard]] bool is_decided() const noexcept { return decided_.is_closed(); }
  /// Suspends until it is decided. Throws a cancellation of the caller, OperationCancelled if
  /// `token` fires first, and what no_more() was given.
  void wait(weft::Event* token, weft::Place place);
  /// The positions of what has settled until then, in that order.
  [[nodiscard]] const std::vector<std::uint32_t>& order() const noexcept { return order_; }

 private:
  class Member final : public weft::Callback {
   public:
    Member(Gathering& gathering, weft::Event& event, std::uint32_t position) noexcept
        : gathering_{gathering}, event_{&event}, position_{position} {}
    ~Member() override = default;
    void begin();
    void end() noexcept;
    [[nodiscard]] std::string info() const { return event_->info(); }
    void on_notify(weft::Event& event, const weft::Outcome& outcome) noexcept override;

   private:
    Gathering& gathering_;
    weft::Ref<weft::Event> event_;
    std::uint32_t position_;
    bool started_ = false;
  };
  class Decided final : public weft::Event {
   public:
    Decided() noexcept { set(passive_flag); }
    ~Decided() override = default;
    void complete() noexcept { notify_and_close(); }
    bool replay(weft::Outcome& /*outcome*/) const override { return is_closed(); }
    [[nodiscard]] std::string info() const override;
    const Gathering* gathering = nullptr;
  };

  void count_settled(std::uint32_t position, bool failed) noexcept;
  [[nodiscard]] bool has_all() const noexcept {
    return !expects_more_ && order_.size() == members_.size();
  }

  std::deque<Member> members_;
  std::vector<std::uint32_t> order_;
  std::uint32_t missing_;
  bool fails_fast_;
  bool has_begun_ = false;
  bool expects_more_ = false;
  std::exception_ptr error_;
  Decided decided_;
};

}  // namespace weft_php
