#include "base/current.hpp"
#include "scheduler/scheduler.hpp"
#include "weft/error.hpp"

namespace weft {

/// weft's own errors carry the one they met; for foreign ones the runtime remembers it.
std::exception_ptr previous(const std::exception_ptr& error) noexcept {
  if (error == nullptr) return nullptr;
  try {
    std::rethrow_exception(error);
  } catch (const Error& own) {
    if (own.previous() != nullptr) return own.previous();
  } catch (const Cancelled& cancelled) {
    if (cancelled.previous() != nullptr) return cancelled.previous();
  } catch (...) {  // a foreign error: see below
  }
  if (current_thread.scheduler == nullptr) return nullptr;
  return current_thread.scheduler->linked(error);
}

}  // namespace weft
