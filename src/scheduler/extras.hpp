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

/// What a waker has no room for: the third event of a wait, and what most waits do without.
struct WaitSpill {
  std::vector<Ref<Subscription>> own;   // callbacks of the user, by position
  std::vector<Ref<Subscription>> more;  // the waker's, from the third on, made once and used again
  Function<void()> on_clean;
};

/// What most coroutines do without.
struct CoroutineExtras {
  std::string name;
  std::string cancel_text;
  std::exception_ptr cancel_error;  // instead of the text
  SwitchHandlers switch_handlers;
  std::vector<Function<void(CoroutineBase&)>> finally_handlers;
  Ref<CoroutineBase> finally_runner;  // made with the first handler: the end must not allocate
  std::vector<InternalValue> internal_values;
  Section* innermost = nullptr;  // of the sections it is in
  std::unique_ptr<WaitSpill> spill;

  CoroutineExtras() = default;
  CoroutineExtras(const CoroutineExtras&) = delete;
  CoroutineExtras& operator=(const CoroutineExtras&) = delete;
  ~CoroutineExtras() { destroy_internal_values(); }

  void destroy_internal_values() noexcept {
    for (InternalValue& entry : std::exchange(internal_values, {})) {
      if (entry.destroy != nullptr && entry.value != nullptr) entry.destroy(entry.value);
    }
  }
};

}  // namespace weft
