#pragma once

namespace weft {

/// Prints the sentence and the place, then aborts.
[[noreturn]] void assertion_failed(const char* condition, const char* sentence, const char* file,
                                   unsigned line) noexcept;

}  // namespace weft

/// Our own invariants, checked in every build. `sentence` says what it means when it fails.
#define WEFT_ASSERT(condition, sentence) \
  (static_cast<bool>(condition)          \
       ? static_cast<void>(0)            \
       : ::weft::assertion_failed(#condition, sentence, __FILE__, __LINE__))
