#include "concurrency/pool_check.hpp"
#include "concurrency/pool_hint.hpp"
#include "weft/detail/pool_core.hpp"
#include "weft/error.hpp"

// How a pool refuses its waiters: closed for good, or by its circuit breaker.
namespace weft::detail {
namespace {

/// The error for the waiters. Without memory for it, bad_alloc is their error: close() cannot fail.
template <class E>
std::exception_ptr refusal() noexcept {
  try {
    return std::make_exception_ptr(E{});
  } catch (...) {
    return std::current_exception();
  }
}

}  // namespace

void PoolCore::close() {
  if (closed_) return;
  const Ref<PoolCore> keep{this};
  closed_ = true;
  choose_ways();
  cancel_checks();
  if (!queue_.is_empty()) queue_.refuse_all(refusal<PoolClosed>());
  if (const Ref<HintEvent> hint = hint_) hint->end();
  std::exception_ptr first;
  while (first_idle_ != nullptr) {
    std::exception_ptr error = destroy(pop_idle());
    pass_on_place();
    if (error != nullptr && first != nullptr)
      warn_of_error("Pool: destroying a resource failed", error);
    if (first == nullptr) first = std::move(error);
  }
  await_checks();
  if (first != nullptr) std::rethrow_exception(std::move(first));
}

void PoolCore::close_quietly() noexcept {
  try {
    close();
  } catch (...) {
    warn_of_error("Pool: destroying a resource failed", std::current_exception());
  }
}

void PoolCore::dispose() noexcept {
  if (const Ref<HintEvent> hint = hint_) {
    const bool awaited = !hint->is_closed() && hint->subscribers() > 0;
    static_cast<Hint&>(*hint).detach_pool(awaited ? refusal<PoolClosed>() : nullptr);
  }
  close_quietly();
}

void PoolCore::deactivate() {
  std::exception_ptr error;
  if (!queue_.is_empty()) error = refusal<ServiceUnavailable>();
  move_to(State::inactive);
  queue_.refuse_all(error);
}

}  // namespace weft::detail
