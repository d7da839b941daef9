#pragma once

#include <memory>
#include <string>
#include <vector>

#include "value.hpp"

namespace weft_php {

/// A PHP function with the arguments it is to be called with.
class Callable {
 public:
  Callable() noexcept = default;
  /// As Z_PARAM_FUNC gives it.
  Callable(const zend_fcall_info& function, const zend_fcall_info_cache& found);
  Callable(const zend_fcall_info& function, const zend_fcall_info_cache& found,
           const zval* arguments, std::uint32_t count, HashTable* named);
  explicit Callable(zend_object& closure, const zval* arguments = nullptr, std::uint32_t count = 0,
                    HashTable* named = nullptr);

  [[nodiscard]] bool is_set() const noexcept { return function_.is_set(); }
  /// Calls it with its own arguments. In the engine; the result is undefined if it throws.
  void call(zval* result);
  /// Calls it with `count` others.
  void call(zval* result, zval* arguments, std::uint32_t count) const;
  void add_references(zend_get_gc_buffer* buffer);
  /// Drops all at once: destructors of PHP may run. In the engine.
  void release();
  /// Its name for reports, such as `work` or `{closure}`.
  [[nodiscard]] std::string name() const;

 private:
  void keep(const zval* arguments, std::uint32_t count, HashTable* named);
  Value function_;
  std::vector<Value> arguments_;
  Value named_;
};

/// The handlers and hooks that the runtime holds for a PHP object. A handler is often a closure
/// that refers to the object: a cycle, which the collector finds by add_references().
class Handlers {
 public:
  /// Makes a handler of `callable`; the function that the runtime calls keeps it.
  [[nodiscard]] std::shared_ptr<const Callable> add(Callable callable);
  void add_references(zend_get_gc_buffer* buffer) const;
  /// Call it when the object is gone: the handlers belong to the runtime alone then.
  void forget() noexcept { made_.clear(); }

 private:
  std::vector<std::weak_ptr<Callable>> made_;
};

}  // namespace weft_php
