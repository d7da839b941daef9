#pragma once

#include <exception>

namespace weft {

class CoroutineBase;

/// Whoever a coroutine belongs to: all that the scheduler knows of scopes.
class Owner {
 public:
  virtual ~Owner() = default;
  /// Whether it wants to be asked and told; the root scope does not.
  [[nodiscard]] bool watches() const noexcept { return watches_; }
  /// A coroutine is about to be spawned here. Throws to refuse it.
  virtual void admit() {}
  virtual void joined(CoroutineBase&) noexcept {}
  /// It has ended; its outcome is stored.
  virtual void left(CoroutineBase&) noexcept {}
  /// Nobody handled the error it ended with. True: dealt with here.
  virtual bool take_error(CoroutineBase&, const std::exception_ptr&) noexcept { return false; }

 protected:
  explicit Owner(bool watches = true) noexcept : watches_{watches} {}

 private:
  bool watches_;
};

}  // namespace weft
