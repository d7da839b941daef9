#include "weft/coroutine.hpp"

#include <algorithm>

#include "base/slab.hpp"
#include "base/warning.hpp"
#include "scheduler/cold_state.hpp"
#include "scheduler/park.hpp"
#include "weft/error.hpp"
#include "weft/extend/embed.hpp"

namespace weft {

void CoroutineBase::drop_cold_state() noexcept {
  waker_.forget();
  delete cold_state_;
}

void* CoroutineBase::operator new(std::size_t size) {
  Slab* slab = current_thread.slab;
  if (size > Slab::narrow) [[unlikely]] {
    if (size > Slab::wide) return ::operator new(size);
    slab = current_thread.wide_slab;
  }
  if (slab == nullptr) [[unlikely]]
    Scheduler::refuse("spawn()");
  return slab->allocate();
}

void CoroutineBase::operator delete(void* memory, std::size_t size) noexcept {
  if (size > Slab::wide) {
    ::operator delete(memory);
  } else {
    Slab::deallocate(memory);
  }
}

void* CoroutineBase::operator new(std::size_t size, std::align_val_t alignment) {
  return ::operator new(size, alignment);
}

void CoroutineBase::operator delete(void* memory, std::size_t /*size*/,
                                    std::align_val_t alignment) noexcept {
  ::operator delete(memory, alignment);
}

ColdState& CoroutineBase::cold_state() {
  if (cold_state_ == nullptr) cold_state_ = new ColdState;
  return *cold_state_;
}

std::string_view CoroutineBase::name() const noexcept {
  return cold_state_ != nullptr ? std::string_view{cold_state_->name} : std::string_view{};
}

bool CoroutineBase::is_queued() const noexcept {
  return !is_closed() &&
         (waker_.status_ == Waker::Status::queued || waker_.status_ == Waker::Status::ignored);
}

bool CoroutineBase::is_suspended() const noexcept {
  return !is_closed() && waker_.status_ != Waker::Status::none &&
         waker_.status_ != Waker::Status::result;
}

bool CoroutineBase::replay(Outcome& outcome) const {
  if (!is_closed()) return false;
  if (waker_.error_ != nullptr) outcome = Outcome{waker_.error_};
  return true;
}

std::string CoroutineBase::info() const {
  std::string text = "Coroutine " + std::to_string(id_);
  if (const std::string place = spawn_place().text(); !place.empty()) {
    text += " spawned at " + place;
  }
  if (is_started() && is_suspended()) {
    const std::string place = suspend_place().text();
    text += place.empty() ? ", suspended" : ", suspended at " + place;
  }
  if (!name().empty()) text += " (" + std::string{name()} + ")";
  return text;
}

void CoroutineBase::set_notify_handler(Ref<NotifyHandler> handler) {
  if (awaiter_ != nullptr) {
    // The handler must see the outcome first, so the awaiter becomes a subscriber.
    awaiter_->listen_to(*this);
    awaiter_ = nullptr;
  }
  Event::set_notify_handler(std::move(handler));
}

void CoroutineBase::notify_awaiters() noexcept {
  Outcome outcome;
  replay(outcome);
  call_notify_handler(outcome);
}

void CoroutineBase::set_priority(Priority priority) noexcept {
  priority_ = priority;
  if (priority == Priority::high && registered_ && is_queued()) {
    current_thread.scheduler->queue_.move_to_first(*this);
  }
}

void CoroutineBase::rethrow_outcome() {
  set(error_caught_flag);
  std::rethrow_exception(waker_.error_);
}

void CoroutineBase::cancel(CancelCause cause) noexcept {
  Scheduler* scheduler = current_thread.scheduler;
  const bool is_over = !registered_ && !internal_ && id_ != 0;
  if (scheduler == nullptr || is_over) return;  // the coroutine or its runtime has ended
  const CancelReason kind = cause.is_empty() ? CancelReason::coroutine : CancelReason::given;
  scheduler->cancel(*this, kind, std::move(cause));
}

void CoroutineBase::drop_last_handle() noexcept {
  handles_ = 0;
  if ((held_ || waker_.error_) && !is_held()) [[unlikely]]
    treat_unread_error();
  release();
}

void CoroutineBase::treat_unread_error() noexcept {
  if (held_) {
    current_thread.scheduler->handle_dropped(*this);
  } else if (is_closed() && waker_.error_ != nullptr && !has(error_caught_flag) &&
             !is_cancellation(waker_.error_)) {
    warn("a coroutine failed, and its error was not read before its runtime ended");
  }
}

void CoroutineBase::forget_unread_error() noexcept {
  if (held_) current_thread.scheduler->failures().forget(*this);
}

void CoroutineBase::on_finally(Function<void(CoroutineBase&)> handler) {
  if (is_closed()) {
    handler(*this);
    return;
  }
  if (id_ == 0) throw MisuseError{"on_finally() was called before the coroutine was entered"};
  ColdState& more = cold_state();
  more.finally_handlers.reserve(more.finally_handlers.size() + 1);
  if (!more.finally_runner) more.finally_runner = detail::Spawner::prepare_finally(*this);
  more.finally_handlers.push_back(std::move(handler));
}

bool CoroutineBase::add_switch_handler(Function<bool(CoroutineBase&, Switch)> handler) {
  return Scheduler::add_handler(*this, make_ref<SwitchHandler>(std::move(handler)));
}

bool CoroutineBase::add_switch_handler(bool (*handler)(CoroutineBase&, Switch, void*), void* data) {
  return Scheduler::add_handler(*this, make_ref<SwitchHandler>(handler, data));
}

bool Scheduler::add_handler(CoroutineBase& coroutine, Ref<SwitchHandler> handler) {
  if (!coroutine.cold_state().switch_handlers.add(std::move(handler))) return false;
  coroutine.has_switch_handlers_ = true;
  coroutine.waker_.special_ = true;
  return true;
}

void CoroutineBase::set_internal_value(unsigned key, void* value, void (*destroy)(void*) noexcept) {
  std::vector<InternalValue>& values = cold_state().internal_values;
  if (values.size() <= key) values.resize(key + 1);
  const InternalValue old = std::exchange(values[key], InternalValue{value, destroy});
  if (old.destroy != nullptr && old.value != nullptr) old.destroy(old.value);
}

void* CoroutineBase::internal_value(unsigned key) const noexcept {
  if (cold_state_ == nullptr || key >= cold_state_->internal_values.size()) return nullptr;
  return cold_state_->internal_values[key].value;
}

unsigned internal_key(const char* name) {
  return Scheduler::here("internal_key()").internal_key(name);
}

unsigned Scheduler::internal_key(const char* name) {
  const auto known = std::find(internal_keys_.begin(), internal_keys_.end(), name);
  if (known != internal_keys_.end()) {
    return static_cast<unsigned>(known - internal_keys_.begin());
  }
  internal_keys_.push_back(name);
  return static_cast<unsigned>(internal_keys_.size() - 1);
}

Owner& detail::Spawner::admit(Owner* given) {
  Scheduler& scheduler = Scheduler::here("spawn()");
  Owner& owner = given != nullptr ? *given : scheduler.owner_for_spawn();
  if (owner.watches()) owner.admit();
  return owner;
}

[[gnu::flatten]] CoroutineBase::Allocation detail::Spawner::admit(Owner*& owner, std::size_t size) {
  const Scheduler& scheduler = Scheduler::here("spawn()");
  if (owner == nullptr) owner = &scheduler.owner_for_spawn();
  if (owner->watches()) return admit_watched(*owner, size);
  return {CoroutineBase::operator new(size), size};
}

/// Separate, so that admit() ends in a tail call if the owner watches, and makes no call for it
/// otherwise.
CoroutineBase::Allocation detail::Spawner::admit_watched(Owner& owner, std::size_t size) {
  owner.admit();
  return {CoroutineBase::operator new(size), size};
}

Owner& detail::Spawner::admit_cleanup(Owner* given) {
  Scheduler& scheduler = Scheduler::here("spawn()");
  Owner& owner = given != nullptr ? *given : scheduler.owner_for_cleanup();
  if (owner.watches()) owner.admit_cleanup();
  return owner;
}

void detail::Spawner::apply(const SpawnOptions& options, CoroutineBase& coroutine) {
  if (!options.name.empty()) coroutine.cold_state().name = options.name;
  if (options.stack_size != 0) {
    coroutine.stack_class_ = current_thread.scheduler->stacks().class_for(options.stack_size);
  }
  coroutine.priority_ = options.priority;
  coroutine.cleanup_ = options.cleanup;
}

/// A coroutine that is spawned during a shutdown ends before its first line.
void detail::Spawner::refuse_late_spawn(Scheduler& scheduler, CoroutineBase& coroutine) noexcept {
  scheduler.cancel(coroutine, CancelReason::shutdown, {});
}

void detail::Spawner::enter_made(Owner* owner, const SpawnOptions& options,
                                 CoroutineBase& coroutine, Place place) {
  Owner& admitted = options.cleanup ? admit_cleanup(owner) : admit(owner);
  apply(options, coroutine);
  enter(admitted, coroutine, PackedPlace{place});
}

void detail::Spawner::enter_made(Owner& owner, CoroutineBase& coroutine) {
  Scheduler::here("spawn()");
  owner.admit();
  enter(owner, coroutine, coroutine.spawn_place_);
}

void detail::Spawner::spawn_cleanup(Owner* owner, const char* name, Function<void()> body) {
  Scheduler& scheduler = Scheduler::here("spawn()");
  auto coroutine = Ref<CoroutineBase>::adopt(
      new detail::TypedCoroutine<void, Function<void()>>{std::in_place, std::move(body)});
  coroutine->cold_state().name = name;
  coroutine->priority_ = Priority::high;
  coroutine->exempt_ = true;
  scheduler.enter(*coroutine, owner != nullptr ? *owner : scheduler.root());
}

/// The coroutine that will run the finally handlers of `coroutine`. Made now, because the end of a
/// coroutine must not allocate.
Ref<CoroutineBase> detail::Spawner::prepare_finally(CoroutineBase& coroutine) {
  Scheduler& scheduler = Scheduler::here("on_finally()");
  auto body = [ended = Ref<CoroutineBase>{&coroutine}] {
    std::vector<std::exception_ptr> errors;
    for (Function<void(CoroutineBase&)>& handler :
         std::exchange(ended->cold_state_->finally_handlers, {})) {
      try {
        handler(*ended);
      } catch (...) {
        errors.push_back(std::current_exception());
      }
    }
    if (errors.size() == 1) std::rethrow_exception(errors.front());
    if (!errors.empty()) throw CompositeError{std::move(errors)};
  };
  auto runner = Ref<CoroutineBase>::adopt(
      new detail::TypedCoroutine<void, decltype(body)>{std::in_place, std::move(body)});
  scheduler.reserve_one();
  runner->cold_state().name = "finally";
  runner->priority_ = Priority::high;
  runner->exempt_ = true;
  runner->spawn_place_ = coroutine.spawn_place_;
  return runner;
}

AnyCoroutine current() {
  Scheduler& scheduler = Scheduler::here("current()");
  if (!scheduler.has_current()) {
    throw MisuseError{"The operation cannot be executed in the scheduler context"};
  }
  return AnyCoroutine::observing(scheduler.current());
}

void resume(CoroutineBase& coroutine, std::exception_ptr error) {
  Scheduler::here("resume()").resume(coroutine, std::move(error));
}

}  // namespace weft
