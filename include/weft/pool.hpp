#pragma once

#include "weft/detail/abi.hpp"

#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "weft/detail/mistake.hpp"
#include "weft/detail/pool_core.hpp"
#include "weft/error.hpp"
#include "weft/function.hpp"

namespace weft {

/// How a pool creates and checks its resources. All functions but `create` are optional; all may
/// suspend. They live until the pool and its last lease are destroyed.
template <class T>
struct PoolOptions {
  /// The constructor creates this many.
  int min = 0;
  /// There are never more, counting those that are being created or destroyed.
  int max = 10;
  /// Creates a resource. An empty optional or a null pointer counts as a failure.
  Function<std::optional<T>()> create = {};
  /// Called before a resource is destroyed, shielded from cancellation.
  Function<void(T&)> destroy = {};
  /// Whether an idle resource still works: called every `check_every`, if that is above 0.
  Function<bool(T&)> healthy = {};
  /// How often idle resources are checked; 0 means never.
  Duration check_every = {};
  /// Whether a used or idle resource may be handed out; not called for one just created.
  Function<bool(T&)> before_acquire = {};
  /// Whether a released resource may be used again.
  Function<bool(T&)> before_release = {};
  /// Notified of good and bad releases; decides when the circuit breaker opens.
  std::unique_ptr<CircuitBreakerStrategy> breaker = {};
};

/// Whether a T can be null, which counts as no resource.
template <class T>
concept Nullable = std::same_as<bool, decltype(std::declval<const T&>() == nullptr)>;

/// A resource on loan from a pool. Destroying the lease returns it to the pool it came from. It may
/// outlive the pool.
template <class T>
class Lease {
 public:
  Lease(Lease&& other) noexcept
      : core_{std::move(other.core_)}, slot_{std::exchange(other.slot_, nullptr)} {}
  /// Suspends if a hook of the pool does: returns the resource held before.
  Lease& operator=(Lease other) noexcept {
    std::swap(core_, other.core_);
    std::swap(slot_, other.slot_);
    return *this;
  }
  /// Suspends if a hook of the pool does, shielded from cancellation. What `destroy` throws becomes
  /// a warning.
  ~Lease() {
    if (slot_ == nullptr) return;
    if (const std::exception_ptr error = core_->give_back(*slot_)) [[unlikely]]
      detail::PoolCore::warn_of_error("Pool: destroying a resource failed", error);
  }

  /// Suspends if a hook of the pool does, shielded from cancellation. Throws what `destroy` threw,
  /// if the resource was not kept, and MisuseError if the lease holds nothing.
  void release() {
    if (slot_ == nullptr) detail::PoolCore::refuse_empty_lease();
    if (std::exception_ptr error = core_->give_back(*std::exchange(slot_, nullptr))) [[unlikely]]
      std::rethrow_exception(std::move(error));
  }

  /// Throw MisuseError if the lease was released or moved from.
  [[nodiscard]] T& operator*() const { return value(); }
  [[nodiscard]] T* operator->() const { return std::addressof(value()); }
  /// Whether it holds a resource.
  explicit operator bool() const noexcept { return slot_ != nullptr; }

 private:
  template <class U>
  friend class Pool;
  struct Slot;
  class Core;
  friend class detail::Held;
  Lease(detail::PoolCore& core, detail::PoolSlot& slot) noexcept : core_{&core}, slot_{&slot} {}
  [[nodiscard]] T& value() const {
    if (slot_ == nullptr) [[unlikely]]
      detail::PoolCore::refuse_empty_lease();
    return *static_cast<Slot*>(slot_)->value;
  }

  Ref<detail::PoolCore> core_;
  detail::PoolSlot* slot_;
};

/// A resource, created in place by `create` and never moved.
template <class T>
struct Lease<T>::Slot final : detail::PoolSlot {
  explicit Slot(Function<std::optional<T>()>& create) : value{create()} {}
  [[nodiscard]] bool is_empty() const {
    if constexpr (Nullable<T>) {
      return !value || *value == nullptr;
    } else {
      return !value;
    }
  }
  std::optional<T> value;
};

template <class T>
class Lease<T>::Core final : public detail::PoolCore {
 public:
  Core(PoolOptions<T> options, Place place)
      : detail::PoolCore{{options.min, options.max, options.check_every},
                         {static_cast<bool>(options.healthy),
                          static_cast<bool>(options.before_acquire),
                          static_cast<bool>(options.before_release)},
                         std::move(options.breaker),
                         place},
        create_{std::move(options.create)},
        destroy_{std::move(options.destroy)},
        healthy_{std::move(options.healthy)},
        before_acquire_{std::move(options.before_acquire)},
        before_release_{std::move(options.before_release)} {
    if (!create_) throw ValueError{"A pool needs a function that creates resources"};
  }

