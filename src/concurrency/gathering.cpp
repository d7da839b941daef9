#include "weft/detail/gathering.hpp"

#include "base/warning.hpp"
#include "concurrency/scope_core.hpp"
#include "scheduler/error_chain.hpp"
#include "scheduler/shield.hpp"
#include "wait/await_as.hpp"
#include "wait/live_token.hpp"
#include "weft/await.hpp"
#include "weft/detail/await_pack.hpp"
#include "weft/error.hpp"

namespace weft::detail {

Gathering::~Gathering() {
  for (Member& member : members_) member.event.remove_callback(member);
}

void Gathering::add(Event& member, Owner owner) {
  Member& added = members_.emplace_back(*this, member, members_.size(), owner);
  member.set(Event::result_used_flag);
  Outcome outcome;
  if (member.is_closed()) {
    member.replay(outcome);
    count(added, outcome.error() != nullptr);
    return;
  }
  try {
    member.add_callback(added);
  } catch (...) {
    members_.pop_back();
    throw;
  }
}

void Gathering::close_entry() noexcept {
  entry_closed_ = true;
  decide();
}

void Gathering::fail(std::exception_ptr error) noexcept {
  if (is_closed()) return;
  error_ = std::move(error);
  notify_and_close(Outcome{error_});
}

void Gathering::Member::on_notify(Event& /*event*/, const Outcome& outcome) noexcept {
  gathering.count(*this, outcome.error() != nullptr);
}

void Gathering::count(Member& member, bool failed) noexcept {
  if (is_closed() || member.counted) return;  // after the decision
  member.counted = true;
  member.failed = failed;
  (last_ != nullptr ? last_->next : first_) = &member;
  last_ = &member;
  ++settled_;
  if (failed) ++failures_;
  decide();
}

void Gathering::decide() noexcept {
  const bool over = (entry_closed_ && settled_ == members_.size()) || settled_ >= goal_.settled ||
                    settled_ - failures_ >= goal_.successes || (goal_.fail_fast && failures_ > 0);
  if (over) notify_and_close();
}

void Gathering::wait(Token token, Place place) {
  if (token) static_cast<void>(live_event_of(token));  // throws if it has fired
  try {
    await_as(goal_.operation, *this, token, place);
  } catch (...) {
    link_own_errors(std::current_exception());
    throw;
  }
  // The errors of the other members need not be read.
  for (Member& member : members_) member.event.set(Event::error_caught_flag);
}

/// Their handles go with the call, and then no other code could read them.
void Gathering::link_own_errors(const std::exception_ptr& thrown) noexcept {
  for (Member& member : members_) {  // also those that have ended after the decision
    Outcome outcome;
    if (member.owner != Owner::wait || !member.event.replay(outcome)) continue;
    member.event.set(error_caught_flag);
    if (outcome.error() != nullptr && !is_cancellation(outcome.error())) {
      link_errors(thrown, outcome.error());
    }
  }
}

std::size_t Gathering::first_failure() const noexcept {
  const Member* member = first_;
  while (member != nullptr && !member->failed) member = member->next;
  return member != nullptr ? member->index : nowhere;
}

std::size_t Gathering::first_success() const noexcept {
  const Member* member = first_;
  while (member != nullptr && member->failed) member = member->next;
  return member != nullptr ? member->index : nowhere;
}

std::size_t Gathering::first_settled() const noexcept {
  return first_ != nullptr ? first_->index : nowhere;
}

bool Gathering::is_counted(std::size_t member) const noexcept { return members_[member].counted; }

bool Gathering::replay(Outcome& outcome) const {
  if (!is_closed()) return false;
  if (error_ != nullptr) outcome = Outcome{error_};
  return true;
}

std::string Gathering::info() const {
  return "Gathering(settled=" + std::to_string(settled_) + "/" + std::to_string(members_.size()) +
         ")";
}

Coroutine<void> spawn_reader(const char* operation, Function<void()> body, Place place) {
  Owner& owner = Scheduler::here(operation).owner_for_spawn();
  if (!owner.watches()) return Spawner::spawn(&owner, std::move(body), place);
  Owner& child = owner.below();
  try {
    return Spawner::spawn(&child, std::move(body), place);
  } catch (...) {
    if (&child != &owner) static_cast<ScopeCore&>(child).drop_holder();
    throw;
  }
}

CalledFunctions::~CalledFunctions() {
  if (!ScopeCore::of(*scope_).is_inhabited()) return;
  scope_->cancel();
  const Shield shield;
  try {
    scope_->await_after_cancellation([](const std::exception_ptr& error, Scope& /*scope*/) {
      warn("a function that a combinator had cancelled failed: " + describe(error));
    });
  } catch (...) {  // errors go to the handler above
  }
}

void cancel_and_join(CoroutineBase& coroutine) noexcept {
  coroutine.cancel();
  const Shield shield;
  while (!coroutine.is_completed()) {
    try {
      await(coroutine);
    } catch (...) {  // the error of the coroutine itself
    }
  }
}

}  // namespace weft::detail
