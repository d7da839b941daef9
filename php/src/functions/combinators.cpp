#include <algorithm>

#include "boundary.hpp"
#include "classes.hpp"
#include "gathering.hpp"
#include "parameters.hpp"
#include "place.hpp"

// await_all() and its relatives. Each reads its triggers into an array, waits until enough of them
// have settled, and collects the outcomes.

using namespace weft_php;

namespace {

/// Adds one trigger to `items`; null is left out. False, with an exception, for anything else that
/// cannot be awaited.
bool add_item(zval* items, const zval* key, zval* item) {
  ZVAL_DEREF(item);
  if (Z_TYPE_P(item) == IS_NULL) return true;
  const bool is_awaitable =
      Z_TYPE_P(item) == IS_OBJECT && instanceof_function(Z_OBJCE_P(item), ce_Async_Awaitable);
  if (!is_awaitable) {
    zend_throw_exception(ce_Async_AsyncException, "Expected item to be an Async\\Awaitable object",
                         0);
    return false;
  }
  if (event_of(Z_OBJ_P(item)) == nullptr) return false;
  zval copy;
  ZVAL_COPY(&copy, item);
  switch (Z_TYPE_P(key)) {
    case IS_LONG:
      zend_hash_index_update(Z_ARRVAL_P(items), static_cast<zend_ulong>(Z_LVAL_P(key)), &copy);
      return true;
    case IS_STRING:
      zend_symtable_update(Z_ARRVAL_P(items), Z_STR_P(key), &copy);
      return true;
    case IS_NULL:
      zend_hash_next_index_insert(Z_ARRVAL_P(items), &copy);
      return true;
    default:
      zval_ptr_dtor(&copy);
      zend_throw_exception(ce_Async_AsyncException,
                           "Invalid key type: must be string, long or null", 0);
      return false;
  }
}

void read_iterator(zval* items, zval* triggers) {
  zend_object_iterator* const it =
      Z_OBJCE_P(triggers)->get_iterator(Z_OBJCE_P(triggers), triggers, 0);
  if (it == nullptr || EG(exception) != nullptr) return;
  if (it->funcs->rewind != nullptr) it->funcs->rewind(it);
  zend_ulong count = 0;
  while (EG(exception) == nullptr && it->funcs->valid(it) == SUCCESS) {
    zval* const item = it->funcs->get_current_data(it);
    if (item == nullptr || EG(exception) != nullptr) break;
    zval key;
    if (it->funcs->get_current_key != nullptr) {
      it->funcs->get_current_key(it, &key);
    } else {
      ZVAL_LONG(&key, static_cast<zend_long>(count));
    }
    const bool is_fine = EG(exception) == nullptr && add_item(items, &key, item);
    zval_ptr_dtor(&key);
    if (!is_fine) break;
    ++count;
    it->funcs->move_forward(it);
  }
  zend_iterator_dtor(it);
}

/// The triggers as an array of Awaitables. False if an exception is in flight.
bool read_items(zval* items, zval* triggers) {
  if (Z_TYPE_P(triggers) == IS_OBJECT) {
    read_iterator(items, triggers);
  } else {
    zend_ulong index = 0;
    zend_string* name = nullptr;
    zval* item = nullptr;
    ZEND_HASH_FOREACH_KEY_VAL(Z_ARRVAL_P(triggers), index, name, item) {
      zval key;
      if (name != nullptr) {
        ZVAL_STR(&key, name);
      } else {
        ZVAL_LONG(&key, static_cast<zend_long>(index));
      }
      if (!add_item(items, &key, item)) break;
    }
    ZEND_HASH_FOREACH_END();
  }
  return EG(exception) == nullptr;
}

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

/// One trigger and its key, borrowed from the array of all.
struct Item {
  zend_ulong index;
  zend_string* name;
  zval* trigger;
};

void put(zval* array, const Item& at, zval* value) {
  if (at.name != nullptr) {
    zend_hash_update(Z_ARRVAL_P(array), at.name, value);
  } else {
    zend_hash_index_update(Z_ARRVAL_P(array), at.index, value);
  }
}

/// The elements of `array` one by one; the caller frees them with efree().
Item* list_of(HashTable* array) {
  auto* const list =
      static_cast<Item*>(safe_emalloc(zend_hash_num_elements(array), sizeof(Item), 1));
  Item* next = list;
  zend_ulong index = 0;
  zend_string* name = nullptr;
  zval* trigger = nullptr;
  ZEND_HASH_FOREACH_KEY_VAL(array, index, name, trigger) { *next++ = Item{index, name, trigger}; }
  ZEND_HASH_FOREACH_END();
  return list;
}

enum class OnError { throws, collects };
struct Wanted {
  zval* triggers = nullptr;
  zend_object* token = nullptr;
  zend_long count = 0;  // of successes; negative: all
  OnError on_error = OnError::throws;
  bool in_key_order = true;
  bool fills_null = false;
};

/// Settles `wanted`: values and errors by key. False if an exception is in flight; then both are
/// released.
bool settle(const Wanted& wanted, zval* values, zval* errors) {
  zval items;
  weft::Event* token = nullptr;
  array_init(&items);
  array_init(values);
  array_init(errors);
  bool is_fine = start() && read_items(&items, wanted.triggers);
  if (is_fine && wanted.token != nullptr) {
    token = event_of(wanted.token);
    is_fine = token != nullptr;
  }
  Item* const all = list_of(Z_ARRVAL(items));
  const std::uint32_t size = zend_hash_num_elements(Z_ARRVAL(items));
  const std::uint32_t successes =
      wanted.count < 0 || wanted.count > size ? size : static_cast<std::uint32_t>(wanted.count);
  auto* const order = static_cast<std::uint32_t*>(safe_emalloc(size, sizeof(std::uint32_t), 1));
  std::uint32_t settled = 0;
  if (is_fine && successes > 0) {
    const weft::Place place = place_here();
    is_fine = in_runtime([&] {
      Gathering gathering{successes, wanted.on_error == OnError::throws};
      for (std::uint32_t i = 0; i < size; ++i) {
        gathering.add(*Object::of(all[i].trigger).event(), i);
      }
      gathering.wait(token, place);
      for (const std::uint32_t position : gathering.order()) order[settled++] = position;
    });
  }
  if (is_fine && wanted.in_key_order) std::sort(order, order + settled);
  std::uint32_t taken = 0;
  for (std::uint32_t i = 0; is_fine && i < settled; ++i) {
    const Item& at = all[order[i]];
    zval value;
    zval error;
    read_outcome(at.trigger, &value, &error);
    if (Z_ISUNDEF(error)) {
      if (taken++ < successes || wanted.on_error == OnError::collects) {
        put(values, at, &value);
      } else {
        zval_ptr_dtor(&value);
      }
    } else if (wanted.on_error == OnError::throws) {
      is_fine = false;
      zend_throw_exception_object(&error);
    } else {
      put(errors, at, &error);
      if (wanted.fills_null) put(values, at, &value);
    }
  }
  efree(order);
  efree(all);
  zval_ptr_dtor(&items);
  if (is_fine) return true;
  zval_ptr_dtor(values);
  zval_ptr_dtor(errors);
  return false;
}

/// [values, errors]
void return_both(const Wanted& wanted, zval* result) {
  zval values;
  zval errors;
  if (!settle(wanted, &values, &errors)) return;
  array_init_size(result, 2);
  add_next_index_zval(result, &values);
  add_next_index_zval(result, &errors);
}

void return_values(const Wanted& wanted, zval* result) {
  zval values;
  zval errors;
  if (!settle(wanted, &values, &errors)) return;
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
  if (!settle(wanted, &values, &errors)) RETURN_THROWS();
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
  if (!settle(wanted, &values, &errors)) RETURN_THROWS();
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
