#include "concurrency/chain_run.hpp"

#include <memory>

#include "base/current.hpp"
#include "base/probe.hpp"
#include "scheduler/owner.hpp"
#include "scheduler/scheduler.hpp"
#include "weft/coroutine.hpp"
#include "weft/error.hpp"

namespace weft {
namespace {

struct Body {
  Ref<ChainRun> run;
  void operator()() const { run->drain(); }
};

/// This thread's scheduler, if `life` is its life() and it can still run coroutines.
Scheduler* living(const Ref<Event>& life) noexcept {
  Scheduler* scheduler = current_thread.scheduler;
  if (scheduler == nullptr || scheduler->is_over() || &scheduler->life() != life.get()) {
    return nullptr;
  }
  return scheduler;
}

}  // namespace

detail::FutureLink::~FutureLink() { drop_reservation(); }

void detail::FutureLink::drop_reservation() noexcept {
  if (!runner_) return;
  runner_ = nullptr;
  run_ = nullptr;
  if (Scheduler* scheduler = living(life_)) scheduler->drop_reservation();
  if (pinned_) owner_->unpin();
}

void ChainRun::reserve(detail::FutureLink& link, const char* operation, Place place) {
  Scheduler& scheduler = Scheduler::here(operation);
  Owner& owner = scheduler.owner_for_spawn();
  if (owner.watches()) owner.admit();
  auto run = make_ref<ChainRun>();
  ChainRun* const own = run.get();
  auto runner = Ref<CoroutineBase>::adopt(
      new detail::TypedCoroutine<void, Body>{std::in_place, Body{std::move(run)}});
  scheduler.reserve(*runner, place);
  link.runner_ = std::move(runner);
  link.run_ = own;
  link.life_ = Ref<Event>{&scheduler.life()};
  link.owner_ = &owner;
  link.place_ = place;
  if (owner.watches()) {
    owner.pin();
    link.pinned_ = true;
  }
}

ChainRun::~ChainRun() {
  if (links_.empty()) return;
  WEFT_PROBE("chain cancelled before it began");
  const auto error = std::make_exception_ptr(Cancelled::with_literal("Future has been cancelled"));
  while (detail::FutureLink* link = links_.pop_front()) refuse(link, error);
}

ChainRun* ChainRun::start(detail::FutureLink* link, ChainRun* current) noexcept {
  if (current == nullptr || current->owner_ != link->owner_) return start_own(link);
  current->links_.push_back(*link);
  return current;
}

ChainRun* ChainRun::start_own(detail::FutureLink* link) noexcept {
  Scheduler* const scheduler = living(link->life_);
  try {
    if (scheduler == nullptr) {
      throw MisuseError{"The runtime in which this chain was attached has ended"};
    }
    if (link->pinned_) link->owner_->admit();
  } catch (...) {
    refuse(link, std::current_exception());
    return nullptr;
  }
  ChainRun* const run = link->run_;
  run->owner_ = link->owner_;
  run->links_.push_back(*link);
  const Ref<CoroutineBase> runner = std::move(link->runner_);
  link->run_ = nullptr;
  scheduler->enter_reserved(*runner, *link->owner_);
  if (link->pinned_) link->owner_->unpin();
  return run;
}

void ChainRun::refuse(detail::FutureLink* link, const std::exception_ptr& error) noexcept {
  ChainRun rest;  // a list, so that a long chain needs no deep stack
  rest.owner_ = link->owner_;
  rest.links_.push_back(*link);
  while (detail::FutureLink* next = rest.links_.pop_front()) {
    const std::unique_ptr<detail::FutureLink> owned{next};
    detail::FutureBase& target = *owned->target_;
    if (target.is_closed()) continue;
    target.store_error(error);
    target.resolve(owned->place_, &rest);
  }
}

void ChainRun::drain() {
  while (detail::FutureLink* next = links_.pop_front()) {
    const std::unique_ptr<detail::FutureLink> link{next};
    link->drop_reservation();
    if (!links_.empty() && !posted_) {
      try {
        post_microtask(*this);
        posted_ = true;
      } catch (...) {  // no memory for a microtask: the others run elsewhere at once
        hand_over();
      }
    }
    link->run(*link->source_);
    detail::FutureBase& target = *link->target_;
    if (!target.is_closed()) target.resolve(link->place_, this);
  }
}

/// A microtask that drain() posts while links are queued behind the running one. If links are left
/// when it runs, at the next switch, the running function has parked: they move to another
/// coroutine.
void ChainRun::run() {
  posted_ = false;
  hand_over();
}

void ChainRun::hand_over() noexcept {
  while (detail::FutureLink* next = links_.pop_front()) {
    ChainRun* const other = start_own(next);
    if (other == nullptr) continue;  // its scope is closed
    while (detail::FutureLink* rest = links_.pop_front()) other->links_.push_back(*rest);
  }
}

}  // namespace weft
