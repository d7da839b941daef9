#include "context/context.hpp"

#include <pthread.h>

#include <cstring>

namespace weft {
namespace {

constexpr std::uint64_t canary_word = 0x77656674'63616e72;

struct Errand {
  void (*function)(void*);
  void* data;
  Context* from;
  Context* here;
  void** here_pointer;  // where to note where this stack stops again
};

Context::Transfer run_errand(Context::Transfer transfer) {
  Errand& errand = *static_cast<Errand*>(transfer.data);
  Context& here = *errand.here;
  Context& from = *errand.from;
  here.notes().arrive();
  errand.function(errand.data);
  here.notes().leave(from.notes(), from.low(), from.size(), false);
  // Whoever resumes this stack later arrives here and goes on as if nothing had happened.
  return boost::context::detail::jump_fcontext(transfer.fctx, errand.here_pointer);
}

}  // namespace

Context::Context(void* low, std::size_t size, std::uint8_t stack_class, bool canary) noexcept
    : low_{static_cast<std::byte*>(low)}, size_{size}, stack_class_{stack_class}, canary_{canary} {
  if (canary_) std::memcpy(low_, &canary_word, sizeof canary_word);
  notes_.born(low_, size_);
}

Context::Context(OfThread /*tag*/) noexcept {
  notes_.adopt_thread();
#if WEFT_ASAN
  pthread_attr_t attributes;
  void* low = nullptr;
  if (::pthread_getattr_np(::pthread_self(), &attributes) == 0) {
    ::pthread_attr_getstack(&attributes, &low, &size_);
    ::pthread_attr_destroy(&attributes);
  }
  low_ = static_cast<std::byte*>(low);
#endif
}

bool Context::intact() const noexcept {
  return !canary_ || std::memcmp(low_, &canary_word, sizeof canary_word) == 0;
}

void* Context::prepare(Entry entry) noexcept {
  const auto top = reinterpret_cast<std::uintptr_t>(this) & ~std::uintptr_t{15};
  auto* stack_top = reinterpret_cast<std::byte*>(top);
  return boost::context::detail::make_fcontext(stack_top,
                                               static_cast<std::size_t>(stack_top - low_), entry);
}

void call_on_context(Context& from, Context& to, void*& to_pointer, void (*function)(void*),
                     void* data) noexcept {
  Errand errand{function, data, &from, &to, &to_pointer};
  from.notes().leave(to.notes(), to.low(), to.size(), false);
  const Context::Transfer transfer =
      boost::context::detail::ontop_fcontext(to_pointer, &errand, &run_errand);
  *static_cast<void**>(transfer.data) = transfer.fctx;
  from.notes().arrive();
}

}  // namespace weft
