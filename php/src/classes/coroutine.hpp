#pragma once

#include "callable.hpp"
#include "classes/context.hpp"
#include "classes/scope_record.hpp"
#include "object.hpp"
#include "value.hpp"
#include "vm_state.hpp"

namespace weft_php {

/// A coroutine that PHP code runs in, as Async\Coroutine: one that PHP has spawned, or one of the
/// runtime's that calls PHP, such as main.
class CoroutineRecord : public Object {
 public:
  /// The record of the runtime's current coroutine, made if it has none.
  [[nodiscard]] static CoroutineRecord& of_current();
  /// The record of `base`; null if no PHP code has run in it.
  [[nodiscard]] static CoroutineRecord* of(weft::CoroutineBase& base) noexcept;
  /// The object of `base`, made if it has none; `base` may have ended. In the engine.
  [[nodiscard]] static Value object_of(weft::CoroutineBase& base);

  [[nodiscard]] virtual weft::CoroutineBase& base() const noexcept = 0;
  [[nodiscard]] weft::Event* event() override { return &base(); }
  [[nodiscard]] bool is_completed() const override { return base().is_completed(); }
  void outcome(zval* result) override;
  void add_references(zend_get_gc_buffer* buffer) override;
  void release_references() override { context_.release(); }
  /// The result, which is unset unless the coroutine has ended with one; null if it never has one.
  [[nodiscard]] virtual const Value* result() const noexcept { return nullptr; }

  /// The context of the coroutine alone, made when first asked for. In the engine.
  [[nodiscard]] const Value& own_context();

  VmState vm;
  bool in_engine = false;  // it has a stack of the virtual machine
  weft::Ref<ScopeRecord> scope;

 protected:
  Value context_;
};

/// A coroutine that PHP has spawned.
class SpawnedCoroutine final : public CoroutineRecord, public weft::HostCoroutine {
 public:
  SpawnedCoroutine(Callable body, weft::Ref<ScopeRecord> where) noexcept : body_{std::move(body)} {
    scope = std::move(where);
  }
  ~SpawnedCoroutine() override = default;
  [[nodiscard]] weft::CoroutineBase& base() const noexcept override {
    return const_cast<SpawnedCoroutine&>(*this);
  }
  [[nodiscard]] weft::Event* event() override { return this; }
  [[nodiscard]] bool is_completed() const override { return CoroutineBase::is_completed(); }
  [[nodiscard]] const Value* result() const noexcept override { return &result_; }
  void add_references(zend_get_gc_buffer* buffer) override;
  void release_references() override;
  void last_reference_went() override { dropped_unread(); }
  [[nodiscard]] std::string info() const override;
  Callable& body() noexcept { return body_; }

 private:
  void run_body() noexcept override;
  void drop_body() noexcept override { body_ = {}; }
  [[nodiscard]] bool is_held_by_host() const noexcept override {
    return GC_REFCOUNT(self()) > lent_;
  }
  void host_retain() noexcept override {
    ++lent_;
    GC_ADDREF(self());
  }
  void host_release() noexcept override;
  [[nodiscard]] void* host_object() const noexcept override {
    return const_cast<CoroutineRecord*>(static_cast<const CoroutineRecord*>(this));
  }

  Callable body_;
  Value result_;
  std::uint32_t lent_ = 0;  // references of the runtime
};

/// A coroutine of the runtime's own: main, or one that runs a handler.
class AdoptedCoroutine final : public CoroutineRecord {
 public:
  explicit AdoptedCoroutine(weft::AnyCoroutine coroutine) noexcept
      : coroutine_{std::move(coroutine)} {}
  ~AdoptedCoroutine() override = default;
  [[nodiscard]] weft::CoroutineBase& base() const noexcept override { return coroutine_.base(); }
  [[nodiscard]] const Value* result() const noexcept override { return &result_; }
  /// What the PHP code returned that it runs, as the task of a group.
  void set_result(const Value& result) { result_ = result; }
  void add_references(zend_get_gc_buffer* buffer) override;
  void release_references() override;

  /// Makes the record of `base`, which lives at least until that has ended.
  static AdoptedCoroutine& adopt(weft::CoroutineBase& base);

 private:
  weft::AnyCoroutine coroutine_;
  Value result_;
};

/// Makes a coroutine of `scope`, null for the current one, with its object in `result`.
[[nodiscard]] SpawnedCoroutine& prepare_coroutine(Callable body, ScopeRecord* scope, zval* result);
/// Enters it into the run queue. False if an exception of PHP is in flight now.
[[nodiscard]] bool enter_coroutine(SpawnedCoroutine& made, ScopeRecord* scope);
/// Prepares and enters it.
inline void spawn_coroutine(Callable body, ScopeRecord* scope, zval* result) {
  (void)enter_coroutine(prepare_coroutine(std::move(body), scope, result), scope);
}

}  // namespace weft_php
