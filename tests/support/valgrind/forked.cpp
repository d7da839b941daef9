// At the end of a process valgrind looks for memory that nothing refers to any more. In the child
// of a fork that is what the threads of its parent hold, and all that the parent had at that
// moment: no error of the child, but one that would become its exit code, and seconds of work.
#if __has_include(<valgrind/valgrind.h>)
#include <pthread.h>

#include <valgrind/valgrind.h>

namespace {

[[maybe_unused]] const int registered =
    ::pthread_atfork(nullptr, nullptr, [] { VALGRIND_CLO_CHANGE("--leak-check=no"); });

}  // namespace
#endif
