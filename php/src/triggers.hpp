#pragma once

#include "engine.hpp"

namespace weft_php {

class Gathering;

/// The awaitables that a combinator waits for and their keys, in the order of reading. Memory of
/// the engine, without a destructor: a fatal error may skip it.
struct TriggerList {
  zval keys;
  zval triggers;
  zend_long next_number = 0;  // the key of a trigger that has none

  TriggerList() noexcept {
    ZVAL_UNDEF(&keys);
    ZVAL_UNDEF(&triggers);
  }
  void begin() {
    array_init(&keys);
    array_init(&triggers);
    zend_hash_real_init_packed(Z_ARRVAL(keys));
    zend_hash_real_init_packed(Z_ARRVAL(triggers));
  }
  void release() {
    zval_ptr_dtor(&keys);
    zval_ptr_dtor(&triggers);
  }
  [[nodiscard]] std::uint32_t count() const { return zend_hash_num_elements(Z_ARRVAL(triggers)); }
  [[nodiscard]] zval& key(std::uint32_t i) const { return Z_ARRVAL(keys)->arPacked[i]; }
  [[nodiscard]] zval* trigger(std::uint32_t i) const { return &Z_ARRVAL(triggers)->arPacked[i]; }
  /// Adds `item`, unless it is null. False, with an exception, if it cannot be awaited or `key` is
  /// of another type than string, int or null.
  bool add(const zval* key, zval* item);
};

/// Reads an array into `list`, or gets the iterator of a Traversable into `source`. False if an
/// exception is in flight.
[[nodiscard]] bool open_triggers(zval* triggers, TriggerList& list, zend_object_iterator*& source);

/// In the runtime: suspends until `gathering` is decided, while a coroutine of its own reads what
/// it waits for from `source`, which it takes over. `list` gets what was read until then.
void wait_while_reading(zend_object_iterator& source, Gathering& gathering, weft::Event* token,
                        weft::Place place, TriggerList& list);

}  // namespace weft_php
