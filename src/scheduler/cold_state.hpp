#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/switch_handler.hpp"
#include "weft/extend/waker.hpp"
#include "weft/function.hpp"
#include "weft/ref.hpp"

namespace weft {

class Section;

/// A value of native code, kept with a coroutine.
struct InternalValue {
  void* value = nullptr;
  void (*destroy)(void*) noexcept = nullptr;
};

/// What a waker has no room for: the third and later events of a wait, and rare fields.
struct WaitSpill {
  std::vector<Ref<Subscription>> own;   // given by the user, by position
  std::vector<Ref<Subscription>> more;  // the waker's own, from the third on; reused
  Function<void()> on_clean;
};

/// What most coroutines do not need.
struct ColdState {
  std::string name;
  std::string cancel_text;
  std::exception_ptr cancel_error;  // takes the place of the text
  SwitchHandlers switch_handlers;
  std::vector<Function<void(CoroutineBase&)>> finally_handlers;
  Ref<CoroutineBase> finally_runner;  // made with the first handler: the end must not allocate
  std::vector<InternalValue> internal_values;
  Section* innermost = nullptr;  // the innermost section that the coroutine is in
  std::unique_ptr<WaitSpill> spill;

  ColdState() = default;
  ColdState(const ColdState&) = delete;
  ColdState& operator=(const ColdState&) = delete;
  ~ColdState() { destroy_internal_values(); }

  void destroy_internal_values() noexcept {
    for (InternalValue& entry : std::exchange(internal_values, {})) {
      if (entry.destroy != nullptr && entry.value != nullptr) entry.destroy(entry.value);
    }
  }
};

}  // namespace weft
