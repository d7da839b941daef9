#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <vector>

#include "base/for_siblings.hpp"
#include "base/notify_list.hpp"
#include "reactor/readiness.hpp"
#include "weft/detail/intrusive_list.hpp"
#include "weft/extend/poll_event.hpp"
#include "weft/ref.hpp"

namespace weft {

class Reactor;

/// A coroutine or a request of a stream that waits for one way of a descriptor. It is notified
/// once: streams are many, and so their wait touches nothing but this and the descriptor.
class ReadinessWaiter {
 public:
  /// A hidden one does not keep the loop alive: what it serves counts by itself.
  enum class Counts : bool { hidden, active };
  /// `stream` is only compared.
  ReadinessWaiter(const Event& stream, Counts counts) noexcept
      : stream_{stream}, is_hidden_{counts == Counts::hidden} {}
  ReadinessWaiter(const ReadinessWaiter&) = delete;
  ReadinessWaiter& operator=(const ReadinessWaiter&) = delete;
  /// What it waited for may be true. It does not wait any more.
  virtual void on_ready() noexcept = 0;
  /// What it waited for will never be true, as `error` says. It does not wait any more.
  virtual void on_closed(const std::exception_ptr& error) noexcept = 0;
  /// The coroutine that waits with it, which is an event as well; null if there is none.
  [[nodiscard]] virtual Event* coroutine() const noexcept { return nullptr; }
  [[nodiscard]] bool is_waiting() const noexcept { return list_links_.is_listed(); }

 protected:
  virtual ~ReadinessWaiter() = default;

 private:
  friend class Descriptor;
  friend class detail::ListAccess;

  const Event& stream_;
  detail::ListLinks<ReadinessWaiter> list_links_;  // in the descriptor
  std::uint32_t round_;                            // of the last report before it was added
  bool is_hidden_;
};

/// One descriptor in one loop, and its waiters. There is one per number, found in the table of the
/// reactor, because the kernel keeps one watch for each.
///
/// For streams the descriptor is watched edge-triggered, once for all, and the Descriptor remembers
/// what was reported. Other Polls are level-triggered: while there is one, the watch is
/// level-triggered and covers just what is wanted.
class Descriptor : public Counted<Descriptor> {
 public:
  /// Finds or makes the Descriptor of `number`.
  WEFT_FOR_SIBLINGS static Ref<Descriptor> of(Reactor& reactor, int number);

  /// Throws std::system_error if it cannot be watched.
  void enter(Poll& poll);
  void leave(Poll& poll) noexcept;
  /// A stream begins to use it. The number may have been another file's when the watch began.
  void add_stream() noexcept;
  /// A stream ends, but the descriptor stays: only waits of that stream throw `error`.
  void remove_stream(const Event& stream, const std::exception_ptr& error) noexcept;

  /// Keeps the Descriptor and its edge-triggered watch until the descriptor is closed or the loop
  /// ends, so that repeated waits need no epoll_ctl.
  void keep() noexcept {
    if (is_kept_) return;
    is_kept_ = true;
    retain();
    doubt();
  }

  /// The number may have passed to another file: the next wait tells the kernel again.
  void doubt() noexcept { is_unsure_ = armed_ != 0; }

  /// What happens to the number itself.
  enum class AfterDetach : std::uint8_t { stays_open, is_closed_next, close_it };
  /// All waits throw `error`, and the watch ends.
  WEFT_FOR_SIBLINGS void close(const std::exception_ptr& error, AfterDetach after) noexcept;
  /// The loop ends before its descriptors do.
  void abandon() noexcept;
  /// The loop of a forked child watches nothing yet: watches again.
  void watch_anew() noexcept;
  void report(unsigned mask) noexcept;

  // For streams. A way is Poll::readable or Poll::writable.

  /// Whether a try would probably succeed: readiness was reported, and no try has failed since. A
  /// guess that saves a system call.
  [[nodiscard]] bool is_ready(unsigned way) const noexcept { return (ready_ & way) != 0; }
  /// A try would have blocked. The next edge will be reported.
  void found_unready(unsigned way) noexcept {
    ready_ &= ~way;
    if ((way & Poll::readable) != 0) more_follows_ = false;
  }
  /// A read got all there was. If more follows, such as the end of the stream, that edge may have
  /// been reported together with the data and would not come again.
  void found_drained() noexcept {
    if (!more_follows_) ready_ &= ~unsigned{Poll::readable};
  }
  /// Notifies `waiter` when `way` is ready. Throws std::system_error if it cannot be watched.
  WEFT_FOR_SIBLINGS void add(ReadinessWaiter& waiter, unsigned way);
  /// Does nothing for one that was notified.
  WEFT_FOR_SIBLINGS void remove(ReadinessWaiter& waiter) noexcept;
  /// The runtime ends: removes the waiters without a notification.
  void remove_waiters() noexcept;
  /// The memory that a report will need.
  void prefetch_waiters() const noexcept { __builtin_prefetch(readers_.first()); }

