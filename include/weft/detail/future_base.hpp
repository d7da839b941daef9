#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "weft/detail/intrusive_list.hpp"
#include "weft/extend/coroutine_base.hpp"
#include "weft/extend/event.hpp"
#include "weft/extend/packed_place.hpp"
#include "weft/place.hpp"

namespace weft {
class ChainRun;
class CoroutineBase;
class Owner;
}  // namespace weft

namespace weft::detail {

class FutureLink;

/// The state that a Promise and its Futures share, whatever the type of the value: an event that
/// closes when it is completed. FutureState, which stores the value, says what code that makes
/// futures of its own may call.
class FutureBase : public Event {
 public:
  [[nodiscard]] bool is_completed() const noexcept { return is_closed(); }
  [[nodiscard]] bool is_cancelled() const noexcept;
  [[nodiscard]] Place created_at() const noexcept { return created_.unpack(); }
  /// Where it was completed, failed or cancelled; empty while it is pending.
  [[nodiscard]] Place completed_at() const noexcept { return completed_.unpack(); }
  using Event::replay;
  bool replay(Outcome& outcome) const override;
  [[nodiscard]] std::string info() const override;
  /// Its purpose, and where it was created.
  [[nodiscard]] std::string describe() const override;
  /// The error it was completed with, or null. Reading it does not count as handling it.
  [[nodiscard]] virtual const std::exception_ptr& error() const noexcept = 0;

  enum class By : std::uint8_t { reader, writer };
  /// Completes it with Cancelled. Does nothing if it is completed.
  void cancel(std::string reason, Place place, By who) noexcept;
  /// The same with an error; see as_cancellation().
  void cancel(std::exception_ptr error, Place place, By who) noexcept;
  /// Suppresses the warnings about an unused future and an unhandled error.
  void ignore() noexcept;
  /// An unread error is written as a warning when the state is destroyed. After this call it also
  /// ends the program, as that of a coroutine does.
  void rethrow_if_unread() noexcept { rethrows_ = true; }
  /// Completes it with `error`. Throws MisuseError if a writer has completed it already.
  void fail(std::exception_ptr error, Place place);
  /// The writer is destroyed: if it has not completed the future, waiters get BrokenPromise.
  void abandon() noexcept;

  /// Futures are counted apart from references: a state without readers need not be completed.
  void add_reader() noexcept {
    if (readers_++ == 0) retain();
    had_reader_ = true;
  }
  void drop_reader() noexcept {
    if (readers_ == 1) return drop_last_reader();
    --readers_;
  }
  /// Whether a single Future, and nothing else, refers to it: that has a reference of its own,
  /// besides the one of all readers.
  [[nodiscard]] bool has_single_reader() const noexcept {
    return readers_ == 1 && references() == 2;
  }
  /// Runs `link` when this is completed, in a coroutine of the current scope. Throws std::bad_alloc
  /// and MisuseError, which names `operation`, and then nothing changed.
  void attach(std::unique_ptr<FutureLink> link, const char* operation, Place place);

 protected:
  explicit FutureBase(Place created) noexcept : created_{created} { set(passive_flag); }
  ~FutureBase() override;

  virtual void store_error(std::exception_ptr error) noexcept = 0;
  /// The stored outcome, lent to the callbacks.
  [[nodiscard]] virtual Outcome stored_outcome() const noexcept = 0;
  /// Called when the outcome is no longer wanted: the last future of a pending one was destroyed,
  /// or its reader is about to cancel it. For producers that keep a pending one in a queue.
  virtual void unwanted() noexcept {}
  /// Called before a chain is attached. For producers that must know of waiters. If it throws,
  /// nothing is attached.
  virtual void linked() {}
  [[nodiscard]] bool has_readers() const noexcept { return readers_ != 0; }

  /// Claims the right to write. False: its reader has cancelled it, so that the value is not
  /// wanted. Throws MisuseError if it was written already.
  bool begin_write();
  void undo_write() noexcept { written_ = false; }
  /// Whether the outcome was read, thrown, or handed to a chain. For producers that want back what
  /// was not taken.
  [[nodiscard]] bool is_taken() const noexcept {
    return taken_ || (has(error_caught_flag) && !ignored_);
  }
  void mark_taken() noexcept { taken_ = true; }
  void unmark_taken() noexcept { taken_ = false; }
  /// Closes after the outcome was stored, wakes the waiters, starts the chains.
  void resolve(Place place, ChainRun* run = nullptr) noexcept;
  void notified(const Outcome& outcome) noexcept override;
  void dispose() noexcept override;

 private:
  friend class weft::ChainRun;
  void drop_last_reader() noexcept;
  void break_promise() noexcept;
  void warn_if_unused() const noexcept;
  void start_links(ChainRun* run) noexcept;
  void drop_incoming() noexcept;
  FutureLink* pop_link() noexcept;

  PackedPlace created_;
  PackedPlace completed_;
  IntrusiveList<FutureLink> links_;  // the chains, in the order in which they were attached
  FutureLink* incoming_ = nullptr;   // completes this one; set while its source is pending
  std::uint32_t readers_ = 0;
  bool had_reader_ = false;  // a Future has existed
  bool written_ = false;     // the writer has completed it
  bool taken_ = false;       // the value was taken
  bool ignored_ = false;     // ignore() was called; the value may still be there
  bool rethrows_ = false;
};

/// One function attached to a future, and the future it will complete.
class FutureLink {
 public:
  explicit FutureLink(Ref<FutureBase> target) noexcept : target_{std::move(target)} {}
  virtual ~FutureLink();
  FutureLink(const FutureLink&) = delete;
  FutureLink& operator=(const FutureLink&) = delete;

 protected:
  /// Suspends if the function does: runs it and stores its outcome in the target.
  virtual void run(FutureBase& source) = 0;
  /// Whether the function must be called although the target was cancelled.
  [[nodiscard]] virtual bool is_clean_up() const noexcept { return false; }
  [[nodiscard]] FutureBase& target() const noexcept { return *target_; }

 private:
  friend class weft::ChainRun;
  friend class FutureBase;
  friend class ListAccess;
  void drop_reservation() noexcept;

  Ref<FutureBase> target_;
  Ref<FutureBase> source_;
  Ref<CoroutineBase> runner_;  // made when attached: completing allocates nothing
  Ref<Event> life_;            // closed when the runtime it was attached in ends
  ChainRun* run_ = nullptr;    // belongs to the runner
  Owner* owner_ = nullptr;
  bool pinned_ = false;  // the owner is kept alive for this link
  Place place_;
  ListLinks<FutureLink> list_links_;  // in its source, then in a ChainRun
  FutureBase* pending_at_ = nullptr;  // the source, while it is pending
};

}  // namespace weft::detail
