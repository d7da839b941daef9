#pragma once

#include <cstddef>
#include <cstdint>

#include "scheduler/id_range.hpp"
#include "scheduler/owner.hpp"
#include "weft/detail/intrusive_list.hpp"
#include "weft/extend/coroutine_base.hpp"

namespace weft {

/// Every coroutine that has not ended, grouped by owner, so that an owner finds its members at
/// once. Gives coroutines their ids, and counts the reservations of later ones.
class Registry {
 public:
  /// Makes `coroutine` a member of `owner`; the registry takes a reference.
  void enter(CoroutineBase& coroutine, Owner& owner) noexcept {
    coroutine.owner_ = &owner;
    coroutine.id_ = ++last_id_;
    coroutine.retain();
    list(coroutine, owner);
  }
  /// The caller drops the registry's reference.
  void remove(CoroutineBase& coroutine, Owner& owner) noexcept {
    owner.members_.remove(coroutine);
    if (owner.members_.empty()) owners_.remove(owner);
    coroutine.registered_ = false;
    if (coroutine.zombie_) --zombies_;
    --expected_;
  }
  /// Takes `coroutine` out of all counts, but keeps its id, its room and the reference.
  void set_aside(CoroutineBase& coroutine, Owner& owner) noexcept {
    remove(coroutine, owner);
    reserve();
  }
  void put_back(CoroutineBase& coroutine, Owner& owner) noexcept {
    drop_reservation();
    list(coroutine, owner);
  }
  [[nodiscard]] std::size_t size() const noexcept { return expected_ - reserved_; }
  /// How many coroutines have entered since the runtime began.
  [[nodiscard]] std::uint64_t entered() const noexcept { return last_id_ - ids_.begin(); }

  /// Reserves room for one coroutine that may enter later.
  void reserve() noexcept {
    ++reserved_;
    ++expected_;
  }
  void drop_reservation() noexcept {
    --reserved_;
    --expected_;
  }
  /// How many coroutines the run queue needs room for, with one that enters now.
  [[nodiscard]] std::size_t room() const noexcept { return expected_ + 2; }

  /// The coroutine runs on, but no longer counts as active.
  void make_zombie(CoroutineBase& coroutine) noexcept {
    coroutine.zombie_ = true;
    ++zombies_;
  }
  [[nodiscard]] std::size_t active() const noexcept { return size() - zombies_; }

  /// Ids of objects that are no coroutines; see Origin.
  [[nodiscard]] std::uint64_t next_object_id() noexcept { return ids_.begin() + ++objects_; }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  [[nodiscard]] CoroutineBase* first() const noexcept {
    return owners_.empty() ? nullptr : owners_.first()->members_.first();
  }
  [[nodiscard]] static CoroutineBase* next(const CoroutineBase& coroutine,
                                           const Owner& owner) noexcept {
    if (CoroutineBase* next = CoroutineList::next(coroutine)) return next;
    const Owner* const other = owner.list_links_.next();
    return other != nullptr ? other->members_.first() : nullptr;
  }

 private:
  void list(CoroutineBase& coroutine, Owner& owner) noexcept {
    if (owner.members_.empty()) owners_.push_back(owner);
    owner.members_.push_back(coroutine);
    coroutine.registered_ = true;
    ++expected_;
  }

  detail::IntrusiveList<Owner> owners_;  // that have members
  std::size_t expected_ = 0;             // registered and reserved ones
  std::size_t reserved_ = 0;
  std::size_t zombies_ = 0;
  const IdRange ids_;
  std::uint64_t last_id_ = ids_.begin();
  std::uint64_t objects_ = 0;
};

}  // namespace weft
