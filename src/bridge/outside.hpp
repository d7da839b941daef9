#pragma once

#include "base/current.hpp"
#include "bridge/real.hpp"

namespace weft::bridge {

/// The entry of a hook that calls the real function outside a coroutine. Apart from the hook, which
/// saves registers before its first test: on a thread without a runtime that would be most of the
/// cost.
template <auto hooked, auto member, class Function = decltype(hooked)>
class Outside;
template <auto hooked, auto member, class R, class... Args>
class Outside<hooked, member, R (*)(Args...)> {
 public:
  static R call(Args... args) {
    if (current_thread.scheduler == nullptr) [[likely]]
      return (real.*member)(args...);
    return go_on(args...);
  }

 private:
  [[gnu::noinline]] static R go_on(Args... args) { return hooked(args...); }
};

template <auto hooked, auto member>
inline constexpr auto outside = &Outside<hooked, member>::call;

}  // namespace weft::bridge
