#pragma once

#include <exception>
#include <memory>

#include "scheduler/coroutine_list.hpp"

namespace weft {

class CoroutineBase;

/// Whoever coroutines belong to: all that the scheduler knows of scopes.
class Owner {
 public:
  virtual ~Owner() = default;
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;

  /// Whether it wants to be asked and told; the root scope does not.
  [[nodiscard]] bool watches() const noexcept { return watches_; }
  /// A coroutine is about to be spawned here. Throws to refuse it.
  virtual void admit() {}
  /// The same for one that cleans up.
  virtual void admit_cleanup() {}
  virtual void joined(CoroutineBase&) noexcept {}
  /// It has ended and is no longer among the members; its outcome is stored.
  virtual void left(CoroutineBase&) noexcept {}
  /// Whether a failure counts at once, even if somebody holds a handle and could read it later.
  [[nodiscard]] virtual bool wants_every_error() const noexcept { return false; }
  /// Nobody handled the error it ended with. True: dealt with here.
  virtual bool take_error(CoroutineBase&, const std::exception_ptr&) noexcept { return false; }
  /// Where the finally handlers of its coroutines run.
  [[nodiscard]] virtual Owner& below() noexcept { return *this; }
  /// Has to stay, although its members have left: one of them failed and nobody has looked yet, or
  /// something outside may spawn here later.
  virtual void pin() noexcept {}
  virtual void unpin() noexcept {}

  /// Those of its coroutines that have not ended, in the order in which they were spawned.
  [[nodiscard]] const CoroutineList& members() const noexcept { return members_; }
  /// Where a search for values goes on, and a failure goes to.
  [[nodiscard]] Owner* parent() const noexcept { return parent_; }
  /// Whether coroutines that have started are left to end by themselves when it is disposed.
  [[nodiscard]] bool allows_zombies() const noexcept { return allows_zombies_; }

  /// Room for what a higher layer keeps with an owner.
  std::shared_ptr<void> values;

 protected:
  Owner(bool watches, Owner* parent, bool allows_zombies) noexcept
      : parent_{parent}, watches_{watches}, allows_zombies_{allows_zombies} {}

  Owner* parent_;

 private:
  friend class Registry;
  CoroutineList members_;
  Owner* previous_ = nullptr;
  Owner* next_ = nullptr;
  bool watches_;

 protected:
  bool allows_zombies_;
};

}  // namespace weft
