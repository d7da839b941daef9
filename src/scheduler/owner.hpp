#pragma once

#include <exception>

namespace weft {

class CoroutineBase;

/// Whoever a coroutine belongs to: all that the scheduler knows of scopes.
class Owner {
 public:
  virtual ~Owner() = default;
  /// A coroutine is about to be spawned here. Throws to refuse it.
  virtual void admit() {}
  virtual void joined(CoroutineBase&) noexcept {}
  /// It has ended; its outcome is stored.
  virtual void left(CoroutineBase&) noexcept {}
  /// Nobody handled the error it ended with. True: dealt with here.
  virtual bool take_error(CoroutineBase&, const std::exception_ptr&) noexcept { return false; }
};

}  // namespace weft
