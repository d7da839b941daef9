#include "weft/extend/host.hpp"

#include <vector>

#include "concurrency/disposal.hpp"
#include "concurrency/scope_core.hpp"
#include "weft/error.hpp"

// A host's objects that are coroutines and scopes.
namespace weft {

void HostCoroutine::enter(Scope* scope, const SpawnOptions& options, Place place) {
  if (id() != 0) throw MisuseError{"This coroutine was entered already"};
  detail::Spawner::enter_made(scope != nullptr ? &scope->owner() : nullptr, options, *this, place);
}

HostCoroutine::~HostCoroutine() { forget_unread_error(); }

HostScope::HostScope(Ref<Scope> made) : scope_{made.get()} {
  ScopeCore::of(*scope_).join_host(*this);
  [[maybe_unused]] Scope* const ours = made.detach();
}

HostScope::~HostScope() { ScopeCore::of(*scope_).detach_host(); }

void* HostScope::object_of(Scope& scope) noexcept { return ScopeCore::of(scope).host_object(); }

void* HostScope::nearest_object_of(Scope& scope) noexcept {
  return ScopeCore::of(scope).nearest_host_object();
}

void ScopeCore::join_host(HostScope& host) {
  if (holders_ != 1 || host_ != nullptr) {
    throw MisuseError{"A scope becomes part of a host's object before it is referred to elsewhere"};
  }
  host_ = &host;
}

void ScopeCore::detach_host() noexcept {
  host_ = nullptr;
  drop_holder();
}

void ScopeCore::add_holder() noexcept {
  if (host_ != nullptr) [[unlikely]]
    return host_->host_retain();
  ++holders_;
}

void ScopeCore::release_holder() noexcept {
  if (host_ != nullptr) [[unlikely]]
    return host_->host_release();
  drop_holder();
}

void* ScopeCore::host_object() const noexcept {
  return host_ != nullptr ? host_->host_object() : nullptr;
}

void* ScopeCore::nearest_host_object() const noexcept {
  for (const ScopeCore* scope = this; scope != nullptr; scope = scope->above_) {
    if (void* const object = scope->host_object()) return object;
  }
  return nullptr;
}

std::vector<ScopeCore::Pin> ScopeCore::children() const {
  std::vector<Pin> all;
  for (ScopeCore& child : children_) all.emplace_back(child);
  return all;
}

void for_each_child(Scope& scope, Function<void(Scope&)> visit) {
  const std::vector<ScopeCore::Pin> children = ScopeCore::of(scope).children();
  for (auto child = children.rbegin(); child != children.rend(); ++child) visit(**child);
}

void for_each_member(Scope& scope, Function<void(CoroutineBase&)> visit) {
  std::vector<Ref<CoroutineBase>> members;  // `visit` may spawn and cancel
  CoroutineBase* next = ScopeCore::of(scope).members().first();
  for (; next != nullptr; next = CoroutineList::next(*next)) members.emplace_back(next);
  for (const Ref<CoroutineBase>& member : members) visit(*member);
}

}  // namespace weft
