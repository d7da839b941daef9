#include "context/context.hpp"

#include <cstring>
#include <pthread.h>
#include <span>

#include "base/current.hpp"

namespace weft {
namespace {

constexpr std::uint64_t canary_word = 0x77656674'63616e72;

/// A call on a borrowed stack.
struct BorrowedCall {
  void (*function)(void*);
  void* data;
  Context* from;
  void* from_pointer;
  Context* here;
};

void run_borrowed_call() {
  BorrowedCall& call = *static_cast<BorrowedCall*>(current_thread.borrowed_call);
  call.here->notes().arrive();
  call.function(call.data);
  call.here->notes().leave(call.from->notes(), call.from->low(), call.from->size(), false);
  void* unused_frame = nullptr;
  jump_to_stack(&unused_frame, call.from_pointer);
}

}  // namespace

std::span<std::byte> stack_of_thread() noexcept {
  pthread_attr_t attributes;
  void* low = nullptr;
  std::size_t size = 0;
  if (::pthread_getattr_np(::pthread_self(), &attributes) == 0) {
    ::pthread_attr_getstack(&attributes, &low, &size);
    ::pthread_attr_destroy(&attributes);
  }
  return {static_cast<std::byte*>(low), size};
}

Context::Context(void* low, std::size_t size, std::uint8_t stack_class, bool canary) noexcept
    : low_{static_cast<std::byte*>(low)}, size_{size}, stack_class_{stack_class}, canary_{canary} {
  if (canary_) std::memcpy(low_, &canary_word, sizeof canary_word);
  notes_.born(low_, size_, static_cast<std::size_t>(reinterpret_cast<std::byte*>(this) - low_));
}

Context::Context(OfThread /*tag*/) noexcept {
  notes_.adopt_thread();
#if WEFT_ASAN
  // Once per thread: for the first one the C library reads /proc.
  thread_local const std::span<std::byte> own = stack_of_thread();
  low_ = own.data();
  size_ = own.size();
#endif
}

bool Context::has_its_canary() const noexcept {
  return std::memcmp(low_, &canary_word, sizeof canary_word) == 0;
}

void call_on_context(Context& from, Context& to, void* to_pointer, void (*function)(void*),
                     void* data) noexcept {
  BorrowedCall call{function, data, &from, nullptr, &to};
  current_thread.borrowed_call = &call;
  const auto below = (reinterpret_cast<std::uintptr_t>(to_pointer) - 256) & ~std::uintptr_t{15};
  constexpr std::size_t first_words = 128;
  StackNotes::lend(reinterpret_cast<std::byte*>(below - first_words), to_pointer);
  void* const frame = first_frame<&run_borrowed_call>(reinterpret_cast<std::byte*>(below));
  from.notes().leave(to.notes(), to.low(), to.size(), false);
  jump_to_stack(&call.from_pointer, frame);
  from.notes().arrive();
  StackNotes::forget_frames(to_pointer);
}

}  // namespace weft
