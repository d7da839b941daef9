#pragma once

#include "weft/detail/abi.hpp"

#include <concepts>
#include <utility>

#include "weft/scope.hpp"

namespace weft {

/// Chooses the scope of a spawn_with(): for libraries that take one instead of a scope.
class ScopeProvider {
 public:
  virtual ~ScopeProvider() = default;
  /// Null means the current coroutine's scope. spawn_with() throws what this throws.
  [[nodiscard]] virtual Ref<Scope> scope() = 0;

 protected:
  ScopeProvider() = default;
  ScopeProvider(const ScopeProvider&) = default;
  ScopeProvider& operator=(const ScopeProvider&) = default;
};

/// A provider that is also notified of each coroutine.
class SpawnStrategy : public ScopeProvider {
 public:
  /// Called before a coroutine is spawned in `scope`, null for the main scope. Throws to prevent
  /// it.
  virtual void before_enqueue(Scope* /*scope*/) {}
  /// Called when `coroutine` is in the run queue. spawn_with() throws what this throws; the
  /// coroutine runs all the same.
  virtual void after_enqueue(const AnyCoroutine& /*coroutine*/, Scope* /*scope*/) {}
};

/// Starts `body` as a coroutine of the scope that `provider` returns. Throws like Scope::spawn().
template <std::invocable F>
auto spawn_with(ScopeProvider& provider, const SpawnOptions& options, F&& body,
                Place place = Place::here()) {
  Ref<Scope> scope = provider.scope();
  if (!scope) scope = Scope::current();
  auto* const strategy = dynamic_cast<SpawnStrategy*>(&provider);
  if (strategy != nullptr) strategy->before_enqueue(scope.get());
  auto coroutine = scope ? scope->spawn(options, std::forward<F>(body), place)
                         : weft::spawn(options, std::forward<F>(body), place);
  if (strategy != nullptr) strategy->after_enqueue(coroutine, scope.get());
  return coroutine;
}
template <std::invocable F>
auto spawn_with(ScopeProvider& provider, F&& body, Place place = Place::here()) {
  return spawn_with(provider, SpawnOptions{}, std::forward<F>(body), place);
}

}  // namespace weft
