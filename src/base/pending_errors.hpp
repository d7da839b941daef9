#pragma once

#include <cstddef>
#include <exception>
#include <utility>
#include <vector>

namespace weft {

/// Errors that callbacks, microtasks and handlers have left for the scheduler.
struct PendingErrors {
  std::exception_ptr first;
  std::vector<std::exception_ptr> later;  // chained to the first, in this order

  /// False if there is no memory for it.
  bool add(std::exception_ptr error) noexcept {
    if (first == nullptr) {
      first = std::move(error);
      return true;
    }
    try {
      later.push_back(std::move(error));
      return true;
    } catch (...) {
      return false;
    }
  }
  [[nodiscard]] std::size_t count() const noexcept {
    return (first != nullptr ? 1 : 0) + later.size();
  }
  friend bool operator==(const PendingErrors& errors, std::nullptr_t) noexcept {
    return errors.first == nullptr;
  }
};

}  // namespace weft
