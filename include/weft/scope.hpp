#pragma once

#include "weft/detail/abi.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include "weft/coroutine.hpp"
#include "weft/extend/event.hpp"
#include "weft/function.hpp"
#include "weft/place.hpp"
#include "weft/ref.hpp"
#include "weft/time.hpp"
#include "weft/token.hpp"

namespace weft {

class Owner;

/// Owns coroutines and child scopes. Without an exception handler one failure cancels all the
/// others; with one, they are independent.
///
/// Held by `Ref<Scope>`. When the last reference is dropped while coroutines are left, they are
/// cancelled; the scope itself stays until they have ended. For a block that simply waits for its
/// coroutines use with_scope().
class Scope {
 public:
  /// Called with the scope, the coroutine that failed, and its error.
  using ExceptionHandler = Function<void(Scope&, const AnyCoroutine&, std::exception_ptr)>;
  /// Called with each error that await_after_cancellation() meets, and the scope.
  using AfterHandler = Function<void(std::exception_ptr, Scope&)>;

  /// A scope without a parent. It does not allow zombies.
  [[nodiscard]] static Ref<Scope> create(Place place = Place::here());
  /// A child of the current coroutine's scope, or of `parent`. Allows zombies if its parent does.
  [[nodiscard]] static Ref<Scope> inherit(Place place = Place::here());
  [[nodiscard]] static Ref<Scope> inherit(Scope& parent, Place place = Place::here());
  /// The current coroutine's scope; null for the main scope, which has no object.
  [[nodiscard]] static Ref<Scope> current();

  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  /// Starts `body` as a coroutine of this scope. Throws MisuseError if it is closed or cancelled.
  template <detail::SpawnBody F>
  auto spawn(F&& body, Place place = Place::here()) {
    return detail::Spawner::spawn(&owner(), std::forward<F>(body), place);
  }
  template <detail::SpawnBody F>
  auto spawn(const SpawnOptions& options, F&& body, Place place = Place::here()) {
    return detail::Spawner::spawn(&owner(), options, std::forward<F>(body), place);
  }
  // Up to four arguments: a Place after a parameter pack could not be deduced.
  template <class F, class A>
  requires detail::SpawnBody<F, A>
  auto spawn(F&& f, A&& a, Place place = Place::here()) {
    return spawn(detail::bind_body(std::forward<F>(f), std::forward<A>(a)), place);
  }
  template <class F, class A, class B>
  requires detail::SpawnBody<F, A, B>
  auto spawn(F&& f, A&& a, B&& b, Place place = Place::here()) {
    return spawn(detail::bind_body(std::forward<F>(f), std::forward<A>(a), std::forward<B>(b)),
                 place);
  }
  template <class F, class A, class B, class C>
  requires detail::SpawnBody<F, A, B, C>
  auto spawn(F&& f, A&& a, B&& b, C&& c, Place place = Place::here()) {
    return spawn(detail::bind_body(std::forward<F>(f), std::forward<A>(a), std::forward<B>(b),
                                   std::forward<C>(c)),
                 place);
  }
  template <class F, class A, class B, class C, class D>
  requires detail::SpawnBody<F, A, B, C, D>
  auto spawn(F&& f, A&& a, B&& b, C&& c, D&& d, Place place = Place::here()) {
    return spawn(detail::bind_body(std::forward<F>(f), std::forward<A>(a), std::forward<B>(b),
                                   std::forward<C>(c), std::forward<D>(d)),
                 place);
  }

  /// For arguments that cannot be spawned: a static_assert says why.
  template <class... Given>
  requires detail::MistakenSpawn<Given...> Coroutine<void> spawn(Given&&... /*given*/) {
    detail::explain_spawn<detail::spawn_mistake<Given...>>();
    return {};
  }

  /// Cancels child scopes, then the coroutines of this one; nothing can be spawned here any more.
  /// An empty scope closes at once. Does nothing on a closed scope.
  void cancel(std::string reason = {}) noexcept;
  /// The same; the coroutines are cancelled with `error`, see CancelCause, and waits for the scope
  /// throw it too. If memory runs out, a coroutine gets the default text instead.
  void cancel(std::exception_ptr error) noexcept;
  /// Cancels, but lets coroutines that have started end by themselves if zombies are allowed.
  void dispose() noexcept;
  /// Like dispose(), but never cancels a coroutine that has started: it becomes a zombie.
  void dispose_safely() noexcept;
  /// Calls dispose() after `duration`, unless the scope is closed by then. Does nothing on a scope
  /// that is empty or closed. Throws ValueError unless `duration` is above 0.
  void dispose_after_timeout(TimeSpan duration);
  /// Sets whether dispose() leaves zombies: they go on in the scope but are no longer waited for.
  void allow_zombies(bool allowed) noexcept;

  /// Suspends until every coroutine of this scope and of its descendants has ended, except zombies.
  /// Throws, when `token` fires first, TimedOut for a timeout, otherwise OperationCancelled; the
  /// scope goes on. Throws Cancelled on a scope that was cancelled or disposed, even if it is
  /// empty, an unhandled failure of the scope, and MisuseError if the caller belongs to it.
  void await_completion(Token token, Place place = Place::here());
  /// Suspends until every coroutine of a cancelled scope has ended, including zombies. Each failure
  /// is passed to `handler`, or, without one, thrown. Throws MisuseError if the scope was not
  /// cancelled.
  void await_after_cancellation(AfterHandler handler = {}, Token token = {},
                                Place place = Place::here());

  /// Sets the handler that is called, in a coroutine of this scope, for each unhandled failure; if
  /// it returns, the failure is handled. Replaces the previous one.
  void set_exception_handler(ExceptionHandler handler);
  /// The same for failures of child scopes; takes precedence over the other handler.
  void set_child_exception_handler(ExceptionHandler handler);
  /// Runs `handler` once, in a coroutine of high priority, after the scope has completed and is
  /// disposed; at once if it already is.
  void on_finally(Function<void(Scope&)> handler);

  /// A scope is an event, which happens once: when it is closed or cancelled and only zombies are
  /// left in it and its descendants. Its outcome is the failure that ended the scope, or Cancelled
  /// if the scope was cancelled, and is replayed to late subscribers. Waiting for it does not keep
  /// the scope from being disposed. Subscribing to it throws MisuseError in a coroutine that
  /// belongs to the scope.
  operator Event&();  // NOLINT(google-explicit-constructor)
  /// Unique in the process while its runtime lives.
  [[nodiscard]] std::uint64_t id() const noexcept;
  /// "Scope #5 created at foo.cpp:10"
  [[nodiscard]] std::string info() const;

  /// Closed, cancelled, or without active coroutines in it and its descendants.
  [[nodiscard]] bool is_finished() const noexcept;
  /// Nothing can be spawned any more.
  [[nodiscard]] bool is_closed() const noexcept;
  /// Whether it was cancelled.
  [[nodiscard]] bool is_cancelled() const noexcept;
  /// Coroutines of this scope that have not ended, zombies included.
  [[nodiscard]] std::size_t size() const noexcept;
  /// Whether its coroutines may outlive it.
  [[nodiscard]] bool allows_zombies() const noexcept;

  // Not by Counted: the count of users only closes the scope, which lives as long as it has
  // members.
  void retain() noexcept;
  void release() noexcept;

 protected:
  Scope() noexcept = default;
  ~Scope() = default;

 private:
  friend class HostCoroutine;
  friend class ScopeCore;
  Owner& owner() noexcept;
};

}  // namespace weft
