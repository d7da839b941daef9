#include "base/current.hpp"
#include "context/context.hpp"
#include "scheduler/scheduler.hpp"
#include "weft/extend/embed.hpp"

// The stacks, as a host sees them.
namespace weft {

std::span<std::byte> Scheduler::current_stack() const noexcept {
  const Context* const context = current_ != nullptr ? current_->context_ : nullptr;
  if (context == nullptr || context == &thread_context_) return stack_of_thread();
  return {static_cast<std::byte*>(context->low()), context->size()};
}

StackBounds current_stack() {
  const std::span<std::byte> stack = Scheduler::here("current_stack()").current_stack();
  return {stack.data(), stack.data() + stack.size()};
}

void trim_stacks() { Scheduler::here("trim_stacks()").stacks().trim_all(); }

}  // namespace weft
