// At the end of a process valgrind reports memory that nothing refers to. In a forked child that
// includes all memory of the parent's threads: no leak of the child, but it would change the exit
// code of the child, and the search takes seconds.
#if __has_include(<valgrind/valgrind.h>)
#include <pthread.h>

#include <valgrind/valgrind.h>

namespace {

[[maybe_unused]] const int registered =
    ::pthread_atfork(nullptr, nullptr, [] { VALGRIND_CLO_CHANGE("--leak-check=no"); });

}  // namespace
#endif
