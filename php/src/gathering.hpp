#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "engine.hpp"

namespace weft_php {

/// Waits for several events until enough of them have succeeded, until all have settled, or until
/// the first error if it fails fast. In the runtime; no PHP code runs in it.
class Gathering {
 public:
  Gathering(std::uint32_t successes, bool fails_fast) noexcept
      : missing_{successes}, fails_fast_{fails_fast} {}
  ~Gathering();
  Gathering(const Gathering&) = delete;
  Gathering& operator=(const Gathering&) = delete;

  /// The event at `position` takes part.
  void add(weft::Event& event, std::uint32_t position);
  /// Suspends until it is decided. Throws a cancellation of the caller, and OperationCancelled if
  /// `token` fires first.
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
    void happen() noexcept { notify_and_close(); }
    bool replay(weft::Outcome& /*outcome*/) const override { return is_closed(); }
    [[nodiscard]] std::string info() const override;
    const Gathering* gathering = nullptr;
  };

  void settled(std::uint32_t position, bool failed) noexcept;

  std::deque<Member> members_;
  std::vector<std::uint32_t> order_;
  std::uint32_t missing_;
  bool fails_fast_;
  bool has_begun_ = false;
  Decided decided_;
};

}  // namespace weft_php
