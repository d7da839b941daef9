#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>

#include "weft/channel_error.hpp"
#include "weft/mistake.hpp"
#include "weft/place.hpp"
#include "weft/token.hpp"
#include "weft/trigger.hpp"

namespace weft {

/// Who waits at a ThreadChannel, on the stack of a coroutine of any thread.
class ThreadWaiter {
 public:
  ThreadWaiter() noexcept = default;
  ThreadWaiter(const ThreadWaiter&) = delete;
  ThreadWaiter& operator=(const ThreadWaiter&) = delete;

 private:
  friend class ThreadChannelCore;
  Trigger trigger_;
  ThreadWaiter* previous_ = nullptr;
  ThreadWaiter* next_ = nullptr;
  bool listed_ = false;
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
  /// Stands in line; `again`: it was woken in vain and keeps its place. The event happens with a
  /// hint, at once if there is something for it now.
  Event& join(ThreadWaiter& waiter, Side side, bool again) noexcept;
  /// It was woken, and looks at once.
  void arrive(ThreadWaiter& waiter, Side side) noexcept;
  /// It waits no more; a hint that it was given goes to the next.
  void leave(ThreadWaiter& waiter, Side side) noexcept;

 protected:
  /// Whether somebody of `side` need not wait. Under the lock.
  [[nodiscard]] virtual bool has_for(Side side) const noexcept = 0;
  /// Those who wait, in the order of their arrival.
  struct Line {
    ThreadWaiter* first = nullptr;
    ThreadWaiter* last = nullptr;
  };
  using Lock = std::unique_lock<std::mutex>;

  /// Suspends, without the lock, until somebody gives a hint: whoever comes back looks again. A
  /// hint that meets an exception goes to the next in `line`.
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
  static void unlink(Line& line, ThreadWaiter& waiter) noexcept;
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
  /// A value is moved straight into what the caller gets, so that one whose move throws is not
  /// lost: it stays, for somebody else.
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
    } catch (...) {  // the place stays free, for somebody else
      wake_first(senders_);
      throw;
    }
    wake_first(receivers_);
  }

  std::deque<T> values_;
};

/// Closes `channel` when the runtime of this thread ends, if there is one.
void close_with_runtime(const std::shared_ptr<ThreadChannelCore>& channel);

/// Hands values from thread to thread, in order, each to exactly one receiver. Waiting parks the
/// coroutine and not its thread; the try-variants never wait and need no runtime. Values are moved
/// through, so `T` must not share what is not safe to share.
///
/// Whoever has waited longest is woken first, but a wake-up is only a hint: a coroutine that comes
/// by may be faster, and then the woken one goes on waiting at the head of the line.
///
/// The channel is closed when it is destroyed, and when the runtime that it was made in ends.
template <class T>
class ThreadChannel {
 public:
  static_assert(std::is_object_v<T> && !std::is_const_v<T>, "a channel carries values");
  using value_type = T;

  /// Throws ValueError if `capacity` is 0: threads do not meet.
  explicit ThreadChannel(std::size_t capacity = 16)
      : core_{std::make_shared<TypedThreadChannel<T>>(capacity)} {
    static_assert(std::is_move_constructible_v<T>,
                  "the values of a channel are moved through it, and these cannot be: let it carry "
                  "std::unique_ptr<T>");
    close_with_runtime(core_);
  }
  ~ThreadChannel() { core_->close(CloseReason::disposed); }
  ThreadChannel(const ThreadChannel&) = delete;
  ThreadChannel& operator=(const ThreadChannel&) = delete;

  /// Suspends until there is room. Throws ChannelClosed, Cancelled, and OperationCancelled when
  /// `token` comes first; `value` is as it was then.
  void send(T&& value, Token token = {}, Place place = Place::here()) {
    const auto core = core_;
    core->send(std::move(value), token, place);
  }
  void send(const T& value, Token token = {}, Place place = Place::here()) {
    send(T(value), token, place);
  }
  /// False, and `value` is as it was, if there is no room or the channel is closed.
  bool try_send(T&& value) { return core_->try_send(std::move(value)); }
  bool try_send(const T& value) { return core_->try_send(T(value)); }

  /// Suspends until there is a value. Throws ChannelClosed when none is left in a closed channel,
  /// Cancelled, and OperationCancelled when `token` comes first; no value is lost then.
  T recv(Token token = {}, Place place = Place::here()) {
    const auto core = core_;
    return core->recv(token, place);
  }
  [[nodiscard]] std::optional<T> try_recv() { return core_->try_recv(); }

  class Iterator;
  /// Suspends, as each step does, until there is a value: `for (T value : channel)`. The loop ends
  /// when the channel was closed with close() and is empty; any other reason is thrown out of it as
  /// ChannelClosed. Each value can be read once, by one of those who loop.
  [[nodiscard]] Iterator begin(Place place = Place::here()) { return Iterator{core_, place}; }
  [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

  /// Nothing can be sent any more; what is in the channel can still be received. Wakes everybody.
  void close() noexcept { core_->close(); }
  [[nodiscard]] bool is_closed() const noexcept { return core_->is_closed(); }
  [[nodiscard]] std::size_t capacity() const noexcept { return core_->capacity(); }
  [[nodiscard]] std::size_t size() const noexcept { return core_->size(); }
  [[nodiscard]] bool is_empty() const noexcept { return size() == 0; }
  /// What outlives this object, for those who still wait.
  [[nodiscard]] const std::shared_ptr<TypedThreadChannel<T>>& core() const noexcept {
    return core_;
  }

 private:
  const std::shared_ptr<TypedThreadChannel<T>> core_;
};

template <class T>
class ThreadChannel<T>::Iterator {
 public:
  using iterator_concept = std::input_iterator_tag;
  using iterator_category = std::input_iterator_tag;
  using value_type = T;
  using difference_type = std::ptrdiff_t;
  using reference = T;
  using pointer = void;

  /// Gives the value away: by value, so that nobody can loop by reference.
  [[nodiscard]] T operator*() const { return T(std::move(*value_)); }
  Iterator& operator++() {
    next();
    return *this;
  }
  void operator++(int) { next(); }
  friend bool operator==(const Iterator& iterator, std::default_sentinel_t) noexcept {
    return !iterator.value_.has_value();
  }

 private:
  friend class ThreadChannel;
  Iterator(std::shared_ptr<TypedThreadChannel<T>> core, Place place)
      : core_{std::move(core)}, place_{place} {
    next();
  }
  void next() {
    value_.reset();
    try {
      value_.emplace(core_->recv({}, place_));
    } catch (const ChannelClosed& closed) {
      if (closed.reason() != CloseReason::explicitly) throw;
    }
  }

  std::shared_ptr<TypedThreadChannel<T>> core_;
  Place place_;
  mutable std::optional<T> value_;
};

template <class T>
class ThreadChannel<T&> : public ThreadChannel<T> {
  static_assert(always_false<T>,
                "a channel carries values, not references: other threads must not "
                "share them");
  using ThreadChannel<T>::ThreadChannel;
};

}  // namespace weft
