// The thread sanitizer creates a thread's record of signals in the thread's first blocking call. A
// signal that arrives at that moment is noted in a second record, which is lost. So the main
// thread, to which the kernel delivers most signals, blocks once before there are any.

#include <unistd.h>

namespace {

[[maybe_unused]] const int blocked_once = ::usleep(0);

}  // namespace
