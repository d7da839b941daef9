#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "weft/channel_error.hpp"
#include "weft/detail/intrusive_list.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"
#include "weft/trigger.hpp"

namespace weft::detail {

/// A waiter of a ThreadChannel, on the stack of a coroutine of any thread.
class ThreadWaiter {
 public:
  ThreadWaiter() noexcept = default;
  ThreadWaiter(const ThreadWaiter&) = delete;
  ThreadWaiter& operator=(const ThreadWaiter&) = delete;

 private:
  friend class ListAccess;
  friend class ThreadChannelCore;
  [[nodiscard]] bool is_listed() const noexcept { return list_links_.is_listed(); }

  Trigger trigger_;
  ListLinks<ThreadWaiter> list_links_;
  bool again_ = false;  // it lost a race and keeps its place
};

/// What all thread channels have in common, whatever they carry. Everything is guarded by `mutex`.
class ThreadChannelCore {
 public:
  explicit ThreadChannelCore(std::size_t capacity);
  virtual ~ThreadChannelCore();
  ThreadChannelCore(const ThreadChannelCore&) = delete;
  ThreadChannelCore& operator=(const ThreadChannelCore&) = delete;

  void close(CloseReason reason = CloseReason::explicitly) noexcept;
  [[nodiscard]] bool is_closed() const noexcept;
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

  // For select(), whose cases wait for several things at once.
  enum class Side : std::uint8_t { receivers, senders };
  /// Joins the queue; `again`: it was woken in vain and keeps its place. The event happens with a
  /// hint, at once if there is something for it now.
  Event& join(ThreadWaiter& waiter, Side side, bool again) noexcept;
  /// Called when `waiter` was woken and is about to try.
  void arrive(ThreadWaiter& waiter, Side side) noexcept;
  /// Ends the wait of `waiter`; a hint that it was given goes to the next.
  void leave(ThreadWaiter& waiter, Side side) noexcept;

 protected:
  /// Whether a coroutine of `side` need not wait. Under the lock.
  [[nodiscard]] virtual bool has_for(Side side) const noexcept = 0;
  /// Waiters in the order of their arrival.
  using Line = IntrusiveList<ThreadWaiter>;
  using Lock = std::unique_lock<std::mutex>;

  /// Suspends, without the lock, until there is a hint; the caller then tries again. If the wait
  /// throws, a hint that it was given goes to the next in `line`.
  void park(ThreadWaiter& waiter, Line& line, Lock& lock, Token token, Place place);
  static void wake_first(Line& line) noexcept;
  void check_open() const {
    if (reason_ != CloseReason::none) throw ChannelClosed{reason_};
  }

  mutable std::mutex mutex_;
  const std::size_t capacity_;
  CloseReason reason_ = CloseReason::none;
  Line receivers_;
  Line senders_;

 private:
  [[nodiscard]] Line& line(Side side) noexcept {
    return side == Side::receivers ? receivers_ : senders_;
  }
  static void push(Line& line, ThreadWaiter& waiter) noexcept;
};

/// The channel itself; ThreadChannel holds one.
template <class T>
class TypedThreadChannel final : public ThreadChannelCore {
 public:
  using ThreadChannelCore::ThreadChannelCore;
  ~TypedThreadChannel() override = default;

  void send(T&& value, Token token, Place place) {
    ThreadWaiter waiter;
    Lock lock{mutex_};
    for (;;) {
      check_open();
      if (values_.size() < capacity_) break;
      park(waiter, senders_, lock, token, place);
    }
    put(std::move(value));
  }
  bool try_send(T&& value) {
    const Lock lock{mutex_};
    if (reason_ != CloseReason::none || values_.size() >= capacity_) return false;
    put(std::move(value));
    return true;
  }
  T recv(Token token, Place place) {
    ThreadWaiter waiter;
    Lock lock{mutex_};
    while (values_.empty()) {
      check_open();
      park(waiter, receivers_, lock, token, place);
    }
    const Taking taking{*this};
    return T(std::move(values_.front()));
  }
  std::optional<T> try_recv() {
    const Lock lock{mutex_};
    if (values_.empty()) return std::nullopt;
    const Taking taking{*this};
    return std::optional<T>{std::in_place, std::move(values_.front())};
  }
  /// Moves a value into `into`, if there is one. Throws ChannelClosed when none can come.
  bool recv_now(std::optional<T>& into) {
    const Lock lock{mutex_};
    if (values_.empty()) {
      check_open();
      return false;
    }
    const Taking taking{*this};
    into.emplace(std::move(values_.front()));
    return true;
  }
  /// Sends `value`, if there is room. Throws ChannelClosed.
  bool send_now(T&& value) {
    const Lock lock{mutex_};
    check_open();
    if (values_.size() >= capacity_) return false;
    put(std::move(value));
    return true;
  }
  [[nodiscard]] std::size_t size() const noexcept {
    const Lock lock{mutex_};
    return values_.size();
  }

 private:
  [[nodiscard]] bool has_for(Side side) const noexcept override {
    return side == Side::receivers ? !values_.empty() : values_.size() < capacity_;
  }
  /// A value is moved straight into the caller's result, so that a value whose move throws is not
  /// lost: it stays for another receiver.
  class Taking {
   public:
    explicit Taking(TypedThreadChannel& channel) noexcept : channel_{channel} {}
    ~Taking() {
      if (std::uncaught_exceptions() == before_) {
        channel_.values_.pop_front();
        wake_first(channel_.senders_);
      } else {
        wake_first(channel_.receivers_);
      }
    }
    Taking(const Taking&) = delete;
    Taking& operator=(const Taking&) = delete;

   private:
    TypedThreadChannel& channel_;
    const int before_ = std::uncaught_exceptions();
  };

  void put(T&& value) {
    try {
      values_.push_back(std::move(value));
    } catch (...) {  // the slot stays free for another sender
      wake_first(senders_);
      throw;
    }
    wake_first(receivers_);
  }

  std::deque<T> values_;
};

/// Closes `channel` when the runtime of this thread ends, if there is one.
void close_with_runtime(const std::shared_ptr<ThreadChannelCore>& channel);

/// Lets select() reach the core of a ThreadChannel.
struct ThreadChannelAccess {
  template <class Channel>
  static const auto& core(const Channel& channel) noexcept {
    return channel.core_;
  }
};

}  // namespace weft::detail
