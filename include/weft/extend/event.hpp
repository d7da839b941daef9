#pragma once

#include "weft/detail/abi.hpp"

#include <cstdint>
#include <exception>
#include <string>

#include "weft/detail/callback_vector.hpp"
#include "weft/extend/callback.hpp"
#include "weft/ref.hpp"

namespace weft {

class Event;
class NotifyHandler;

/// The object of a host that `event` is part of, as the host gave it; null if it is part of none.
/// An EventRef is followed to its target.
[[nodiscard]] void* object_of(Event& event) noexcept;

/// Anything that can be waited for. It is started and stopped, notifies its callbacks, may replay a
/// stored outcome, and is closed when it will never notify again.
///
/// To make a kind of your own, derive, call `notify()` when it happens, and describe it in
/// `info()`. It then works with await(), timeouts, cancellation and the deadlock report.
class Event {
 public:
  /// States and properties of an event.
  enum Flag : std::uint32_t {
    closed_flag = 1U << 0U,             ///< finished: no subscription, start and stop do nothing
    result_used_flag = 1U << 1U,        ///< the result will be consumed
    error_caught_flag = 1U << 2U,       ///< the error will be caught
    host_object_flag = 1U << 3U,        ///< counted by a host object, not here
    no_free_memory_flag = 1U << 4U,     ///< the last reference does not free it
    exception_handled_flag = 1U << 5U,  ///< a callback handled the error
    reference_flag = 1U << 6U,          ///< an EventRef, not an event
    close_descriptor_flag = 1U << 7U,   ///< close the descriptor with the event
    hidden_flag = 1U << 8U,             ///< takes no part in deadlock detection
    disposing_flag = 1U << 9U,          ///< the last reference is gone
    passive_flag = 1U << 10U,           ///< start and stop do nothing: need not be called
    hint_flag = 1U << 11U,              ///< notifies that is_ready() has become true; see HintEvent
  };

  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  /// Subscribes and takes a reference on `callback`. False if the event is closed or `callback` is
  /// subscribed already. Throws std::bad_alloc, and then nothing changed.
  virtual bool add_callback(Callback& callback);
  /// Unsubscribes and disposes `callback`, in constant time. False if it is not subscribed here.
  virtual bool remove_callback(Callback& callback) noexcept;

  /// Arms the event for one more waiter. Only events of the loop do something here, and count it;
  /// see LoopEvent.
  virtual bool start();
  /// Undoes one start; the last one disarms the event.
  virtual bool stop() noexcept;
  /// Returns the stored outcome of a completed event. False: not completed, or none is stored.
  virtual bool replay(Outcome& outcome) const;
  /// Calls `callback` at once with the stored outcome, if there is one.
  bool replay(Callback& callback);
  /// Whether a wait for it would end at once. Called before a coroutine parks for kinds with
  /// hint_flag, which become ready again and again; the others are ready when they are closed.
  [[nodiscard]] virtual bool is_ready() const noexcept { return is_closed(); }
  /// Describes the event for messages.
  [[nodiscard]] virtual std::string info() const;
  /// The same for debugging: also its id, where it was created, its peer and its purpose. Shown by
  /// dump(), awaiting() and the deadlock report.
  [[nodiscard]] virtual std::string describe() const;

  /// Whether it will never notify again.
  [[nodiscard]] bool is_closed() const noexcept { return has(closed_flag); }
  /// Whether deadlock detection leaves it out.
  [[nodiscard]] bool is_hidden() const noexcept { return has(hidden_flag); }
  /// A hidden event may fire, but deadlock detection does not count it.
  virtual void set_hidden(bool hidden) noexcept { set(hidden_flag, hidden); }

  /// Whether `flag` is set.
  [[nodiscard]] bool has(Flag flag) const noexcept { return (flags_ & flag) != 0; }
  /// Sets `flag`, or clears it.
  void set(Flag flag, bool value = true) noexcept {
    flags_ = value ? flags_ | flag : flags_ & ~static_cast<std::uint32_t>(flag);
  }

  // Not by Counted: an object of a host may count instead, and the last reference disposes the
  // event, which need not be on the heap.
  void retain() noexcept {
    if (has(host_object_flag)) [[unlikely]]
      return host_retain();
    ++references_;
  }
  void release() noexcept {
    if (has(host_object_flag)) [[unlikely]]
      return host_release();
    if (references_ > 1) {
      --references_;
    } else {
      release_last();
    }
  }
  [[nodiscard]] std::uint32_t references() const noexcept { return references_; }
  /// How often it was started and not stopped.
  [[nodiscard]] std::uint32_t loop_references() const noexcept { return loop_references_; }
  /// How many callbacks are subscribed.
  [[nodiscard]] std::uint32_t subscribers() const noexcept { return callbacks_.size(); }
  /// The one that subscribed first; null if there is none.
  [[nodiscard]] Callback* first_subscriber() noexcept { return callbacks_.first(); }
  void free_with_last_reference() noexcept { set(no_free_memory_flag, false); }

  /// Makes the event notify `handler` instead of the callbacks; it forwards the outcome to them,
  /// changed or not. Null removes it. An event has one at most. Throws std::bad_alloc, and then
  /// nothing changed.
  virtual void set_notify_handler(Ref<NotifyHandler> handler);

  /// Claims the error of the notification in progress: it will not count as unhandled.
  void claim_error() noexcept { set(exception_handled_flag); }

