#pragma once

#include <optional>

#include "callable.hpp"
#include "classes/scope_record.hpp"
#include "object.hpp"

namespace weft_php {

/// Async\Scope: the object that a scope belongs to. Each weft::Ref of the scope counts as a
/// reference of the object.
class ScopeObject final : public Object {
 public:
  ScopeObject() = default;
  ~ScopeObject() override { release_scope(); }

  /// Makes it the object of `made`, a child of the scope of `parent`. Throws weft's errors.
  void begin(weft::Ref<weft::Scope> made, ScopeRecord* parent);
  [[nodiscard]] bool is_begun() const noexcept { return core_.has_value(); }
  [[nodiscard]] weft::Scope& scope() const noexcept { return core_->scope(); }
  [[nodiscard]] ScopeRecord& record() const noexcept { return *record_; }
  [[nodiscard]] weft::Event* event() override {
    return is_begun() ? &static_cast<weft::Event&>(scope()) : nullptr;
  }
  void add_references(zend_get_gc_buffer* buffer) override;
  void release_references() override;
  void last_reference_went() override { release_scope(); }
  /// The handlers that PHP code has registered with the scope.
  [[nodiscard]] Handlers& handlers() noexcept { return handlers_; }

  /// The record of the current coroutine's scope. In the runtime or in the engine.
  [[nodiscard]] static weft::Ref<ScopeRecord> current_record();

 private:
  class Core final : public weft::HostScope {
   public:
    Core(ScopeObject& object, weft::Ref<weft::Scope> made)
        : weft::HostScope{std::move(made)}, object_{object} {}
    ~Core() override = default;

   private:
    void host_retain() noexcept override { GC_ADDREF(object_.self()); }
    void host_release() noexcept override;
    [[nodiscard]] void* host_object() const noexcept override { return &object_; }
    ScopeObject& object_;
  };
  void release_scope();

  std::optional<Core> core_;
  weft::Ref<ScopeRecord> record_;
  Handlers handlers_;
};

}  // namespace weft_php
