#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "boundary.hpp"
#include "classes.hpp"
#include "gathering.hpp"
#include "parameters.hpp"
#include "place.hpp"
#include "triggers.hpp"

// await_all() and its relatives. Each waits until enough of its triggers have settled, and collects
// the outcomes.

using namespace weft_php;

namespace {

/// The outcome of a settled item: a value, or its exception. In the engine.
void read_outcome(zval* item, zval* value, zval* error) {
  ZVAL_NULL(value);
  ZVAL_UNDEF(error);
  Object::of(item).outcome(value);
  if (EG(exception) == nullptr) return;
  ZVAL_OBJ_COPY(error, EG(exception));
  zend_clear_exception();
  ZVAL_NULL(value);
}

void put(zval* array, const zval& key, zval* value) {
  if (Z_TYPE(key) == IS_STRING) {
    zend_symtable_update(Z_ARRVAL_P(array), Z_STR(key), value);
  } else {
    zend_hash_index_update(Z_ARRVAL_P(array), static_cast<zend_ulong>(Z_LVAL(key)), value);
  }
}

enum class OnError { throws, collects };

/// What a combinator was called with.
struct Wanted {
  zval* triggers = nullptr;
  zend_object* token = nullptr;
  zend_long count = 0;  // of successes; negative: all
  OnError on_error = OnError::throws;
  bool in_key_order = true;
  bool fills_null = false;

  /// How many successes end the wait.
  [[nodiscard]] std::uint32_t successes() const noexcept {
    constexpr std::uint32_t all = std::numeric_limits<std::uint32_t>::max();
    return count < 0 || count > all ? all : static_cast<std::uint32_t>(count);
  }
};

/// The positions of the triggers that have settled, in that order. Memory of the engine, without a
/// destructor: a fatal error may skip it.
struct Settled {
  std::uint32_t* positions = nullptr;
  std::uint32_t count = 0;

  void copy(const std::vector<std::uint32_t>& order) {
    positions = static_cast<std::uint32_t*>(safe_emalloc(order.size(), sizeof(std::uint32_t), 1));
    for (const std::uint32_t position : order) positions[count++] = position;
  }
  void release() {
    if (positions != nullptr) efree(positions);
  }
};

/// In the runtime: waits for an array, all of whose triggers are known.
void wait_for_array(const TriggerList& triggers, Gathering& gathering, weft::Event* token,
                    weft::Place place) {
  const HashTable* const list = Z_ARRVAL(triggers.triggers);
  for (std::uint32_t i = 0; i < list->nNumUsed; ++i) {
    gathering.add(*Object::of(&list->arPacked[i]).event(), i);
  }
  gathering.wait(token, place);
}

/// Suspends until enough triggers have settled: those in `triggers`, or those that `source`, unless
/// it is null, adds there. Takes `source` over. False if an exception is in flight.
bool wait_for_triggers(const Wanted& wanted, weft::Event* token, TriggerList& triggers,
                       zend_object_iterator*& source, Settled& settled) {
  if (wanted.successes() == 0 || (source == nullptr && triggers.count() == 0)) return true;
  const weft::Place place = place_here();
  return wait_in_runtime([&] {
    Gathering gathering{wanted.successes(), wanted.on_error == OnError::throws};
    if (source != nullptr) {
      wait_while_reading(*std::exchange(source, nullptr), gathering, token, place, triggers);
    } else {
      wait_for_array(triggers, gathering, token, place);
    }
    settled.copy(gathering.order());
  });
}

/// Puts the outcomes into `values` and `errors`, by key. False if it has thrown an error.
bool collect(const Wanted& wanted, const TriggerList& triggers, const Settled& settled,
             zval* values, zval* errors) {
  if (wanted.in_key_order) std::sort(settled.positions, settled.positions + settled.count);
  std::uint32_t taken = 0;
  for (std::uint32_t i = 0; i < settled.count; ++i) {
    const std::uint32_t position = settled.positions[i];
    const zval& key = triggers.key(position);
    zval value;
    zval error;
    read_outcome(triggers.trigger(position), &value, &error);
    if (Z_ISUNDEF(error)) {
      if (taken++ < wanted.successes() || wanted.on_error == OnError::collects) {
        put(values, key, &value);
      } else {
        zval_ptr_dtor(&value);
      }
    } else if (wanted.on_error == OnError::throws) {
      zend_throw_exception_object(&error);
      return false;
    } else {
      put(errors, key, &error);
      if (wanted.fills_null) put(values, key, &value);
    }
  }
  return true;
}

/// Waits for `wanted` and collects values and errors by key. False if an exception is in flight;
/// then both are released.
bool wait_and_collect(const Wanted& wanted, zval* values, zval* errors) {
  TriggerList triggers;
  zend_object_iterator* source = nullptr;
  weft::Event* token = nullptr;
  Settled settled;
  array_init(values);
  array_init(errors);
  bool is_fine = start() && open_triggers(wanted.triggers, triggers, source);
  if (is_fine && wanted.token != nullptr) {
    token = event_of(wanted.token);
    is_fine = token != nullptr;
  }
  is_fine = is_fine && wait_for_triggers(wanted, token, triggers, source, settled) &&
            collect(wanted, triggers, settled, values, errors);
  settled.release();
  if (source != nullptr) zend_iterator_dtor(source);
  triggers.release();
  if (is_fine) return true;
  zval_ptr_dtor(values);
  zval_ptr_dtor(errors);
  return false;
}

/// [values, errors]
void return_both(const Wanted& wanted, zval* result) {
  zval values;
  zval errors;
  if (!wait_and_collect(wanted, &values, &errors)) return;
  array_init_size(result, 2);
  add_next_index_zval(result, &values);
  add_next_index_zval(result, &errors);
}

void return_values(const Wanted& wanted, zval* result) {
  zval values;
  zval errors;
  if (!wait_and_collect(wanted, &values, &errors)) return;
  zval_ptr_dtor(&errors);
  ZVAL_COPY_VALUE(result, &values);
}

/// The first value of `values`, which is released, or null.
void take_first(zval* values, zval* result) {
  ZVAL_NULL(result);
  zval* value = nullptr;
  ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(values), value) {
    ZVAL_COPY(result, value);
    break;
  }
  ZEND_HASH_FOREACH_END();
  zval_ptr_dtor(values);
}

