#pragma once

// A program and its weft library must have the same version and sanitizer. Every file that includes
// a header of weft refers to a variable of the library whose name contains both; if they differ,
// linking fails with that name. C too.

#if defined(__SANITIZE_ADDRESS__)
#define WEFT_DETAIL_ABI weft_abi_0_2_asan
#elif defined(__SANITIZE_THREAD__)
#define WEFT_DETAIL_ABI weft_abi_0_2_tsan
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WEFT_DETAIL_ABI weft_abi_0_2_asan
#elif __has_feature(thread_sanitizer)
#define WEFT_DETAIL_ABI weft_abi_0_2_tsan
#endif
#endif
#ifndef WEFT_DETAIL_ABI
#define WEFT_DETAIL_ABI weft_abi_0_2
#endif

#ifdef __cplusplus
// Each #error is followed by an include of a missing file, so that it is the compiler's last
// message. clang-format puts this header first, so that no unsupported syntax is parsed before it.
#if __cplusplus < 202002L
#error "weft needs C++20: compile with -std=c++20; in CMake, linking weft::weft does so"
#include <weft_stops_here>
#elif defined(__clang__) ? __clang_major__ < 14 : __GNUC__ < 12
#error "weft does not support this compiler: take g++ 12 or clang++ 14, or a newer one"
#include <weft_stops_here>
#endif
#ifdef __has_feature
#if __has_feature(memory_sanitizer)
#error "weft does not support -fsanitize=memory: take -fsanitize=address, or valgrind"
#include <weft_stops_here>
#endif
#endif

extern "C" const char WEFT_DETAIL_ABI;
namespace weft::detail {
[[gnu::used]] inline const char* const abi = &WEFT_DETAIL_ABI;
}
#else
extern const char WEFT_DETAIL_ABI;
__attribute__((used)) static const char* const weft_detail_abi = &WEFT_DETAIL_ABI;
#endif