 private:
  detail::PoolSlot* make() override {
    auto slot = std::make_unique<Slot>(create_);
    return slot->is_empty() ? nullptr : slot.release();
  }
  void drop(detail::PoolSlot& slot) override {
    const std::unique_ptr<Slot> own{&static_cast<Slot&>(slot)};
    if (destroy_) destroy_(*own->value);
  }
  bool is_healthy(detail::PoolSlot& slot) override {
    return healthy_(*static_cast<Slot&>(slot).value);
  }
  bool before_acquire(detail::PoolSlot& slot) override {
    return before_acquire_(*static_cast<Slot&>(slot).value);
  }
  bool before_release(detail::PoolSlot& slot) override {
    return before_release_(*static_cast<Slot&>(slot).value);
  }

  Function<std::optional<T>()> create_;
  Function<void(T&)> destroy_;
  Function<bool(T&)> healthy_;
  Function<bool(T&)> before_acquire_;
  Function<bool(T&)> before_release_;
};

/// Lends resources that are expensive to create, each to one coroutine at a time. Fair: the longest
/// waiter is served first, and a resource reserved for a waiter goes to no other coroutine. Lending
/// and returning allocate no memory.
///
///     weft::Pool<Connection> pool{{.max = 5, .create = [] { return connect(); }}};
///     auto connection = pool.acquire(weft::timeout(1s));
///     connection->query("select 1");
template <class T>
class Pool {
 public:
  /// Suspends if `create` does. Creates `min` resources; stops, with a warning, at the first that
  /// fails. Throws ValueError unless 0 <= min <= max, max >= 1 and check_every >= 0.
  explicit Pool(PoolOptions<T> options, Place place = Place::here())
      : core_{
            Ref<detail::PoolCore>::adopt(new typename Lease<T>::Core{std::move(options), place})} {
    core_->open();
  }
  /// Suspends if `destroy` does: closes the pool. Errors become warnings.
  ~Pool() { core_->dispose(); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Suspends until there is a resource for the caller: an idle one, else a new one, else one that
  /// is released. Throws PoolClosed, ServiceUnavailable, what `create` throws, Cancelled, and, when
  /// `token` fires first in the wait for a release, TimedOut for a timeout, otherwise
  /// OperationCancelled.
  [[nodiscard]] Lease<T> acquire(Token token = {}, Place place = Place::here()) {
    return {*core_, core_->acquire(token, place)};
  }
  /// Suspends only if `create` or a hook does: acquires without waiting for a release. Returns
  /// nothing if none is free, or the pool is closed or inactive.
  [[nodiscard]] std::optional<Lease<T>> try_acquire() {
    if (detail::PoolSlot* slot = core_->try_acquire()) return Lease<T>{*core_, *slot};
    return std::nullopt;
  }

  /// Unused resources that are not reserved for a waiter.
  [[nodiscard]] std::size_t idle() const noexcept { return core_->idle(); }
  /// Resources in use, being created, checked or destroyed, or reserved for a waiter.
  [[nodiscard]] std::size_t active() const noexcept { return core_->active(); }
  /// How many resources there are, idle or lent.
  [[nodiscard]] std::size_t size() const noexcept { return idle() + active(); }
  /// How many coroutines wait.
  [[nodiscard]] std::size_t waiting() const noexcept { return core_->waiting(); }

  /// Suspends until the idle resources are destroyed and the health checks, which are cancelled,
  /// have ended, shielded from cancellation. Waiting coroutines throw PoolClosed; resources in use
  /// are destroyed when they are released. At the end throws the first error of `destroy`. A second
  /// call does nothing.
  void close() { core_->close(); }
  /// Whether close() was called.
  [[nodiscard]] bool is_closed() const noexcept { return core_->is_closed(); }

  /// A pool is an event: it notifies when a resource is free and not reserved, and closes with the
  /// pool. A hint, which reserves nothing: a notified coroutine calls try_acquire().
  operator Event&() const { return core_->event(); }  // NOLINT(google-explicit-constructor)
  /// Unique in the process while its runtime lives; 0 if it was created outside one.
  [[nodiscard]] std::uint64_t id() const noexcept { return core_->id(); }
  /// "Pool(idle=1, active=0, reserved=1, max=1)": a reserved resource counts as idle too.
  [[nodiscard]] std::string info() const { return core_->info(); }
  /// The same with its id and the place where it was created.
  [[nodiscard]] std::string describe() const { return core_->describe(); }

  /// The state of the circuit breaker.
  [[nodiscard]] CircuitBreaker::State state() const noexcept { return core_->state(); }
  /// Lets requests pass.
  void activate() { core_->activate(); }
  /// Rejects requests with ServiceUnavailable, including those that wait.
  void deactivate() { core_->deactivate(); }
  /// Lets requests pass, on trial.
  void recover() { core_->recover(); }

 private:
  friend class detail::Held;
  Ref<detail::PoolCore> core_;
};

template <class T>
class Pool<T&> : public Pool<T> {
  static_assert(detail::always_false<T>,
                "a pool owns what it lends: let it hold T, or T* if another object "
                "owns it");
  using Pool<T>::Pool;
};

}  // namespace weft
