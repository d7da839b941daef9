#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "weft/detail/channel_base.hpp"
#include "weft/extend/event.hpp"
#include "weft/place.hpp"

namespace weft::detail {

/// One case of a select(). Underneath on_recv(), on_send() and on().
class SelectCase {
 public:
  SelectCase(const SelectCase&) = delete;
  SelectCase& operator=(const SelectCase&) = delete;

  /// The state of a case that ended the wait.
  enum class Woken : std::uint8_t {
    done,     ///< it is done: only the function must be called
    may_try,  ///< a value or a place is there for this case: execute it now
    in_vain,  ///< what woke the case is gone, as when a rendezvous was left: wait again
  };

  /// Whether it can be executed now, or fail.
  [[nodiscard]] virtual bool is_ready() noexcept = 0;
  /// Joins the queue. `selecting` is the same for all cases of a select().
  virtual Event& join(const void* selecting) = 0;
  /// Leaves the queue, and hands on what it was promised.
  virtual void leave() noexcept = 0;
  /// Called if it ended the wait. Throws if the channel was closed.
  virtual Woken woken() = 0;
  /// Whether an error of the event is what the case waits for: a timeout.
  [[nodiscard]] virtual bool expects_error() const noexcept { return false; }
  [[nodiscard]] Place place() const noexcept { return place_; }

 protected:
  explicit SelectCase(Place place) noexcept : place_{place} {}
  ~SelectCase() = default;

 private:
  Place place_;
};

/// A case that waits in a queue of a channel.
class ChannelCase : public SelectCase {
 public:
  void leave() noexcept final;
  Woken woken() final;

 protected:
  ChannelCase(ChannelBase& channel, Place place) noexcept : SelectCase{place}, channel_{channel} {}
  ~ChannelCase() = default;

  [[nodiscard]] bool can_receive() const noexcept {
    return channel_.has_free_value() || channel_.offering() != nullptr || channel_.is_closed();
  }
  [[nodiscard]] bool can_send() const noexcept {
    return channel_.can_put() || channel_.is_closed();
  }
  Event& join_receivers(const void* selecting);
  Event& join_senders(void* offer, const void* selecting);

 private:
  /// Waits in the queue as an event: a select() waits for several.
  class QueuedWaiter final : public ChannelWaiter {
   public:
    QueuedWaiter(const char* what, const ChannelBase& channel, void* offer,
                 const void* selecting) noexcept
        : ChannelWaiter{what, channel, offer, selecting} {}
    ~QueuedWaiter() override = default;
    [[nodiscard]] Event& event() noexcept { return event_; }

   private:
    /// Happens when the waiter is granted or refused.
    class Granted final : public Event {
     public:
      explicit Granted(const QueuedWaiter& waiter) noexcept : waiter_{waiter} { set(passive_flag); }
      ~Granted() override = default;
      void complete(const std::exception_ptr& error) noexcept { notify_and_close(Outcome{error}); }
      bool replay(Outcome& /*outcome*/) const override { return is_closed(); }
      [[nodiscard]] std::string info() const override { return waiter_.info(); }
      [[nodiscard]] std::string describe() const override { return waiter_.describe(); }

     private:
      const QueuedWaiter& waiter_;
    };
    void notify_others(const std::exception_ptr& error) noexcept override {
      event_.complete(error);
    }
    [[nodiscard]] bool has_others() const noexcept override { return event_.subscribers() != 0; }

    Granted event_{*this};
  };

  ChannelBase& channel_;
  std::optional<QueuedWaiter> waiter_;
  bool again_ = false;  // it was woken in vain and keeps its place
};

/// A case that is an event.
class AnyEventCase : public SelectCase {
 public:
  [[nodiscard]] bool is_ready() noexcept final {
    return event_.is_closed() || (event_.has(Event::hint_flag) && event_.is_ready());
  }
  Event& join(const void* selecting) final;
  void leave() noexcept final {}
  Woken woken() final { return Woken::done; }
  [[nodiscard]] bool expects_error() const noexcept final;

 protected:
  AnyEventCase(Event& event, Place place) : SelectCase{place}, event_{resolve(event)} {}
  ~AnyEventCase() = default;
  /// The event has ended: throws its error, unless that is what the case waits for.
  void throw_error();

 private:
  Event& event_;
};

/// Suspends until one of `cases` ends the wait; returns which, and whether it is done already.
struct Selected {
  std::size_t index = 0;
  bool done = false;
};
[[nodiscard]] Selected wait_for_one(SelectCase* const* cases, std::size_t count);

}  // namespace weft::detail