bool expect_count(zend_long count) {
  if (count >= 0) return true;
  zend_argument_value_error(1, "must be greater than or equal to 0");
  return false;
}

}  // namespace

ZEND_FUNCTION(Async_await_any_or_fail) {
  Wanted wanted{.count = 1, .in_key_order = false};
  ZEND_PARSE_PARAMETERS_START(1, 2)
  Z_PARAM_ITERABLE(wanted.triggers)
  Z_PARAM_OPTIONAL
  Z_PARAM_OBJ_OF_CLASS_OR_NULL(wanted.token, ce_Async_Awaitable)
  ZEND_PARSE_PARAMETERS_END();
  zval values;
  zval errors;
  if (!wait_and_collect(wanted, &values, &errors)) RETURN_THROWS();
  zval_ptr_dtor(&errors);
  take_first(&values, return_value);
}

ZEND_FUNCTION(Async_await_first_success) {
  Wanted wanted{.count = 1, .on_error = OnError::collects, .in_key_order = false};
  ZEND_PARSE_PARAMETERS_START(1, 2)
  Z_PARAM_ITERABLE(wanted.triggers)
  Z_PARAM_OPTIONAL
  Z_PARAM_OBJ_OF_CLASS_OR_NULL(wanted.token, ce_Async_Awaitable)
  ZEND_PARSE_PARAMETERS_END();
  zval values;
  zval errors;
  zval first;
  if (!wait_and_collect(wanted, &values, &errors)) RETURN_THROWS();
  take_first(&values, &first);
  array_init_size(return_value, 2);
  add_next_index_zval(return_value, &first);
  add_next_index_zval(return_value, &errors);
}

ZEND_FUNCTION(Async_await_all_or_fail) {
  Wanted wanted{.count = -1};
  ZEND_PARSE_PARAMETERS_START(1, 3)
  Z_PARAM_ITERABLE(wanted.triggers)
  Z_PARAM_OPTIONAL
  Z_PARAM_OBJ_OF_CLASS_OR_NULL(wanted.token, ce_Async_Awaitable)
  Z_PARAM_BOOL(wanted.in_key_order)
  ZEND_PARSE_PARAMETERS_END();
  return_values(wanted, return_value);
}

ZEND_FUNCTION(Async_await_all) {
  Wanted wanted{.count = -1, .on_error = OnError::collects};
  ZEND_PARSE_PARAMETERS_START(1, 4)
  Z_PARAM_ITERABLE(wanted.triggers)
  Z_PARAM_OPTIONAL
  Z_PARAM_OBJ_OF_CLASS_OR_NULL(wanted.token, ce_Async_Awaitable)
  Z_PARAM_BOOL(wanted.in_key_order)
  Z_PARAM_BOOL(wanted.fills_null)
  ZEND_PARSE_PARAMETERS_END();
  return_both(wanted, return_value);
}

ZEND_FUNCTION(Async_await_any_of_or_fail) {
  Wanted wanted;
  ZEND_PARSE_PARAMETERS_START(2, 4)
  Z_PARAM_LONG(wanted.count)
  Z_PARAM_ITERABLE(wanted.triggers)
  Z_PARAM_OPTIONAL
  Z_PARAM_OBJ_OF_CLASS_OR_NULL(wanted.token, ce_Async_Awaitable)
  Z_PARAM_BOOL(wanted.in_key_order)
  ZEND_PARSE_PARAMETERS_END();
  if (!expect_count(wanted.count)) RETURN_THROWS();
  return_values(wanted, return_value);
}

ZEND_FUNCTION(Async_await_any_of) {
  Wanted wanted{.on_error = OnError::collects};
  ZEND_PARSE_PARAMETERS_START(2, 5)
  Z_PARAM_LONG(wanted.count)
  Z_PARAM_ITERABLE(wanted.triggers)
  Z_PARAM_OPTIONAL
  Z_PARAM_OBJ_OF_CLASS_OR_NULL(wanted.token, ce_Async_Awaitable)
  Z_PARAM_BOOL(wanted.in_key_order)
  Z_PARAM_BOOL(wanted.fills_null)
  ZEND_PARSE_PARAMETERS_END();
  if (!expect_count(wanted.count)) RETURN_THROWS();
  return_both(wanted, return_value);
}
