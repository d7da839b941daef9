#pragma once

#include <cstddef>
#include <cstdint>

#include "scheduler/id_range.hpp"
#include "scheduler/owner.hpp"
#include "weft/extend/coroutine_base.hpp"

namespace weft {

/// Every coroutine that has not ended: owner by owner, so that an owner finds its own at once.
/// Gives them their ids, and knows how many are still to come.
class Registry {
 public:
  /// From now on it is one of `owner`; the registry holds it.
  void enter(CoroutineBase& coroutine, Owner& owner) noexcept {
    coroutine.owner_ = &owner;
    coroutine.id_ = ++last_id_;
    coroutine.retain();
    if (owner.members_.empty()) link(owner);
    owner.members_.push_back(coroutine);
    coroutine.registered_ = true;
    ++expected_;
  }
  /// Its reference is left to the caller.
  void remove(CoroutineBase& coroutine, Owner& owner) noexcept {
    owner.members_.remove(coroutine);
    if (owner.members_.empty()) unlink(owner);
    coroutine.registered_ = false;
    if (coroutine.zombie_) --zombies_;
    --expected_;
  }
  [[nodiscard]] std::size_t size() const noexcept { return expected_ - reserved_; }
  /// How many have entered since the beginning.
  [[nodiscard]] std::uint64_t entered() const noexcept { return last_id_ - ids_.begin(); }

  /// One more may enter later and must find room.
  void reserve() noexcept {
    ++reserved_;
    ++expected_;
  }
  void drop_reservation() noexcept {
    --reserved_;
    --expected_;
  }
  /// For how many coroutines a run queue needs room, with one that enters now.
  [[nodiscard]] std::size_t room() const noexcept { return expected_ + 2; }

  /// It goes on, but no longer counts as active.
  void make_zombie(CoroutineBase& coroutine) noexcept {
    coroutine.zombie_ = true;
    ++zombies_;
  }
  [[nodiscard]] std::size_t active() const noexcept { return size() - zombies_; }

  /// For what is no coroutine; see Origin.
  [[nodiscard]] std::uint64_t next_object_id() noexcept { return ids_.begin() + ++objects_; }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  [[nodiscard]] CoroutineBase* first() const noexcept {
    return first_ != nullptr ? first_->members_.first() : nullptr;
  }
  [[nodiscard]] static CoroutineBase* next(const CoroutineBase& coroutine,
                                           const Owner& owner) noexcept {
    if (CoroutineBase* next = CoroutineList::next(coroutine)) return next;
    return owner.next_ != nullptr ? owner.next_->members_.first() : nullptr;
  }

 private:
  void link(Owner& owner) noexcept {
    owner.previous_ = last_;
    owner.next_ = nullptr;
    (last_ != nullptr ? last_->next_ : first_) = &owner;
    last_ = &owner;
  }
  void unlink(Owner& owner) noexcept {
    (owner.previous_ != nullptr ? owner.previous_->next_ : first_) = owner.next_;
    (owner.next_ != nullptr ? owner.next_->previous_ : last_) = owner.previous_;
  }

  Owner* first_ = nullptr;
  Owner* last_ = nullptr;
  std::size_t expected_ = 0;  // those that are here, and those that are still to come
  std::size_t reserved_ = 0;
  std::size_t zombies_ = 0;
  const IdRange ids_;
  std::uint64_t last_id_ = ids_.begin();
  std::uint64_t objects_ = 0;
};

}  // namespace weft
