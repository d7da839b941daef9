#include "triggers.hpp"

#include <memory>
#include <unordered_set>

#include "boundary.hpp"
#include "classes.hpp"
#include "gathering.hpp"
#include "parameters.hpp"

namespace weft_php {
namespace {

/// The triggers of a Traversable, which a coroutine of its own reads: the iterator may suspend, and
/// be left in the middle. Shared by that coroutine and the one that waits, of which either may end
/// first.
class TriggerSource {
 public:
  TriggerSource(zend_object_iterator& iterator, Gathering& gathering)
      : iterator_{Value::adopt(iterator.std)}, gathering_{&gathering} {
    list_.begin();
  }
  ~TriggerSource() {
    drop(list_.keys);
    drop(list_.triggers);
  }
  TriggerSource(const TriggerSource&) = delete;
  TriggerSource& operator=(const TriggerSource&) = delete;

  /// The body of the coroutine that reads.
  void read() {
    std::exception_ptr error;
    try {
      in_engine([this] {
        if (functions().rewind != nullptr) functions().rewind(iterator());
      });
      while (is_wanted() && take()) {
        in_engine([this] { functions().move_forward(iterator()); });
      }
      in_engine([this] { iterator_.reset(); });
    } catch (...) {
      error = std::current_exception();
    }
    if (gathering_ != nullptr) gathering_->no_more(std::move(error));
  }
  /// Called by the other coroutine when its wait is over: gives it what was read, and ends the
  /// reading.
  void leave(TriggerList& list) noexcept {
    gathering_ = nullptr;
    std::swap(list, list_);
  }

 private:
  [[nodiscard]] bool is_wanted() const noexcept {
    return gathering_ != nullptr && !gathering_->is_decided();
  }
  [[nodiscard]] zend_object_iterator* iterator() const noexcept {
    return reinterpret_cast<zend_object_iterator*>(iterator_.object());
  }
  [[nodiscard]] const zend_object_iterator_funcs& functions() const noexcept {
    return *iterator()->funcs;
  }
  /// Adds the current element. False at the end.
  bool take() {
    weft::Event* event = nullptr;
    bool is_valid = false;
    in_engine([&] {
      is_valid = functions().valid(iterator()) == SUCCESS && EG(exception) == nullptr;
      zval* const item = is_valid ? functions().get_current_data(iterator()) : nullptr;
      if (item != nullptr && EG(exception) == nullptr && is_wanted()) event = add(item);
    });
    if (event != nullptr && is_wanted()) gathering_->add(*event, list_.count() - 1);
    return is_valid;
  }
  /// Adds `item` and returns its event; null if it has come before, or an exception is in flight.
  weft::Event* add(zval* item) {
    zval key;
    ZVAL_LONG(&key, list_.next_number);
    if (functions().get_current_key != nullptr) functions().get_current_key(iterator(), &key);
    ZVAL_DEREF(item);
    const std::uint32_t before = list_.count();
    const bool is_new = Z_TYPE_P(item) != IS_OBJECT || seen_.insert(Z_OBJ_P(item)).second;
    if (EG(exception) == nullptr && is_new) (void)list_.add(&key, item);
    zval_ptr_dtor(&key);
    return list_.count() > before ? Object::of(list_.trigger(before)).event() : nullptr;
  }

  Value iterator_;
  Gathering* gathering_;
  TriggerList list_;
  std::unordered_set<zend_object*> seen_;
};

}  // namespace

bool TriggerList::add(const zval* key, zval* item) {
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
  zval kept;
  if (Z_TYPE_P(key) == IS_STRING) {
    ZVAL_COPY(&kept, key);
  } else if (Z_TYPE_P(key) == IS_LONG || Z_TYPE_P(key) == IS_NULL) {
    ZVAL_LONG(&kept, Z_TYPE_P(key) == IS_LONG ? Z_LVAL_P(key) : next_number);
    if (Z_LVAL(kept) >= next_number) next_number = Z_LVAL(kept) + 1;
  } else {
    zend_throw_exception(ce_Async_AsyncException, "Invalid key type: must be string, long or null",
                         0);
    return false;
  }
  Z_ADDREF_P(item);
  add_next_index_zval(&keys, &kept);
  add_next_index_zval(&triggers, item);
  return true;
}

bool open_triggers(zval* given, TriggerList& list, zend_object_iterator*& source) {
  if (Z_TYPE_P(given) == IS_OBJECT) {
    source = Z_OBJCE_P(given)->get_iterator(Z_OBJCE_P(given), given, 0);
    return EG(exception) == nullptr && source != nullptr;
  }
  list.begin();
  zend_ulong index = 0;
  zend_string* name = nullptr;
  zval* item = nullptr;
  ZEND_HASH_FOREACH_KEY_VAL(Z_ARRVAL_P(given), index, name, item) {
    zval key;
    if (name != nullptr) {
      ZVAL_STR(&key, name);
    } else {
      ZVAL_LONG(&key, static_cast<zend_long>(index));
    }
    if (!list.add(&key, item)) return false;
  }
  ZEND_HASH_FOREACH_END();
  return true;
}

void wait_while_reading(zend_object_iterator& iterator, Gathering& gathering, weft::Event* token,
                        weft::Place place, TriggerList& list) {
  const auto source = std::make_shared<TriggerSource>(iterator, gathering);
  gathering.expect_more();
  const weft::AnyCoroutine reader = weft::spawn([source] { source->read(); }, place);
  std::exception_ptr error;
  try {
    gathering.wait(token, place);
  } catch (...) {
    error = std::current_exception();
  }
  source->leave(list);
  reader.cancel();
  if (error != nullptr) std::rethrow_exception(error);
}

}  // namespace weft_php
