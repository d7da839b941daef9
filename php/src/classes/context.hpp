#pragma once

#include <unordered_map>

#include "classes/scope_record.hpp"
#include "object.hpp"
#include "value.hpp"

namespace weft_php {

/// Async\Context: values by key, looked up here and then in the contexts above.
class ContextObject final : public Object {
 public:
  explicit ContextObject(weft::Ref<ScopeRecord> above = {}) noexcept : above_{std::move(above)} {
    ZVAL_UNDEF(&strings_);
  }
  ~ContextObject() override = default;

  /// A string or an object.
  using Key = zval;
  [[nodiscard]] zval* find_local(const Key& key);
  [[nodiscard]] zval* find(const Key& key);
  void set(const Key& key, zval& value);
  void unset(const Key& key);
  void add_references(zend_get_gc_buffer* buffer) override;
  void release_references() override;

  [[nodiscard]] static ContextObject& make(weft::Ref<ScopeRecord> above);

 private:
  struct Entry {
    Value key;  // keeps the object, so that its handle stays unique
    Value value;
  };
  weft::Ref<ScopeRecord> above_;  // the scope where the search goes on
  zval strings_;                  // an array, made with the first string
  std::unordered_map<std::uint32_t, Entry> objects_;
};

}  // namespace weft_php