  [[nodiscard]] bool is_awaited() const noexcept {
    return !polls_.empty() || !readers_.empty() || !writers_.empty();
  }
  /// The first coroutine that waits for `way` without a Poll; null if there is none.
  [[nodiscard]] Event* first_coroutine(unsigned way) const noexcept;
  /// The first Poll that waits for something in `mask`; null if there is none.
  [[nodiscard]] Poll* first_poll(unsigned mask) const noexcept;
  /// Its loop; null if that is gone.
  [[nodiscard]] Reactor* reactor() const noexcept { return reactor_; }
  /// The mask that the kernel watches for.
  [[nodiscard]] unsigned armed() const noexcept { return armed_; }
  [[nodiscard]] int number() const noexcept { return static_cast<int>(key_ & 0xffff'ffffU); }
  /// Differs from the keys of earlier descriptors with the same number.
  [[nodiscard]] Readiness::Key key() const noexcept { return key_; }

 private:
  friend class Counted<Descriptor>;
  Descriptor(Reactor& reactor, Readiness::Key key) noexcept : reactor_{&reactor}, key_{key} {}
  WEFT_FOR_SIBLINGS ~Descriptor();
  /// Short: several handles of one descriptor are rare.
  using Waiters = detail::SlimList<ReadinessWaiter>;
  using Polls = NotifyList<Poll>;
  void notify_waiters(unsigned ways) noexcept;
  void notify_all(Waiters& waiters) noexcept;
  static void end_wait(ReadinessWaiter& waiter, Reactor* reactor,
                       const std::exception_ptr& error) noexcept;
  int watch_for_stream(unsigned way) noexcept;
  [[noreturn]] void throw_cannot_watch(int error, bool known) const;
  static void notify_polls(Polls::Round& present, unsigned mask, bool terminal,
                           unsigned ways) noexcept;
  void notify_error(int error) noexcept;
  [[nodiscard]] unsigned wanted() const noexcept;
  [[nodiscard]] bool is_false_alarm() const noexcept;
  void make_non_blocking() noexcept;
  /// Watches for what is wanted now. Returns an errno, or 0.
  int refresh() noexcept;
  int watch(unsigned mask, Readiness::Style style) noexcept;
  /// Drops the reference of keep().
  void release_kept() noexcept;
  /// Leaves the loop: from here on the number may be another descriptor's.
  void detach(AfterDetach after = AfterDetach::is_closed_next) noexcept;

  Reactor* reactor_;
  Readiness::Key key_;
  Waiters readers_;
  Waiters writers_;
  Polls polls_;
  std::uint32_t round_ = 0;
  std::uint32_t streams_ = 0;  // streams that use it
  std::uint32_t others_ = 0;   // waiting Polls that are not a stream's
  unsigned ready_ = 0;
  unsigned armed_ = 0;
  // Reported bits, masked until the next wait, because level-triggered they recur in every turn.
  unsigned spent_ = 0;
  Readiness::Style style_ = Readiness::Style::level;
  bool is_broken_ = false;     // reported to all Polls; masked until one waits again
  bool is_unsure_ = false;     // the number may be another file's than the watched one
  bool more_follows_ = false;  // after the data: an end, an error, or urgent data
  bool is_non_blocking_ = false;
  bool is_kept_ = false;  // it holds a reference on itself
  enum class Sort : std::uint8_t { unknown, stream_socket, other };
  mutable Sort sort_ = Sort::unknown;
};

/// The descriptors of a reactor by their number.
class DescriptorTable {
 public:
  [[nodiscard]] Descriptor* find(int number) const noexcept {
    const auto index = static_cast<std::size_t>(number);
    return index < by_number_.size() ? by_number_[index] : nullptr;
  }
  /// The Descriptor that a report is for; null if it is gone.
  [[nodiscard]] Descriptor* find(Readiness::Key key) const noexcept {
    Descriptor* const found = find(static_cast<int>(key & 0xffff'ffffU));
    return found != nullptr && found->key() == key ? found : nullptr;
  }
  /// One more than the highest number that may be in the table.
  [[nodiscard]] std::size_t end_of_numbers() const noexcept { return by_number_.size(); }
  void prefetch(Readiness::Key key) const noexcept {
    __builtin_prefetch(find(static_cast<int>(key & 0xffff'ffffU)));
  }
  /// A unique key, and room in the table for it.
  [[nodiscard]] Readiness::Key make_key(int number);
  void set(int number, Descriptor* descriptor) noexcept {
    by_number_[static_cast<std::size_t>(number)] = descriptor;
  }
  void watch_anew() noexcept;
  void remove_waiters() noexcept;
  void abandon_all() noexcept;

 private:
  std::vector<Descriptor*> by_number_;
  std::uint32_t made_ = 0;
};

}  // namespace weft
