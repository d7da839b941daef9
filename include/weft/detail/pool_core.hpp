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
#include "weft/extend/origin.hpp"
#include "weft/extend/ready_face.hpp"
#include "weft/extend/wait_list.hpp"
#include "weft/place.hpp"
#include "weft/ref.hpp"
#include "weft/time.hpp"
#include "weft/token.hpp"

namespace weft::detail {

/// One resource of a pool, where it is kept for all its life.
class PoolSlot {
 public:
  PoolSlot() noexcept = default;
  PoolSlot(const PoolSlot&) = delete;
  PoolSlot& operator=(const PoolSlot&) = delete;

 protected:
  ~PoolSlot() = default;

 private:
  friend class PoolCore;
  PoolSlot* next_ = nullptr;  // while idle
};

/// What a Pool<T> does whatever T is; counted, because leases may outlive their pool.
///
/// A place is the right to one resource, and there are `max` of them. Each is free, or idle with
/// its resource, or active: in use, being made, looked at or destroyed, or reserved for a waiter.
/// Somebody stands in line only while no place is free or idle.
class PoolCore : public CircuitBreaker, public WaitedFor {
 public:
  struct Limits {
    int min = 0;
    int max = 10;
    Duration check_every{};
  };
  struct Hooks {  // which of them there are
    bool healthy = false;
    bool before_acquire = false;
    bool before_release = false;
  };

  /// Makes the first `min` resources and begins to check them.
  void open();
  /// The resource, or null if nothing is free and the caller will not wait.
  [[nodiscard]] PoolSlot& acquire(Token token, Place place) {
    if (quick_acquire_ && first_idle_ != nullptr) [[likely]]
      return pop_idle();
    return acquire_slowly(token, place);
  }
  [[nodiscard]] PoolSlot* try_acquire();
  /// Takes a resource back. Answers what destroying it threw, if that was done.
  std::exception_ptr give_back(PoolSlot& slot) noexcept {
    if (!quick_release_ || !line_.is_empty()) [[unlikely]]
      return give_back_slowly(slot);
    push_idle(slot);
    return nullptr;
  }
  void close();
  /// The same; tells people of an error instead of throwing it.
  void close_quietly() noexcept;
  /// The pool goes: closes, and whoever waits for its event gets PoolClosed.
  void dispose() noexcept;
  /// Ready when try_acquire() would succeed.
  [[nodiscard]] Event& event();
  [[nodiscard]] bool is_closed() const noexcept { return closed_; }
  [[nodiscard]] std::size_t idle() const noexcept { return idle_; }
  [[nodiscard]] std::size_t active() const noexcept { return total_ - idle_; }
  [[nodiscard]] std::size_t waiting() const noexcept { return line_.size(); }

  [[nodiscard]] std::uint64_t id() const noexcept { return origin_.id(); }
  [[nodiscard]] std::string info() const;
  [[nodiscard]] std::string describe() const override;

  [[nodiscard]] State state() const noexcept final { return state_; }
  void activate() final { move_to(State::active); }
  void deactivate() final;
  void recover() final { move_to(State::recovering); }

  void retain() noexcept { ++references_; }
  void release() noexcept {
    if (--references_ == 0) delete this;
  }
  void free_with_last_reference() noexcept {}

  /// For a lease that holds nothing any more.
  [[noreturn]] static void refuse_empty_lease();
  /// Tells people of an error that cannot be thrown.
  static void tell(const char* what, const std::exception_ptr& error) noexcept;

 protected:
  /// Throws ValueError for limits that make no sense.
  PoolCore(const Limits& limits, Hooks hooks, std::unique_ptr<CircuitBreakerStrategy> strategy,
           Place place);
  virtual ~PoolCore();
  PoolCore(const PoolCore&) = delete;
  PoolCore& operator=(const PoolCore&) = delete;

  // The hooks; all may suspend and throw.
  /// A new resource, or null if the factory yields nothing.
  virtual PoolSlot* make() = 0;
  /// Destroys the resource, also if it throws.
  virtual void drop(PoolSlot& slot) = 0;
  virtual bool is_healthy(PoolSlot& slot) = 0;
  virtual bool before_acquire(PoolSlot& slot) = 0;
  virtual bool before_release(PoolSlot& slot) = 0;

 private:
  class InLine;
  class Checks;
  class Face;

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
  // What follows is done with one place in hand.
  PoolSlot* stand_in_line(Token token, Place place);
  PoolSlot& settle(PoolSlot* slot);
  PoolSlot& create();
  bool is_accepted(PoolSlot& slot);
  /// To the oldest waiter, or to the idle ones.
  void pass_on(PoolSlot& slot) noexcept;
  void pass_on_place() noexcept;
  void hand_back(InLine& waiter) noexcept;
  std::exception_ptr destroy(PoolSlot& slot) noexcept;
  void destroy_quietly(PoolSlot& slot) noexcept;

  void face_looks() noexcept {
    if (face_) face_->look();
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
  WaitList line_;
  std::uint32_t references_ = 1;
  bool quick_acquire_ = false;  // nothing is to be asked before an idle one is given
  bool quick_release_ = false;
  bool closed_ = false;
  State state_ = State::active;
  Hooks hooks_;
  std::size_t min_;
  std::size_t max_;
  Duration check_every_;
  std::unique_ptr<CircuitBreakerStrategy> strategy_;
  std::unique_ptr<Checks> checks_;
  std::vector<Ref<CoroutineBase>> rounds_;  // health checks under way
  std::size_t reserved_ = 0;                // resources of waiters that have not run yet
  Ref<ReadyFace> face_;                     // if it was asked for
  Origin origin_;
};

}  // namespace weft::detail
