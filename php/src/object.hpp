#pragma once

#include <cstddef>
#include <new>
#include <utility>

#include "attic.hpp"
#include "engine.hpp"

namespace weft_php {

/// The C++ part of a PHP object, which lies before the zend_object in one piece of memory. Every
/// class of the extension derives from it first, so that of() finds it for all of them.
class Object {
 public:
  Object() noexcept = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  virtual ~Object() = default;

  [[nodiscard]] static Object& of(zend_object* object) noexcept {
    return *reinterpret_cast<Object*>(reinterpret_cast<char*>(object) - object->handlers->offset);
  }
  [[nodiscard]] static Object& of(const zval* value) noexcept { return of(Z_OBJ_P(value)); }
  [[nodiscard]] zend_object* self() const noexcept { return self_; }

  /// The event that await() waits for; null if the object is no Awaitable, or not constructed.
  [[nodiscard]] virtual weft::Event* event() { return nullptr; }
  /// Whether outcome() has something to give, so that there is nothing to wait for.
  [[nodiscard]] virtual bool is_completed() const { return false; }
  /// Copies the result to `result`, or throws the error in PHP. In the engine.
  virtual void outcome(zval* result) { ZVAL_NULL(result); }
  /// Adds the values that the object holds, for the collector of cycles: all that it drops when it
  /// is freed, or in last_reference_went().
  virtual void add_references(zend_get_gc_buffer* /*buffer*/) {}
  /// Releases the values that the object holds, just before it is freed. The collector of cycles
  /// may be freeing them at the same time, so none may be left to the Attic.
  virtual void release_references() {}
  /// The object is about to be destroyed; code that is called from here may take a new reference
  /// and so keep it. Not called for objects that live when a fatal error ends the script: the
  /// engine calls no destructors then.
  virtual void last_reference_went() {}

 private:
  template <class T>
  friend class ObjectKind;
  zend_object* self_ = nullptr;
};

/// Whether the engine destroys `object` only because the script has ended. Coroutines and the
/// destructors of other objects may still use it: it is destroyed later, at the latest by
/// Request::end().
[[nodiscard]] bool put_off_destruction(zend_object& object) noexcept;

/// Calls `work`, which may call PHP code, as the engine calls a destructor: an exception in flight
/// is put aside meanwhile, and becomes the previous one of what `work` throws.
template <class Work>
void with_exception_aside(Work&& work) {
  if (EG(exception) == nullptr) return work();
  zend_execute_data* const frame = EG(current_execute_data);
  const bool is_user_code =
      frame != nullptr && frame->func != nullptr && ZEND_USER_CODE(frame->func->common.type);
  if (is_user_code) zend_rethrow_exception(frame);
  zend_object* const exception = std::exchange(EG(exception), nullptr);
  const zend_op* const thrown_at = EG(opline_before_exception);
  work();
  if (is_user_code) zend_rethrow_exception(frame);  // one that was caught has let it go on
  EG(opline_before_exception) = thrown_at;
  if (EG(exception) != nullptr) {
    zend_exception_set_previous(EG(exception), exception);
  } else {
    EG(exception) = exception;
  }
}

/// How objects with the C++ part T are made and destroyed.
template <class T>
class ObjectKind {
 public:
  template <class... Args>
  static T& make(zend_class_entry* ce, Args&&... args) {
    void* const memory = ecalloc(1, offset + sizeof(zend_object) + zend_object_properties_size(ce));
    T* const made = construct(memory, std::forward<Args>(args)...);
    auto* const object = reinterpret_cast<zend_object*>(static_cast<char*>(memory) + offset);
    made->self_ = object;
    zend_object_std_init(object, ce);
    object_properties_init(object, ce);
    object->handlers = handlers();
    return *made;
  }
  static zend_object* create(zend_class_entry* ce) { return make(ce).self(); }

  /// Prepared by the first call; the caller may change it before any object is made.
  static zend_object_handlers* handlers() {
    static zend_object_handlers table = [] {
      zend_object_handlers made = std_object_handlers;
      made.offset = offset;
      made.clone_obj = nullptr;
      made.dtor_obj = [](zend_object* object) {
        if (put_off_destruction(*object)) return;
        with_exception_aside([&] { Object::of(object).last_reference_went(); });
        zend_objects_destroy_object(object);
      };
      made.free_obj = [](zend_object* object) {
        volatile bool bailed = false;
        zend_try { Object::of(object).release_references(); }
        zend_catch { bailed = true; }
        zend_end_try();
        static_cast<T&>(Object::of(object)).~T();
        zend_object_std_dtor(object);
        if (bailed) zend_bailout();
        release_dropped();
      };
      made.get_gc = [](zend_object* object, zval** values, int* count) -> HashTable* {
        zend_get_gc_buffer* const buffer = zend_get_gc_buffer_create();
        Object::of(object).add_references(buffer);
        zend_get_gc_buffer_use(buffer, values, count);
        return nullptr;
      };
      return made;
    }();
    return &table;
  }

 private:
  static constexpr int offset = static_cast<int>((sizeof(T) + 15) / 16 * 16);
  template <class... Args>
  static T* construct(void* memory, Args&&... args) {
    return ::new (memory) T(std::forward<Args>(args)...);
  }
};

}  // namespace weft_php
