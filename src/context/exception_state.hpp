#pragma once

#include <cxxabi.h>

namespace weft {

/// The exception state of the C++ library for this thread: the caught exceptions, and how many are
/// in flight. It belongs to a stack, so it is switched with the stack; otherwise `throw;` in one
/// coroutine would rethrow the exception of another.
struct ExceptionState {
  void* caught = nullptr;
  unsigned int uncaught = 0;

  /// The thread's own, for the life of the thread.
  static ExceptionState& of_thread() noexcept {
#if !defined(__GLIBCXX__) && !defined(_LIBCPP_VERSION)
#error "the layout of the exception globals is known for libstdc++ and libc++ only"
#endif
    return *reinterpret_cast<ExceptionState*>(__cxxabiv1::__cxa_get_globals());
  }
};

}  // namespace weft
