#include "weft/iterate.hpp"

#include <iterator>
#include <vector>

#include "boundary.hpp"
#include "classes.hpp"
#include "parameters.hpp"
#include "place.hpp"

using namespace weft_php;

namespace {

struct Element {
  Value value;
  Value key;
};

/// The elements of an array, copied before the first call.
std::vector<Element> elements_of(HashTable* array) {
  std::vector<Element> all;
  all.reserve(zend_hash_num_elements(array));
  zend_ulong index = 0;
  zend_string* name = nullptr;
  zval* value = nullptr;
  ZEND_HASH_FOREACH_KEY_VAL(array, index, name, value) {
    zval key;
    if (name != nullptr) {
      ZVAL_STR(&key, name);
    } else {
      ZVAL_LONG(&key, static_cast<zend_long>(index));
    }
    ZVAL_DEREF(value);
    all.push_back({Value{*value}, Value{key}});
  }
  ZEND_HASH_FOREACH_END();
  return all;
}

/// The elements of a Traversable, one by one. Each step is a call of PHP, which may suspend.
class Source {
 public:
  explicit Source(zend_object_iterator* iterator) noexcept : iterator_{iterator} {}

  class Iterator {
   public:
    using value_type = Element;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::input_iterator_tag;

    explicit Iterator(zend_object_iterator* iterator) : iterator_{iterator} {
      in_engine([this] {
        if (iterator_->funcs->rewind != nullptr) iterator_->funcs->rewind(iterator_);
      });
      read_valid();
    }
    Iterator& operator++() {
      in_engine([this] { iterator_->funcs->move_forward(iterator_); });
      read_valid();
      return *this;
    }
    void operator++(int) { ++*this; }
    Element operator*() const {
      zval value;
      zval key;
      ZVAL_UNDEF(&value);
      ZVAL_UNDEF(&key);
      in_engine([&] {
        zval* const current = iterator_->funcs->get_current_data(iterator_);
        if (current != nullptr) ZVAL_COPY_DEREF(&value, current);
        if (EG(exception) != nullptr) return;
        if (iterator_->funcs->get_current_key != nullptr) {
          iterator_->funcs->get_current_key(iterator_, &key);
        }
      });
      return {Value::adopt(value), Value::adopt(key)};
    }
    friend bool operator==(const Iterator& iterator, std::default_sentinel_t) noexcept {
      return iterator.at_end_;
    }

   private:
    void read_valid() {
      in_engine([this] { at_end_ = iterator_->funcs->valid(iterator_) != SUCCESS; });
    }
    zend_object_iterator* iterator_;
    bool at_end_ = false;
  };

  [[nodiscard]] Iterator begin() { return Iterator{iterator_}; }
  [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

 private:
  zend_object_iterator* iterator_;
};

/// Calls `callback` with the element. False if it returned false: the iteration ends.
bool call_with(const Callable& callback, const Element& element) {
  bool goes_on = true;
  in_engine([&] {
    zval result;
    zval arguments[2];
    ZVAL_UNDEF(&result);
    element.value.copy_to(&arguments[0]);
    element.key.copy_to(&arguments[1]);
    callback.call(&result, arguments, 2);
    goes_on = Z_TYPE(result) != IS_FALSE;
    zval_ptr_dtor(&result);
    zval_ptr_dtor(&arguments[0]);
    zval_ptr_dtor(&arguments[1]);
  });
  return goes_on;
}

}  // namespace

ZEND_FUNCTION(Async_iterate) {
  zval* iterable = nullptr;
  zend_fcall_info function;
  zend_fcall_info_cache found;
  zend_long concurrency = 0;
  bool cancels_pending = true;
  ZEND_PARSE_PARAMETERS_START(2, 4)
  Z_PARAM_ITERABLE(iterable)
  Z_PARAM_FUNC(function, found)
  Z_PARAM_OPTIONAL
  Z_PARAM_LONG(concurrency)
  Z_PARAM_BOOL(cancels_pending)
  ZEND_PARSE_PARAMETERS_END();
  if (concurrency < 0) {
    zend_argument_value_error(3, "must be greater than or equal to 0");
    RETURN_THROWS();
  }
  if (!start()) RETURN_THROWS();
  zend_object_iterator* iterator = nullptr;
  if (Z_TYPE_P(iterable) == IS_OBJECT) {
    iterator = Z_OBJCE_P(iterable)->get_iterator(Z_OBJCE_P(iterable), iterable, 0);
    if (iterator == nullptr || EG(exception) != nullptr) RETURN_THROWS();
  }
  const weft::Place place = place_here();
  (void)wait_in_runtime([&] {
    const Callable callback{function, found};
    const weft::IterateOptions options{static_cast<std::size_t>(concurrency), !cancels_pending};
    const auto body = [&](Element& element) -> bool { return call_with(callback, element); };
    if (iterator != nullptr) {
      weft::iterate(Source{iterator}, options, body, place);
    } else {
      weft::iterate(elements_of(Z_ARRVAL_P(iterable)), options, body, place);
    }
  });
  if (iterator != nullptr) zend_iterator_dtor(iterator);
}
