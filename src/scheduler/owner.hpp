#pragma once

#include <exception>
#include <memory>

#include "scheduler/coroutine_list.hpp"
#include "weft/detail/intrusive_list.hpp"

namespace weft {

class CoroutineBase;

/// What coroutines belong to: all that the scheduler knows of scopes.
class Owner {
 public:
  virtual ~Owner() = default;
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;

  /// Whether the functions below are called for it; the root scope needs none of them.
  [[nodiscard]] bool watches() const noexcept { return watches_; }
  /// A coroutine is about to be spawned here. Throws to refuse it.
  virtual void admit() {}
  /// The same for a clean-up coroutine.
  virtual void admit_cleanup() {}
  virtual void joined(CoroutineBase&) noexcept {}
  /// A coroutine has ended and is no longer among the members; its outcome is stored.
  virtual void left(CoroutineBase&) noexcept {}
  /// Whether a failure counts at once, even if a handle could still read it later.
  [[nodiscard]] virtual bool wants_every_error() const noexcept { return false; }
  /// A coroutine ended with an error that nothing has handled. True: the owner has handled it.
  virtual bool take_error(CoroutineBase&, const std::exception_ptr&) noexcept { return false; }
  /// The owner that runs the finally handlers of its coroutines.
  [[nodiscard]] virtual Owner& below() noexcept { return *this; }
  /// Keeps the owner alive although its members have left: a failure of one is still unread, or
  /// code outside may spawn here later.
  virtual void pin() noexcept {}
  virtual void unpin() noexcept {}

  /// Its coroutines that have not ended, in the order in which they were spawned.
  [[nodiscard]] const CoroutineList& members() const noexcept { return members_; }
  /// Where a search for values goes on, and where an unhandled failure goes.
  [[nodiscard]] Owner* parent() const noexcept { return parent_; }
  /// Whether coroutines that have started run on as zombies when the owner is disposed.
  [[nodiscard]] bool allows_zombies() const noexcept { return allows_zombies_; }

  /// For the room `concurrency`, which keeps values with an owner.
  std::shared_ptr<void> values;

 protected:
  Owner(bool watches, Owner* parent, bool allows_zombies) noexcept
      : parent_{parent}, watches_{watches}, allows_zombies_{allows_zombies} {}

  Owner* parent_;

 private:
  friend class Registry;
  friend class detail::ListAccess;
  CoroutineList members_;
  detail::ListLinks<Owner> list_links_;  // in the registry
  bool watches_;

 protected:
  bool allows_zombies_;
};

}  // namespace weft
