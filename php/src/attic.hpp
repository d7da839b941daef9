#pragma once

#include <cstddef>
#include <deque>

#include "engine.hpp"

namespace weft_php {

/// Values whose last reference went where no PHP code may run: in the scheduler phase, or between
/// saving and loading the state of the engine. empty() releases them, and runs their destructors.
class Attic {
 public:
  /// Drops one reference of `value`, which may be kept here.
  void drop(zval& value) noexcept;
  void drop(zend_object& object) noexcept;
  [[nodiscard]] bool is_empty() const noexcept { return kept_.empty(); }
  /// May run PHP code, which may suspend: the caller is in the engine, on a stack of its own.
  void empty() {
    if (!kept_.empty()) [[unlikely]]
      release_all();
  }

 private:
  void release_all();
  std::deque<zval> kept_;  // in the order of their dropping
};

/// Drops one reference from anywhere, also after the request has ended.
void drop(zval& value) noexcept;
/// Releases what an object of the extension has dropped with itself. In the engine.
void release_dropped();

}  // namespace weft_php
