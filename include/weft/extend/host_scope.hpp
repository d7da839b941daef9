#pragma once

#include "weft/detail/abi.hpp"

#include "weft/extend/coroutine_base.hpp"
#include "weft/function.hpp"
#include "weft/ref.hpp"
#include "weft/scope.hpp"

namespace weft {

/// A scope that belongs to an object of a host, whose references are those of the scope: every
/// `Ref<Scope>` counts there. When the object is destroyed, its coroutines are cancelled as with
/// the last `Ref<Scope>` (those that have started go on if the scope allows zombies), and the scope
/// itself stays until they have ended. They may refer to the object again, by Scope::current(), as
/// long as it exists. See HostCoroutine for what host_retain() and host_release() may do.
class HostScope {
 public:
  HostScope(const HostScope&) = delete;
  HostScope& operator=(const HostScope&) = delete;

  /// The scope that is part of the object.
  [[nodiscard]] Scope& scope() const noexcept { return *scope_; }
  /// The object of a host that `scope` belongs to; null if there is none, or it was destroyed.
  [[nodiscard]] static void* object_of(Scope& scope) noexcept;
  /// The same for the nearest of `scope` and its ancestors that has one: scopes of the runtime's
  /// own, as iterate() and a task group make them, have none.
  [[nodiscard]] static void* nearest_object_of(Scope& scope) noexcept;

 protected:
  /// Takes a scope that was just created. Throws MisuseError if another reference to it is held.
  explicit HostScope(Ref<Scope> made);
  virtual ~HostScope();

  /// One reference of the runtime more.
  virtual void host_retain() noexcept = 0;
  /// One reference of the runtime less.
  virtual void host_release() noexcept = 0;
  /// The object, as the host knows it.
  [[nodiscard]] virtual void* host_object() const noexcept = 0;

 private:
  friend class ScopeCore;
  Scope* scope_;
};

/// Calls `visit` with each child of `scope`, the oldest first. Throws std::bad_alloc.
void for_each_child(Scope& scope, Function<void(Scope&)> visit);
/// Calls `visit` with each coroutine of `scope` that has not ended, in the order in which they were
/// spawned. Throws std::bad_alloc.
void for_each_member(Scope& scope, Function<void(CoroutineBase&)> visit);

}  // namespace weft
