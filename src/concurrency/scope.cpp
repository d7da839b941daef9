#include "weft/scope.hpp"

#include "concurrency/disposal.hpp"
#include "concurrency/scope_core.hpp"
#include "weft/error.hpp"

namespace weft {

Ref<Scope> Scope::create(Place place) {
  Scheduler::here("Scope::create()");
  return Ref<Scope>::adopt(new ScopeCore{nullptr, false, place});
}

Ref<Scope> Scope::inherit(Place place) {
  Owner& parent = Scheduler::here("Scope::inherit()").owner_for_spawn();
  return Ref<Scope>::adopt(new ScopeCore{&parent, parent.allows_zombies(), place});
}

Ref<Scope> Scope::inherit(Scope& parent, Place place) {
  Scheduler::here("Scope::inherit()");
  if (!ScopeCore::of(parent).is_of_this_runtime()) {
    throw MisuseError{"The scope belongs to another runtime"};
  }
  return Ref<Scope>::adopt(new ScopeCore{&ScopeCore::of(parent), parent.allows_zombies(), place});
}

Ref<Scope> Scope::current() {
  Owner& owner = Scheduler::here("Scope::current()").owner_for_spawn();
  return owner.watches() ? Ref<Scope>{&static_cast<ScopeCore&>(owner)} : Ref<Scope>{};
}

Owner& Scope::owner() noexcept { return ScopeCore::of(*this); }

void Scope::cancel(std::string reason) noexcept {
  ScopeCore::of(*this).cancel_all(std::string_view{reason});
}
void Scope::cancel(std::exception_ptr error) noexcept {
  const std::exception_ptr cause = as_cancellation(std::move(error));
  ScopeCore::of(*this).cancel_all({{}, cause});
}
void Scope::dispose() noexcept { ScopeCore::of(*this).dispose_with({}); }
void Scope::dispose_safely() noexcept { ScopeCore::of(*this).leave_zombies({}); }
void Scope::dispose_after_timeout(TimeSpan duration) {
  ScopeCore::of(*this).dispose_later(duration);
}
void Scope::allow_zombies(bool allowed) noexcept { ScopeCore::of(*this).set_zombies(allowed); }

void Scope::await_completion(Token token, Place place) {
  ScopeCore::of(*this).wait_for_completion(token, place);
}
void Scope::await_after_cancellation(AfterHandler handler, Token token, Place place) {
  ScopeCore::of(*this).wait_for_end(handler, token, place);
}

void Scope::set_exception_handler(ExceptionHandler handler) {
  ScopeCore::of(*this).set_handler(std::move(handler));
}
void Scope::set_child_exception_handler(ExceptionHandler handler) {
  ScopeCore::of(*this).set_child_handler(std::move(handler));
}
void Scope::on_finally(Function<void(Scope&)> handler) {
  ScopeCore::of(*this).add_finally(std::move(handler));
}

Scope::operator Event&() { return ScopeCore::of(*this).event(); }
std::uint64_t Scope::id() const noexcept { return ScopeCore::of(*this).id(); }
std::string Scope::info() const { return ScopeCore::of(*this).origin().describe("Scope"); }

bool Scope::is_finished() const noexcept {
  return is_closed() || is_cancelled() || !ScopeCore::of(*this).is_busy();
}
bool Scope::is_closed() const noexcept { return ScopeCore::of(*this).closed(); }
bool Scope::is_cancelled() const noexcept { return ScopeCore::of(*this).cancelled(); }
std::size_t Scope::size() const noexcept { return ScopeCore::of(*this).members().size(); }
bool Scope::allows_zombies() const noexcept { return ScopeCore::of(*this).Owner::allows_zombies(); }

void Scope::retain() noexcept { ScopeCore::of(*this).add_holder(); }
void Scope::release() noexcept { ScopeCore::of(*this).release_holder(); }

}  // namespace weft
