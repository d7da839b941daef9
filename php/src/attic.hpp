#pragma once

#include <cstddef>
#include <deque>

#include "engine.hpp"

namespace weft_php {

/// Values whose last reference was dropped where no PHP code may run: in the scheduler phase, or
/// between saving and loading the VM state. empty() releases them, which runs their destructors.
class Attic {
 public:
  /// Drops one reference of `value`; the last one is kept here until empty().
  void drop(zval& value) noexcept;
  void drop(zend_object& object) noexcept;
  [[nodiscard]] bool is_empty() const noexcept { return kept_.empty(); }
  /// Releases what is kept. Destructors of PHP may run and suspend: call it in the engine, in a
  /// coroutine.
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
/// Empties the attic after an object of the extension was freed, unless the VM state is saved.
void release_dropped();

}  // namespace weft_php