 protected:
  /// Count 1 and no_free_memory: right for an event on the stack; make_ref() lets the last
  /// reference free it.
  Event() noexcept = default;
  /// Waiters that are left are woken with ObjectDestroyed. No reference may be left (asserted).
  virtual ~Event() {
    if (!callbacks_.empty() || references_ > 1) [[unlikely]]
      destroyed_in_use();
  }
  /// For the destructor of a kind, as long as info() can still name it: notifies the remaining
  /// callbacks with ObjectDestroyed, so that no coroutine waits forever.
  void fail_waiters() noexcept {
    if (!callbacks_.empty()) [[unlikely]]
      fail_callbacks();
  }

  /// Notifies the callbacks. Does nothing on a closed event.
  void notify(const Outcome& outcome = {}) noexcept;
  /// Stops the event permanently, closes it, then notifies the callbacks, which see it closed.
  void notify_and_close(const Outcome& outcome = {}) noexcept;
  /// Closes without a notification.
  void close_quietly() noexcept { set(closed_flag); }

  /// The notify handler of a kind: called before the callbacks, may change the outcome, and
  /// forwards it with `notify_callbacks`.
  virtual void notified(const Outcome& outcome) noexcept { notify_callbacks(outcome); }
  /// Calls every callback with `outcome`.
  void notify_callbacks(const Outcome& outcome) noexcept { callbacks_.notify(*this, outcome); }
  /// Calls the notify handler that was set, else `notified`.
  void call_notify_handler(const Outcome& outcome) noexcept {
    if (callbacks_.handler() != nullptr) [[unlikely]]
      return call_handler(outcome);
    notified(outcome);
  }

  /// Count the references of an event in a host object (host_object_flag).
  virtual void host_retain() noexcept {}
  /// Gives back what host_retain() took.
  virtual void host_release() noexcept {}
  /// That object, as the host knows it; see object_of().
  [[nodiscard]] virtual void* host_object() const noexcept { return nullptr; }
  /// The last reference is gone; the count is 0 already. Frees the event, unless
  /// no_free_memory_flag is set.
  virtual void dispose() noexcept;

  /// Counts a start; returns the count.
  std::uint32_t add_loop_reference() noexcept { return ++loop_references_; }
  /// Counts a stop; returns the count.
  std::uint32_t drop_loop_reference() noexcept { return --loop_references_; }
  /// Sets the count of starts to zero.
  void drop_all_loop_references() noexcept { loop_references_ = 0; }
  /// Whether a callback is subscribed or a notify handler is set.
  [[nodiscard]] bool is_listened_to() const noexcept { return !callbacks_.is_unused(); }
  /// Whether a notify handler is set.
  [[nodiscard]] bool has_notify_handler() const noexcept { return callbacks_.handler() != nullptr; }
  /// Whether a notification is in progress.
  [[nodiscard]] bool is_notifying() const noexcept { return callbacks_.is_notifying(); }
  /// Disposes all callbacks without a notification. Does nothing, with a warning, while notifying.
  void drop_callbacks() noexcept { callbacks_.clear(); }

 private:
  friend class NotifyHandler;
  friend void* object_of(Event& event) noexcept;
  [[gnu::cold]] void destroyed_in_use() noexcept;
  [[gnu::cold]] void fail_callbacks() noexcept;
  [[gnu::cold]] void call_handler(const Outcome& outcome) noexcept;
  void release_last() noexcept;
  void deliver_outcome(const Outcome& outcome) noexcept;

  detail::CallbackVector callbacks_;
  std::uint32_t references_ = 1;
  std::uint32_t loop_references_ = 0;
  std::uint32_t flags_ = no_free_memory_flag;
};

static_assert(sizeof(Event) <= 64);

/// Called before the callbacks of an event, in their place; see Event::set_notify_handler(). Its
/// `on_notify` may replace the outcome, and calls `forward`, once or not at all.
class NotifyHandler : public Callback {
 protected:
  NotifyHandler() noexcept = default;
  ~NotifyHandler() override = default;
  /// Passes `outcome` on to the callbacks of `event`.
  static void forward(Event& event, const Outcome& outcome) noexcept { event.notified(outcome); }
};

/// Refers to an event that lives elsewhere, for hosts whose objects cannot contain one because its
/// native handle closes later than the object. Waiting for it means waiting for its target.
class EventRef final : public Event {
 public:
  /// Stands for `target`, and keeps it; null for a closed reference.
  explicit EventRef(Ref<Event> target = {}) noexcept : target_{std::move(target)} {
    set(reference_flag);
  }
  /// The event it stands for; null if there is none.
  [[nodiscard]] Event* target() const noexcept { return target_.get(); }
  /// Releases the event; it stays in the loop as long as needed.
  void reset() noexcept { target_ = nullptr; }
  /// Whether the event was released or is closed.
  [[nodiscard]] bool is_completed() const noexcept { return !target_ || target_->is_closed(); }
  [[nodiscard]] std::string info() const override;
  [[nodiscard]] std::string describe() const override;

 private:
  Ref<Event> target_;
};

/// The event that an EventRef refers to, through any number of them. Throws MisuseError for an
/// EventRef without a target.
[[nodiscard]] Event& follow(Event& event);
/// The event itself, through any EventRef. Throws like follow().
[[nodiscard]] inline Event& resolve(Event& event) {
  return event.has(Event::reference_flag) ? follow(event) : event;
}

}  // namespace weft
