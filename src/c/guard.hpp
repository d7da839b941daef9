#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <limits>
#include <string>
#include <utility>

#define WEFT_NO_PLACES  // this file defines the functions behind the macros
#include "weft/c/weft.h"
#include "weft/error.hpp"
#include "weft/time.hpp"

// The border between C++ and C: no exception passes into a C frame.
namespace weft::c {

/// The failure of a C body or future, with its code.
class Failure : public Error {
 public:
  explicit Failure(int code) : Error{"failed with the code " + std::to_string(code)}, code_{code} {}
  [[nodiscard]] int code() const noexcept { return code_; }

 private:
  int code_;
};

/// The code of `error`; its text is kept for weft_error_text(). A cancellation of the current
/// coroutine is kept: it is the outcome, whatever the body returns.
int code_of(const std::exception_ptr& error) noexcept;
/// Runs `body` as the body of a C coroutine and throws what it ends with.
void* run_body(weft_body body, void* data);

template <class F>
int guarded(F&& call) noexcept {
  try {
    std::forward<F>(call)();
    return WEFT_OK;
  } catch (...) {
    return code_of(std::current_exception());
  }
}

/// Any number of milliseconds, saturated.
inline Duration milliseconds(std::uint64_t count) noexcept {
  constexpr auto most = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(Duration::max()).count());
  return std::chrono::milliseconds{static_cast<std::int64_t>(count < most ? count : most)};
}

inline void give(void** place, void* value) noexcept {
  if (place != nullptr) *place = value;
}

}  // namespace weft::c
