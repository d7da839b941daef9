#pragma once

#include <utility>
#include <vector>

#include "weft/extend/coroutine_base.hpp"
#include "weft/function.hpp"
#include "weft/ref.hpp"

namespace weft {

/// One hook: a closure, or a pair of function and data, which can be compared.
class SwitchHandler : public Counted<SwitchHandler> {
 public:
  using Closure = Function<bool(CoroutineBase&, Switch)>;
  using Pointer = bool (*)(CoroutineBase&, Switch, void*);

  explicit SwitchHandler(Closure closure) noexcept : closure_{std::move(closure)} {}
  SwitchHandler(Pointer function, void* data) noexcept : function_{function}, data_{data} {}

  bool call(CoroutineBase& coroutine, Switch what) {
    return function_ != nullptr ? function_(coroutine, what, data_) : closure_(coroutine, what);
  }
  [[nodiscard]] bool same_pair(const SwitchHandler& other) const noexcept {
    return function_ != nullptr && function_ == other.function_ && data_ == other.data_;
  }

 private:
  Closure closure_;
  Pointer function_ = nullptr;
  void* data_ = nullptr;
};

/// The hooks of one coroutine, in the order of registration.
class SwitchHandlers {
 public:
  /// False if the same pair is registered already, or, with a warning, while the handlers run.
  bool add(Ref<SwitchHandler> handler);
  /// Calls all handlers and drops those that return false. Their failures are left pending.
  void run(CoroutineBase& coroutine, Switch what) noexcept;
  [[nodiscard]] bool empty() const noexcept { return handlers_.empty(); }

 private:
  std::vector<Ref<SwitchHandler>> handlers_;
  bool running_ = false;
};

}  // namespace weft
