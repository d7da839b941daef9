#pragma once

#include <vector>

#include "value.hpp"

namespace weft_php {

class ScopeObject;

/// What the extension knows of a scope: its place in the tree and its context. It outlives the
/// object, because coroutines of the scope do.
class ScopeRecord : public weft::Counted<ScopeRecord> {
 public:
  /// `parent` is null for a scope without one.
  [[nodiscard]] static weft::Ref<ScopeRecord> create(ScopeRecord* parent) {
    return weft::Ref<ScopeRecord>::adopt(new ScopeRecord{parent});
  }

  [[nodiscard]] ScopeRecord* parent() const noexcept { return parent_.get(); }
  [[nodiscard]] const std::vector<ScopeRecord*>& children() const noexcept { return children_; }
  /// The Async\Context of the scope, made when first asked for. In the engine.
  [[nodiscard]] zend_object* context();
  /// The same, but null if there is none.
  [[nodiscard]] zend_object* made_context() const noexcept { return context_.object(); }
  /// The context as a value that the object of the scope alone holds: null while coroutines and
  /// scopes below have it too.
  [[nodiscard]] Value* context_of_object() noexcept {
    return references() == 1 ? &context_ : nullptr;
  }

  /// The object; null for the main scope, and when it is gone.
  ScopeObject* object = nullptr;

 private:
  friend class weft::Counted<ScopeRecord>;
  explicit ScopeRecord(ScopeRecord* parent);
  ~ScopeRecord();
  weft::Ref<ScopeRecord> parent_;
  std::vector<ScopeRecord*> children_;
  Value context_;
};

}  // namespace weft_php
