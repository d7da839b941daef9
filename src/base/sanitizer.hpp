#pragma once

#include <cstddef>

// The memory checkers that this build runs under.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WEFT_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define WEFT_TSAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(WEFT_ASAN)
#define WEFT_ASAN 1
#endif
#if defined(__SANITIZE_THREAD__) && !defined(WEFT_TSAN)
#define WEFT_TSAN 1
#endif
#ifndef WEFT_ASAN
#define WEFT_ASAN 0
#endif
#ifndef WEFT_TSAN
#define WEFT_TSAN 0
#endif
#if __has_include(<valgrind/memcheck.h>)
#define WEFT_VALGRIND 1
#else
#define WEFT_VALGRIND 0
#endif

#if WEFT_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace weft {

/// An access to the `size` bytes at `memory` is an error until allow_memory().
inline void forbid_memory([[maybe_unused]] void* memory,
                          [[maybe_unused]] std::size_t size) noexcept {
#if WEFT_ASAN
  ASAN_POISON_MEMORY_REGION(memory, size);
#endif
}
inline void allow_memory([[maybe_unused]] void* memory,
                         [[maybe_unused]] std::size_t size) noexcept {
#if WEFT_ASAN
  ASAN_UNPOISON_MEMORY_REGION(memory, size);
#endif
}

}  // namespace weft
