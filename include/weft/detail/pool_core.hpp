#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weft/circuit_breaker.hpp"
#include "weft/extend/coroutine_base.hpp"
#include "weft/extend/hint_event.hpp"
#include "weft/extend/origin.hpp"
#include "weft/extend/wait_list.hpp"
#include "weft/place.hpp"
#include "weft/ref.hpp"
#include "weft/time.hpp"
#include "weft/token.hpp"

namespace weft::detail {

class Held;

/// One resource of a pool, stored here for its whole life.
class PoolSlot {
 public:
  PoolSlot() noexcept = default;
  PoolSlot(const PoolSlot&) = delete;
  PoolSlot& operator=(const PoolSlot&) = delete;

 protected:
  ~PoolSlot() = default;

 private:
  friend class Held;
  friend class PoolCore;
  PoolSlot* next_ = nullptr;  // while idle; none is taken from the middle, so one link is enough
};

/// The part of Pool<T> that does not depend on T; reference-counted, because leases may outlive
/// their pool.
///
/// A place is the right to one resource, and there are `max` of them. Each is free, or idle with
/// its resource, or active: in use, being created, checked or destroyed, or reserved for a waiter.
/// Coroutines wait only while no place is free or idle.
class PoolCore : public CircuitBreaker, public WaitedFor, public Counted<PoolCore> {
 public:
  struct Limits {
    int min = 0;
    int max = 10;
    Duration check_every{};
  };
  struct Hooks {  // which hooks were given
    bool healthy = false;
    bool before_acquire = false;
    bool before_release = false;
  };

  /// Creates the first `min` resources and starts to check them.
  void open();
  /// Suspends as Pool::acquire() does; try_acquire() returns null instead of waiting.
  [[nodiscard]] PoolSlot& acquire(Token token, Place place) {
    if (quick_acquire_ && first_idle_ != nullptr) [[likely]]
      return pop_idle();
    return acquire_slowly(token, place);
  }
  [[nodiscard]] PoolSlot* try_acquire();
  /// Takes a resource back. Returns the error of destroying it, if any.
  std::exception_ptr give_back(PoolSlot& slot) noexcept {
    if (!quick_release_ || !queue_.is_empty()) [[unlikely]]
      return give_back_slowly(slot);
    push_idle(slot);
    return nullptr;
  }
  void close();
  /// The same; warns of an error instead of throwing it.
  void close_quietly() noexcept;
  /// The pool is destroyed: closes, and waiters of its event get PoolClosed.
  void dispose() noexcept;
  /// Ready when try_acquire() would succeed.
  [[nodiscard]] Event& event();
  [[nodiscard]] bool is_closed() const noexcept { return closed_; }
  [[nodiscard]] std::size_t idle() const noexcept { return idle_; }
  [[nodiscard]] std::size_t active() const noexcept { return total_ - idle_; }
  [[nodiscard]] std::size_t waiting() const noexcept { return queue_.size(); }

  [[nodiscard]] std::uint64_t id() const noexcept { return origin_.id(); }
  [[nodiscard]] std::string info() const;
  [[nodiscard]] std::string describe() const override;
  [[nodiscard]] std::string brief() const override { return info(); }

  [[nodiscard]] State state() const noexcept final { return state_; }
  void activate() final { move_to(State::active); }
  void deactivate() final;
  void recover() final { move_to(State::recovering); }

  /// Throws MisuseError for a lease that holds nothing.
  [[noreturn]] static void refuse_empty_lease();
  /// Warns of an error that cannot be thrown.
  static void warn_of_error(const char* what, const std::exception_ptr& error) noexcept;

 protected:
  /// Throws ValueError for invalid limits.
  PoolCore(const Limits& limits, Hooks hooks, std::unique_ptr<CircuitBreakerStrategy> strategy,
           Place place);
  virtual ~PoolCore();

  // The hooks; all may suspend and throw.
  /// A new resource, or null if the factory returns nothing.
  virtual PoolSlot* make() = 0;
  /// Destroys the resource, even if it throws.
  virtual void drop(PoolSlot& slot) = 0;
  virtual bool is_healthy(PoolSlot& slot) = 0;
  virtual bool before_acquire(PoolSlot& slot) = 0;
  virtual bool before_release(PoolSlot& slot) = 0;

 private:
  friend class Counted<PoolCore>;
  friend class Held;
  class QueuedWaiter;
  class Checks;
  class Hint;

  PoolSlot& pop_idle() noexcept {
    PoolSlot& slot = *first_idle_;
    first_idle_ = std::exchange(slot.next_, nullptr);
    --idle_;
    return slot;
  }
  void push_idle(PoolSlot& slot) noexcept {
    (first_idle_ != nullptr ? last_idle_->next_ : first_idle_) = &slot;
    last_idle_ = &slot;
    ++idle_;
  }

  PoolSlot& acquire_slowly(Token token, Place place);
  std::exception_ptr give_back_slowly(PoolSlot& slot) noexcept;
  PoolSlot* take_free();
  // What follows is done by a caller that owns one place.
  PoolSlot* wait_in_queue(Token token, Place place);
  PoolSlot& find_accepted(PoolSlot* slot);
  PoolSlot& create();
  bool is_accepted(PoolSlot& slot);
  /// Hands `slot` to the oldest waiter, or to the idle ones.
  void pass_on(PoolSlot& slot) noexcept;
  void pass_on_place() noexcept;
  void hand_back(QueuedWaiter& waiter) noexcept;
  std::exception_ptr destroy(PoolSlot& slot) noexcept;
  void destroy_quietly(PoolSlot& slot) noexcept;

  void update_hint() noexcept {
    if (hint_) hint_->update();
  }
  [[nodiscard]] bool is_admitting();
  void move_to(State state) noexcept;
  void choose_ways() noexcept;
  void report_success() noexcept;
  void report_failure(std::exception_ptr cause) noexcept;

  void check_idle();
  void replace() noexcept;
  void cancel_checks() noexcept;
  void await_checks() noexcept;

  PoolSlot* first_idle_ = nullptr;
  PoolSlot* last_idle_ = nullptr;
  std::size_t idle_ = 0;
  std::size_t total_ = 0;  // places that are not free
  WaitList queue_;
  bool quick_acquire_ = false;  // an idle resource needs no check before it is lent
  bool quick_release_ = false;
  bool closed_ = false;
  State state_ = State::active;
  Hooks hooks_;
  std::size_t min_;
  std::size_t max_;
  Duration check_every_;
  std::unique_ptr<CircuitBreakerStrategy> strategy_;
  std::unique_ptr<Checks> checks_;
  std::vector<Ref<CoroutineBase>> rounds_;  // running health checks
  std::size_t reserved_ = 0;                // resources of waiters that have not run yet
  Ref<HintEvent> hint_;                     // made on first use
  Origin origin_;
};

}  // namespace weft::detail
